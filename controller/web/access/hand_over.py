"""Hand-over between two shift managers: both type their PINs after seeing the open points.

    GET  /session/hand-over     {"shown", "points"}: open points, void rounds, notes; `shown`: last record in them
    POST /session/hand-over     {"from": {"name", "pin"}, "to": {"name", "pin"}, "shown", "note"}

Only a signed-in shift manager and the table's socket may send it. The PINs are checked here and not in the event.
"""

import asyncio
from contextlib import suppress
from html import unescape
from pathlib import Path

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...config.people import KnownPerson, PersonRole
from ...config.shifts import Period, ShiftsSection, shift_at
from ...core import events as e
from ...core.clock import SECOND
from ...core.coded_message import coded
from ...reports.shift_report import NothingRecorded, ShiftReport, period_of, report
from ...table.loop import Table
from ...text.errors import shorten_to_line
from ...text.faults import Words
from ..api.callers import manager_of
from ..api.commands import Caller
from ..api.hand_over_message import Credentials, HandOverAsked, HandOverDone, OpenPoints
from ..net.bodies import body_of
from ..net.page_language import language
from ..net.replies import RequestRefused, as_json, problem_for
from ..screens.report_page import hand_over_lines
from ..screens.report_words import ReportWords
from .credential_checker import CredentialChecker
from .door import LARGEST, attempt_of, missing_roles_message
from .sources import PinSource, source_of

MAY: frozenset[PersonRole] = frozenset({"supervisor", "manager"})


class HandOverDoor:
    """Routes of the hand-over."""

    def __init__(self, table: Table, journal: Path, shifts: ShiftsSection, checker: CredentialChecker) -> None:
        self._table, self._journal, self._shifts, self._checker = table, journal, shifts, checker
        self.routes = [Route("/session/hand-over", self.answer, methods=["GET", "POST"])]

    async def answer(self, request: Request) -> Response:
        """Both routes: POST hands over, GET shows the open points."""
        return await (self.hand_over if request.method == "POST" else self.show)(request)

    async def show(self, request: Request) -> Response:
        """GET: open points of the table."""
        manager_of(request)
        return as_json(await asyncio.to_thread(self._points, language(request)))

    def _points(self, language: str) -> OpenPoints:
        period = period_of(self._journal, self._shifts.minutes, self._shifts.time_zone, None, None)
        sheet, words = report(self._journal, period), Words(language)
        lines = hand_over_lines(sheet, self._report_before(period), ReportWords(sheet, words))
        return OpenPoints(sheet.seq, tuple(map(unescape, lines)))

    def _report_before(self, period: Period) -> ShiftReport | None:
        """Report of the shift before, because a shift is often handed over just after the next one has begun.

        None: nothing was recorded in it.
        """
        before = shift_at(period.since - SECOND, self._shifts.minutes, self._shifts.time_zone)
        with suppress(NothingRecorded):
            return report(self._journal, before)
        return None

    async def hand_over(self, request: Request) -> Response:
        """POST: record the hand-over after verifying both persons."""
        caller = manager_of(request)
        _check_role(caller)
        message = await _read(request)
        source = source_of(request, caller)
        giver = await self._verify_person(message.from_, source)
        taker = await self._verify_person(message.to, source)
        if giver.id == taker.id:
            raise RequestRefused(403, coded("twice", name=giver.person.name))
        if self._table.halted is None:
            self._take(caller, giver, taker, message)
            await self._table.wait_until_recorded()
        if self._table.halted is not None:  # writing the hand-over may have failed
            return problem_for(request, 503, "halted", coded("refused_halted"))
        return as_json(HandOverDone(self._table.house.table, giver.person.name, taker.person.name))

    async def _verify_person(self, credentials: Credentials, source: PinSource) -> KnownPerson:
        """Verify one person and their role. Raises HTTPException, BadUsers."""
        user = await self._checker.admit(attempt_of(credentials, source))
        if not MAY & set(user.person.roles):
            raise RequestRefused(403, missing_roles_message(user.person.name, MAY))
        return user

    def _take(self, caller: Caller, giver: KnownPerson, taker: KnownPerson, message: HandOverAsked) -> None:
        by, to = (None, None) if caller.people is None else (giver.id, taker.id)
        note = " ".join(message.note.split())
        event = e.HandOverSaid(giver.person.name, taker.person.name, to, message.shown, note, person=by)
        self._table.take(event, e.Origin(caller.via))


def _check_role(caller: Caller) -> None:
    """Raise RequestRefused if a person is signed in who may only look."""
    if caller.people is not None and caller.person is not None:
        person = caller.people.by_number(caller.person)
        if person is None or not MAY & set(person.roles):
            raise RequestRefused(403, missing_roles_message(caller.name, MAY))


async def _read(request: Request) -> HandOverAsked:
    """Hand-over in the request body. Raises HTTPException."""
    try:
        return msgspec.json.decode(await body_of(request, LARGEST), type=HandOverAsked)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise HTTPException(400, shorten_to_line(str(error))) from None
