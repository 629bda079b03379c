"""A dealer signs on by themselves, where somebody keeps a registry of persons.

    POST /session/dealer     {"name", "pin"}: the badge number or the name, and the PIN; between two rounds

It is asked at the dealer's own screen, or at the table's socket. The PIN goes no further than this: it is in no
command, so that nothing which remembers commands ever holds one.
"""

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
from ..net.replies import as_json
from .desk import Desk, Knock
from .door import language, peer, read_sign_in


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
            raise HTTPException(409, "expected a registry of persons: this table has none, see `tablectl people`")
        said = await read_sign_in(request)
        known = await self._desk.admit(Knock(said.name, said.pin, source), Words(language(request)))
        if "dealer" not in known.person.roles:
            raise HTTPException(403, f"expected a dealer, {known.person.name} is none")
        self._take_over(e.DealerOn(known.person.name, id=known.id), caller.via)
        self._desk.admitted(known, source, "dealer")
        return as_json(Deals(self._table.house.table, known.person.name, known.id))

    def _take_over(self, event: e.DealerOn, via: str) -> None:
        table = self._table
        if table.halted is not None:
            raise HTTPException(503, "the record cannot be written; the table waits for its disk", {"retry-after": "5"})
        if table.state.life not in RESTING:
            raise HTTPException(409, f"expected a table between two rounds, it is {table.state.life}")
        if (table.state.dealer, table.state.dealer_id) != (event.dealer, event.id):
            table.take(event, e.Origin(via))
