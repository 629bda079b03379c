"""Who looks at the floor, and what they may do there: by the roles of the registry.

The one rule: a role is looked at here and at the table. What is let through here the table still judges.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request

from ..config.people import PersonRole
from ..text.faults import Words
from ..web.api.request_parameters import SignOn
from .act_texts import NOT_ASSIGNED, ONLY_LOOKS

Act = Literal["claim", "release", "acknowledge", "shelve", "unshelve", "assign", "hand_over", "command"]
MAY: Mapping[Act, frozenset[PersonRole]] = {
    "claim": frozenset({"manager", "supervisor"}),
    "release": frozenset({"manager", "supervisor"}),
    "acknowledge": frozenset({"manager", "supervisor", "engineer"}),
    "shelve": frozenset({"manager", "engineer"}),
    "unshelve": frozenset({"manager", "engineer"}),
    "assign": frozenset({"manager"}),
    "hand_over": frozenset({"manager"}),
    "command": frozenset({"manager", "supervisor"}),
}


class Viewer(NamedTuple):
    """A person of the registry who is signed in at the floor."""

    id: str
    name: str
    roles: frozenset[PersonRole]

    def may(self, act: Act) -> bool:
        """At some table."""
        return bool(self.roles & MAY[act])

    def may_at(self, act: Act, owner: str | None) -> bool:
        """At a table that is assigned to this person: a supervisor at their own alone."""
        return bool((self.roles & MAY[act]) - {"supervisor"}) or (self.may(act) and owner == self.id)

    def acts_at(self, owner: str | None) -> bool:
        """Whether they may rule or command at a table that is assigned to this person."""
        return self.may_at("command", owner)


async def viewer_of(request: Request, sign_on: SignOn) -> Viewer:
    """Who asks. Raises HTTPException for who is not signed in."""
    caller = await sign_on(request)
    person = None if caller.people is None or caller.person is None else caller.people.of(caller.person)
    if caller.role != "manager" or caller.person is None or person is None:
        raise HTTPException(401, "expected somebody who is signed in at the floor")
    return Viewer(caller.person, person.name, frozenset(person.roles))


def not_theirs(viewer: Viewer, table: str, words: Words) -> str:
    """Why they may not act at a table."""
    return words.say(NOT_ASSIGNED if viewer.may("command") else ONLY_LOOKS).format(table=table, name=viewer.name)
