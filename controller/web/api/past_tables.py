"""HTTP route for the cards of a past round, which the form for corrections starts from.

GET /api/rounds/N/cards?lang=      its cards, the possible corrections, or the reason why there are none
"""

import asyncio

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...core import events as e
from ...core.clock import Time
from ...core.draft import Draft
from ...core.past_round import PastRound, decode_past
from ...core.position import Position, Unplayable
from ...games import GAMES
from ...reports.preview_resettling import bar
from ...rules.cards import Deck
from ...table.loop import Table
from ..net.replies import as_json
from ..screens.manager_words import ManagerWords
from ..screens.past_table import PastTable, past_table
from ..screens.table_snapshot import TableSnapshot
from .callers import manager_of
from .intake import ReadRound
from .request_parameters import positive_number, words_of


class PastTables:
    """Route of past rounds. `looking`: limits how many are read at once."""

    def __init__(self, table: Table, looking: asyncio.Semaphore, read_round: ReadRound) -> None:
        self._table, self._looking, self._read_round = table, looking, read_round
        self.routes = [Route("/api/rounds/{number}/cards", self.cards)]

    async def cards(self, request: Request) -> Response:
        """GET /api/rounds/N/cards: cards of a past round. Raises HTTPException (404) if there is no such round."""
        caller, words = manager_of(request), words_of(request)
        number = positive_number(request.path_params["number"], "round")
        event = await self._read_round(e.Resettle(number, (), caller.name, "", person=caller.person))
        async with self._looking:
            snapshot = TableSnapshot(self._table.state, None, self._table.house)
            page = await asyncio.to_thread(compose_past_table, snapshot, event, self._table.now(), words)
        if page is None:
            raise HTTPException(404, words.refusal("resettle", "no_round"))
        return as_json(page)


def compose_past_table(snapshot: TableSnapshot, event: e.Resettle, at: Time, words: ManagerWords) -> PastTable | None:
    """Compose the page of the round in the event; None if the event has no round."""
    past = decode_past(event.past)
    if past is None:
        return None
    draft = Draft(snapshot.house, Position(GAMES), snapshot.state, at)
    return past_table(snapshot, past, _deck(draft.position, past), bar(draft, event, past), words)


def _deck(position: Position, past: PastRound) -> Deck | None:
    """Deck of a round; None if it was played under another version of the rules."""
    try:
        return position.deck(past.round)
    except Unplayable:
        return None
