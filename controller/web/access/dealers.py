"""A dealer signs on by themselves, where somebody keeps a registry of persons.

    POST /session/dealer     {"name", "pin"}: the badge number or the name, and the PIN; between two rounds
                             {"badge", "pin"}: or what the reader types of their badge; alone, where that is enough

It is asked at the dealer's own screen, or at the table's socket. Neither PIN nor badge goes further than this: they are
in no command, so that nothing which remembers commands ever holds one.
"""

from collections.abc import Mapping

from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...core import events as e
from ...core.life import RESTING
from ...table.loop import Table
from ...text.faults import Words
from ..api.request_parameters import SignOn
from ..net.replies import Reason, as_json, problem
from .desk import Desk
from .door import knock_of, language, peer, read_sign_in


class Deals(Struct, frozen=True):
    """Who deals from here on."""

    table: str
    dealer: str
    id: str


class DealerDoor:
    """At one of the table's doors."""

    def __init__(self, table: Table, desk: Desk, sign_on: SignOn) -> None:
        self._table, self._desk, self._sign_on = table, desk, sign_on
        self.routes = [Route("/session/dealer", self.sign_on, methods=["POST"])]

    async def sign_on(self, request: Request) -> Response:
        """Somebody comes to deal."""
        caller = await self._sign_on(request)
        source = caller.via if caller.for_others else peer(request)
        if caller.role != "dealer" and not caller.for_others:
            raise HTTPException(403, "expected the dealer's own screen, or the table's socket")
        if caller.people is None:
            raise HTTPException(
                403, "this table has no registry of persons: the shift manager signs dealers on; see `tablectl people`"
            )
        said = await read_sign_in(request)
        knock = knock_of(said, source)
        known = await self._desk.admit(knock, Words(language(request)))
        if "dealer" not in known.person.roles:
            raise HTTPException(403, f"expected a dealer, {known.person.name} is none")
        if reason := self._obstacle():
            return problem(503 if reason == "halted" else 409, reason, _WORDS[reason])
        if (self._table.state.dealer, self._table.state.dealer_id) != (known.person.name, known.id):
            self._table.take(e.DealerOn(known.person.name, id=known.id), e.Origin(caller.via))
        self._desk.admitted(known, source, "dealer", knock.proof(self._desk.persons.badge))
        return as_json(Deals(self._table.house.table, known.person.name, known.id))

    def _obstacle(self) -> Reason | None:
        """Why nobody can take over now."""
        if self._table.halted is not None:
            return "halted"
        return None if self._table.state.life in RESTING else "round_on"


_WORDS: Mapping[Reason, str] = {
    "halted": "the record cannot be written; the table waits for its disk",
    "round_on": "a dealer signs on between two rounds; a round that is on, or paused, is dealt to its end first",
}
