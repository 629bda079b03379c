"""The page of one round at a floor, from its copy of the table's events.

    GET /floor/round/TABLE/EPOCH/NUMBER?lang=            the round, with all its bets
    GET /floor/round/TABLE/EPOCH/NUMBER?player=2&lang=   with the bets of its second player alone

It is the table's own page, open to everybody who is signed in at the floor.
"""

import asyncio
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from ...core.coded_message import coded
from ...reports.round_sheet import RoundSheet
from ...text.errors import quote
from ...web.api.request_parameters import is_number, language_of, number_of
from ...web.api.round_pages import round_answer
from ...web.net.replies import RequestRefused
from ...web.screens.round_page import RoundView
from ..history.history import FloorHistory
from ..people.viewers import viewer_of

FLOOR = "/floor"


class FloorRoundPages:
    """Pages of the rounds of one floor. `looking`: limits how many are read at once; `language`: the default."""

    def __init__(self, history: FloorHistory, looking: asyncio.Semaphore, language: str) -> None:
        self._history, self._looking, self._language = history, looking, language
        self.routes = [Route("/floor/round/{table}/{epoch}/{number}", self.page)]

    async def page(self, request: Request) -> Response:
        """GET /floor/round/TABLE/EPOCH/NUMBER: the page; redirects to /floor without a sign-in.

        Raises HTTPException (400 for a bad player, 404 if the floor's copy does not have the round), FloorFailed.
        """
        try:
            viewer_of(request)
        except HTTPException as refused:
            if refused.status_code == HTTPStatus.UNAUTHORIZED:
                return RedirectResponse(FLOOR, 303)
            raise
        language, which = language_of(request, self._language), request.path_params
        only = number_of(request.query_params.get("player"), "player")
        sheet = await self._sheet(which["table"], which["epoch"], round_number_of(request), language)
        return round_answer(sheet, RoundView(which["table"], self._history.shifts.time_zone, language, only))

    async def _sheet(self, table: str, epoch: str, number: int, language: str) -> RoundSheet:
        async with self._looking:
            sheet = await asyncio.to_thread(self._history.sheet, table, epoch, number, language)
        if sheet is None:
            raise RequestRefused(404, coded("round_gone", table=table, number=number))
        return sheet


def round_number_of(request: Request) -> int:
    """Round's number in the path `/TABLE/EPOCH/NUMBER`. Raises HTTPException (404) if no round can have it."""
    table, number = request.path_params["table"], request.path_params["number"]
    if not is_number(number):
        raise RequestRefused(404, coded("round_gone", table=table, number=quote(number)))
    return int(number)
