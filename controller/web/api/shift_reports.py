"""HTTP route for the report of a shift or a day, a page for shift managers that prints on two pages of A4.

    GET /report                 shift of the last record
    GET /report?shift=TIME      shift that contains this time: ISO 8601, local time of [shifts] zone
    GET /report?day=DATE        a day
    &lang=                      language

Callers without a sign-in are redirected to the shift manager's page. The record is read in threads, a few at a time.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from ...config.shifts import Period, ShiftsSection
from ...core.clock import SECOND
from ...core.coded_message import coded
from ...reports.shift_report import NothingRecorded, ShiftReport, period_of, report
from ...text.errors import quote
from ..net.replies import RequestRefused
from ..screens.report_page import page, style_mark
from .callers import caller_of
from .request_parameters import language_of

POLICY = (
    "default-src 'none'; style-src 'sha256-{}'; script-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)


class ShiftReports:
    """Routes of one table's reports. `looking`: limits reports under way in all."""

    def __init__(self, journal: Path, shifts: ShiftsSection, language: str, looking: asyncio.Semaphore) -> None:
        self._journal, self._shifts, self._language, self._looking = journal, shifts, language, looking
        self.routes = [Route("/report", self.page)]

    async def page(self, request: Request) -> Response:
        """GET /report: the report as a page; other callers than shift managers are redirected to sign in."""
        if caller_of(request).role != "manager":
            return RedirectResponse("/manager", 303)
        language = language_of(request, self._language)
        query = {name: request.query_params.get(name) for name in ("shift", "day")}
        async with self._looking:
            shift_report = await asyncio.to_thread(self._compute, query["shift"], query["day"])
        parameters = {"lang": language} if "lang" in request.query_params else {}
        links = _links(shift_report.period, parameters)
        content = page(shift_report, language, links, at_table=query["shift"] is None and query["day"] is None)
        return HTMLResponse(content, headers={"content-security-policy": POLICY.format(style_mark())})

    def _compute(self, shift: str | None, day: str | None) -> ShiftReport:
        """Compute the report of this shift or day. Raises HTTPException, JournalError."""
        try:
            period = period_of(self._journal, self._shifts.minutes, self._shifts.time_zone, shift, day)
        except ValueError:
            raise RequestRefused(400, coded("time_or_date", said=quote(day or shift or ""))) from None
        try:
            return report(self._journal, period)
        except NothingRecorded as nothing:
            raise RequestRefused(404, nothing.message) from None


def _links(period: Period, parameters: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(name, f"/report?{urlencode({**query, **parameters})}") for name, query in link_queries(period)]


def link_queries(period: Period) -> list[tuple[str, Mapping[str, str]]]:
    """Queries of the links on a report: the period before, the current one, the day, the one after."""
    sort = period.kind
    length = len("2026-01-31" if sort == "day" else "2026-01-31T14:00:00")
    before, after = (period.local(at).isoformat()[:length] for at in (period.since - SECOND, period.until))
    return [
        ("before", {sort: before}),
        ("now", {}),
        ("day", {"day": str(period.local(period.since).date())}),
        ("after", {sort: after}),
    ]
