"""Viewers of the floor and their rights, by the roles of the registry.

Invariant: a role is checked at the floor and at the table. An act that passes here is still judged by the table.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

from starlette.requests import Request

from ...config.people import PersonRole
from ...core.coded_message import CodedMessage, coded
from ...text.coded import join_with_or
from ...text.faults import Words
from ...web.api.callers import caller_of
from ...web.net.replies import RequestRefused
from ...web.screens.manager_texts import MANAGER_RULES

Act = Literal["claim", "release", "acknowledge", "shelve", "unshelve", "assign", "hand_over", "command"]
ACTS: tuple[Act, ...] = get_args(Act)
MAY: Mapping[PersonRole, frozenset[Act]] = {
    "manager": frozenset(ACTS),
    "supervisor": frozenset({"claim", "release", "acknowledge", "command"}),
    "engineer": frozenset({"acknowledge", "shelve", "unshelve"}),
    "auditor": frozenset(),
    "dealer": frozenset(),
}
OWN_TABLES: PersonRole = "supervisor"  # role whose acts are limited to assigned tables


class Viewer(NamedTuple):
    """Person of the registry who is signed in at the floor."""

    id: str
    name: str
    roles: frozenset[PersonRole]

    @property
    def acts_anywhere(self) -> tuple[Act, ...]:
        """Acts that the viewer may do at any table."""
        return tuple(act for act in ACTS if any(act in MAY[role] for role in self.roles - {OWN_TABLES}))

    def may(self, act: Act, owner: str | None) -> bool:
        """True if the viewer may do an act at a table assigned to `owner`, or at the floor (None)."""
        return any(act in MAY[role] and (role != OWN_TABLES or owner == self.id) for role in self.roles)

    def acts_at(self, owner: str | None) -> bool:
        """True if the viewer may rule or command at a table that is assigned to this person."""
        return self.may("command", owner)


def viewer_of(request: Request) -> Viewer:
    """Return the viewer who sends a request. Raises HTTPException (401) without a sign-in."""
    caller = caller_of(request)
    person = None if caller.people is None or caller.person is None else caller.people.by_number(caller.person)
    if caller.role != "manager" or caller.person is None or person is None:
        raise RequestRefused(401, coded("signed_in"))
    return Viewer(caller.person, person.name, frozenset(person.roles))


def who_rules(viewer: Viewer, owner: str | None, words: Words) -> str | None:
    """Return who rules at a table assigned to `owner`, in words; None if the viewer does."""
    if viewer.acts_at(owner):
        return None
    return words.tell(coded("not_yours")) if OWN_TABLES in viewer.roles else words.say(MANAGER_RULES)


def refusal_message(viewer: Viewer, act: Act, table: str) -> CodedMessage:
    """Return why the viewer may not do an act at a table, or at the floor if `table` is empty."""
    is_unassigned = OWN_TABLES in viewer.roles and act in MAY[OWN_TABLES]
    if is_unassigned:
        return coded("not_assigned", table=table, name=viewer.name)
    roles = [coded(f"floor_role_{role}") for role in MAY if act in MAY[role]]
    return coded("not_for", name=viewer.name, roles=join_with_or(roles))
