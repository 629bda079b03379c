"""Web routes for the history of all tables: rounds, numbers, shift reports and the hand-over page.

    GET /api/floor/rounds?table=&game=&dealer=&number=&from=&to=&how=&fault=&ruling=&by=&above=&currency=&before=&lang=
    POST /api/floor/rounds?lang=                        the same, with the search in the body: also `player`, `bet`
    GET /api/floor/rounds/TABLE/EPOCH/NUMBER?lang=      timeline of a round
    GET /api/floor/export.csv?...  &format=jsonl        all rounds that match a search, as a file
    GET /api/floor/numbers?from=&to=&by=table|dealer|game|shift&lang=    with their course, by the hour or the day
    GET /api/floor/reports?shift=TIME|day=DATE&lang=    report as a page to print; an empty day: the present day
    GET /api/floor/history-words?lang=                  texts of these views
    GET /api/floor/hand-over?lang=    /hand-over?lang=  open points as JSON; as a page to print

Open to everybody who is signed in. Files are read in threads, at most AT_A_TIME at once. If one of the
floor's own files cannot be used, FloorFailed is raised, and the answer is 503.
"""

import asyncio
from collections.abc import Callable
from http import HTTPStatus
from itertools import chain
from typing import ParamSpec, TypeVar
from urllib.parse import urlencode

import msgspec
from msgspec import Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from ...core.clock import Time
from ...core.coded_message import coded
from ...core.fault_catalogue import CATALOGUE
from ...games import GAMES
from ...text import terms
from ...text.coded import message_of
from ...text.faults import Words
from ...web.api.request_parameters import language_of
from ...web.api.shift_reports import POLICY, link_queries
from ...web.net.replies import PROBLEM, RequestRefused, as_json, json_response
from ...web.screens.report_page import style_mark
from ...web.screens.round_choices import winners
from ..consoles.table_requests import TableClient
from ..history.export import TYPES, export_rounds
from ..history.history import FloorHistory
from ..history.numbers import Numbers
from ..history.search import pages
from ..people.viewers import Viewer, viewer_of
from ..storage.table_events import Unanswered
from . import history_texts as t
from .hand_over import HandOvers
from .history_parameters import parse_format, parse_numbers, parse_period, parse_search, searched_rounds
from .printed_pages import hand_over_page, report_page
from .round_pages import FloorRoundPages, round_number_of

AT_A_TIME = 2  # requests that read much data
FLOOR = "/floor"

P = ParamSpec("P")
T = TypeVar("T")


class NumbersAnswer(Struct, frozen=True):
    """Numbers with their time span, in local time of [shifts]."""

    since: str
    until: str
    numbers: Numbers


class _Round(Struct):
    opened: str


class _RoundAnswer(Struct):
    """Timeline of a round in a table's answer; only the opening time is read."""

    round: _Round


class HistoryRoutes:
    """History routes of one floor. `clock`: its time; `language`: default if a request names none."""

    def __init__(
        self,
        floor: str,
        history: FloorHistory,
        handing: HandOvers,
        table_client: TableClient,
        clock: Callable[[], Time],
        language: str,
    ) -> None:
        self._floor, self._history, self._handing, self._table_client = floor, history, handing, table_client
        self._clock, self._language = clock, language
        self._reading = asyncio.Semaphore(AT_A_TIME)
        self.routes = [
            *FloorRoundPages(history, self._reading, language).routes,
            Route("/api/floor/rounds", self.rounds),
            Route("/api/floor/rounds", self.search, methods=["POST"]),
            Route("/api/floor/rounds/{table}/{epoch}/{number}", self.story),
            Route("/api/floor/export.csv", self.export),
            Route("/api/floor/numbers", self.numbers),
            Route("/api/floor/reports", self.report),
            Route("/api/floor/history-words", self.words),
            Route("/api/floor/hand-over", self.open_points),
            Route("/hand-over", self.hand_over),
        ]

    def _viewer(self, request: Request) -> tuple[Viewer, str]:
        """Signed-in viewer and language of a request. Raises HTTPException."""
        return viewer_of(request), language_of(request, self._language)

    def _viewer_if_signed_in(self, request: Request) -> tuple[Viewer, str] | None:
        """Viewer and language of a request; None: nobody is signed in. Raises HTTPException otherwise."""
        try:
            return self._viewer(request)
        except HTTPException as refused:
            if refused.status_code == HTTPStatus.UNAUTHORIZED:
                return None
            raise

    async def _read(self, read: Callable[P, T], *what: P.args, **named: P.kwargs) -> T:
        """Call `read` in a thread, for a few requests at once. Raises what `read` raises."""
        async with self._reading:
            return await asyncio.to_thread(read, *what, **named)

    async def words(self, request: Request) -> Response:
        """GET /api/floor/history-words: texts of the views, and names of games, faults and rulings."""
        _, language = self._viewer(request)
        words = Words(language)
        return as_json(
            {
                "words": {name: words.say(text) for name, text in t.PAGE.items()},
                "games": {name: game.face.title for name, game in sorted(GAMES.items())},
                "faults": {code: words.manager_title(code) for code in sorted(CATALOGUE)},
                "winners": winners(GAMES.values(), words),
                "rulings": {name: words.say(text) for name, text in sorted(terms.LABELS.items())},
            }
        )

    async def rounds(self, request: Request) -> Response:
        """GET /api/floor/rounds: one page of the rounds that match a search, the latest first.

        Raises HTTPException (400) for a bad search.
        """
        _, language = self._viewer(request)
        parameters = parse_search(request.query_params, self._history.shifts)
        return as_json(await self._read(self._history.rounds, parameters, language))

    async def search(self, request: Request) -> Response:
        """POST /api/floor/rounds: the same with the search in the body, also by player and bet.

        Raises HTTPException (400) for a bad search.
        """
        _, language = self._viewer(request)
        parameters = await searched_rounds(request, self._history.shifts)
        return as_json(await self._read(self._history.rounds, parameters, language))

    async def story(self, request: Request) -> Response:
        """GET /api/floor/rounds/TABLE/EPOCH/NUMBER: timeline of one round.

        Read from the floor's copy; if that no longer has the round, requested from its table. Raises HTTPException
        (404) if the table does not have it either, or does not answer.
        """
        _, language = self._viewer(request)
        which = request.path_params
        table, number = which["table"], round_number_of(request)
        story = await self._read(self._history.story, table, which["epoch"], number, language)
        if story is not None:
            return as_json(story)
        opened = await self._read(self._history.opening_time, table, which["epoch"], number)
        if opened is None:
            raise RequestRefused(404, coded("round_gone", table=table, number=number))
        return await self._request_from_table(table, number, opened, language)

    async def _request_from_table(self, table: str, number: int, opened: str, language: str) -> Response:
        """Request a round from its table. Raises HTTPException (404) if the table has no such round.

        `opened`: time at which the wanted round was opened; another round may have taken its number since.
        """
        try:
            answer = await self._table_client.get(table, f"/api/rounds/{number}?role=manager&lang={language}")
            if answer.status != HTTPStatus.OK:
                return json_response(answer.body, answer.status, PROBLEM)
            story = msgspec.json.decode(answer.body, type=_RoundAnswer)
        except msgspec.MsgspecError:
            raise RequestRefused(404, coded("round_gone", table=table, number=number)) from None
        except (Unanswered, ValueError) as silence:
            raise RequestRefused(
                404, coded("round_not_here", table=table, number=number, reason=message_of(silence))
            ) from None
        if story.round.opened != opened:
            raise RequestRefused(404, coded("round_another_now", table=table, number=number))
        return json_response(answer.body, answer.status, "application/json")

    async def export(self, request: Request) -> Response:
        """GET /api/floor/export.csv: all rounds that match a search, as a file.

        Raises HTTPException (400) for a bad search or format.
        """
        self._viewer(request)
        parameters = parse_search(request.query_params, self._history.shifts)
        form = parse_format(request.query_params)
        headers = {"content-disposition": f'attachment; filename="rounds.{form}"', "cache-control": "no-store"}
        found = pages(self._history.store, parameters)
        begun = await self._read(lambda: next(found, []))  # before the answer begins: an unusable file is refused
        parts = export_rounds(chain([begun], found), form)
        return StreamingResponse(parts, headers=headers, media_type=TYPES[form])

    async def numbers(self, request: Request) -> Response:
        """GET /api/floor/numbers: numbers of a time span, by default of the present day.

        Raises HTTPException (400) for a bad time or grouping.
        """
        _, language = self._viewer(request)
        parameters = parse_numbers(request.query_params, self._history.shifts, self._clock())
        figures = await self._read(self._history.numbers, parameters.since, parameters.until, parameters.by, language)
        return as_json(NumbersAnswer(*parameters.local, figures))

    async def report(self, request: Request) -> Response:
        """GET /api/floor/reports: shift report as a page; redirects to /floor without a sign-in."""
        if (signed_in := self._viewer_if_signed_in(request)) is None:
            return RedirectResponse(FLOOR, 303)
        language = signed_in[1]
        period = parse_period(request.query_params, self._history.shifts, self._clock())
        report = await self._read(self._history.report, period)
        lang = {"lang": language} if "lang" in request.query_params else {}
        links = [(name, f"{request.url.path}?{urlencode({**query, **lang})}") for name, query in link_queries(period)]
        return _page_response(report_page(report, self._floor, language, links))

    async def open_points(self, request: Request) -> Response:
        """GET /api/floor/hand-over: open points for the person who takes over, as JSON."""
        viewer, language = self._viewer(request)
        return as_json(await self._handing.show(viewer, language))

    async def hand_over(self, request: Request) -> Response:
        """GET /hand-over: open points as a page to print and sign; redirects without a sign-in."""
        if (signed_in := self._viewer_if_signed_in(request)) is None:
            return RedirectResponse(FLOOR, 303)
        return _page_response(hand_over_page(await self._handing.show(*signed_in), signed_in[1]))


def _page_response(page: str) -> Response:
    return HTMLResponse(page, headers={"content-security-policy": POLICY.format(style_mark())})
