"""The page of one round, for shift managers: cards, reasons, bets and events on one sheet of A4.

    GET /round/N?lang=              the round, with all its bets
    GET /round/N?player=2&lang=     with the bets of its second player alone, and no other player's name

Players are numbered in the order of their first bet, so that no address and no log contains a player's name. Callers
without a sign-in are redirected to the shift manager's page. The record is read in a thread, for a few at a time.
"""

import asyncio
from functools import partial
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from ...core.coded_message import coded
from ...reports.round_sheet import RoundSheet, round_sheet
from ...reports.round_stories import NoSuchRound, records_of
from ...table.loop import Table
from ...text.faults import Words
from ...text.story import tell
from ...text.table_words import TableWords
from ..net.replies import RequestRefused
from ..screens.report_page import mark_of
from ..screens.round_page import RoundView, round_page, style
from ..screens.table_snapshot import Equipment
from .callers import caller_of
from .request_parameters import language_of, number_of, positive_number
from .shift_reports import POLICY


class RoundPages:
    """Pages of the rounds of one table. `looking`: limits how many are read at once."""

    def __init__(self, table: Table, journal: Path, equipment: Equipment, looking: asyncio.Semaphore) -> None:
        self._table, self._journal, self._equipment, self._looking = table, journal, equipment, looking
        self.routes = [Route("/round/{number}", self.page)]

    async def page(self, request: Request) -> Response:
        """GET /round/N: the page. Raises HTTPException: 400 for a bad number or player, 404 for an unknown round."""
        if caller_of(request).role != "manager":
            return RedirectResponse("/manager", 303)
        language = language_of(request, self._equipment.language)
        number = positive_number(request.path_params["number"], "round")
        only = number_of(request.query_params.get("player"), "player")
        async with self._looking:
            sheet = await asyncio.to_thread(self._sheet, number, language)
        view = RoundView(self._table.house.table, self._equipment.shifts.time_zone, language, only)
        return round_answer(sheet, view)

    def _sheet(self, number: int, language: str) -> RoundSheet:
        """Compose the sheet of a round. Raises HTTPException (404), JournalError."""
        try:
            records = records_of(self._journal, number, self._table.state.revisions)
        except NoSuchRound as missing:
            raise RequestRefused(404, missing.message) from None
        return round_sheet(records, partial(tell, TableWords(Words(language))))


def round_answer(sheet: RoundSheet, view: RoundView) -> Response:
    """Answer with the page of a round. Raises HTTPException (400) for a player that it does not have."""
    if view.only is not None and view.only > len(sheet.story.players):
        raise RequestRefused(400, coded("no_such_player", count=len(sheet.story.players), said=str(view.only)))
    return HTMLResponse(round_page(sheet, view), headers={"content-security-policy": POLICY.format(mark_of(style()))})
