"""Pages of dealers, shift managers and viewers in a browser, which show a bench table.

The pages are those that a table serves, and the table's own routes answer the shift manager's page. Only the event
stream is replaced by the test: so every game can be shown in every state at any time, without dealing a round.
"""

import asyncio
import json
import mimetypes
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC
from functools import cache, partial
from pathlib import Path
from typing import Any

import msgspec
from httpx import ASGITransport, AsyncClient, Response
from playwright.sync_api import Page, Route
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.config.shifts import ShiftsSection
from controller.core.clock import SECOND, to_text
from controller.core.coded_message import CodedMessage
from controller.core.house import House
from controller.core.state import State
from controller.core.views import Audience
from controller.station.device_figures import ConfiguredDevice, HealthBook, TableDevices
from controller.station.frames import Frames
from controller.text.faults import Words
from controller.web.api.callers import identify_callers
from controller.web.api.commands import Caller
from controller.web.api.devices import DeviceRoutes, KnownDevices
from controller.web.api.earlier_round_reader import EarlierRoundReader
from controller.web.api.labels import Labels
from controller.web.api.past_tables import PastTables
from controller.web.api.previews import Previews
from controller.web.api.round_history import TableRounds
from controller.web.api.round_pages import RoundPages
from controller.web.api.shift_reports import ShiftReports
from controller.web.net.files import FOLDER, PAGES, page_content
from controller.web.net.theme import theme_files
from controller.web.screens.screens import COMPOSERS
from controller.web.screens.table_snapshot import Equipment
from drivers import events as d
from tests.browser.conditions import wait_until
from tests.browser.overlay_page import ASKABLE, ORIGIN, STREAM
from tests.browser.states import PageState
from tests.core.bench import Bench
from tests.reports.week import journal
from tests.web.bench_screens import bench_look

GEAR = (ConfiguredDevice("shoe", "bee_tek", "/dev/shoe"), ConfiguredDevice("panel", "xk24", "XK-1"))
FRAME = bytes.fromhex("02 31 2c 39 43 0d 03".replace(" ", ""))
ANNA = Caller("manager", "anna", "web:anna")
ROLES: Mapping[str, Audience] = {"dealer": "dealer", "manager": "manager", "gate": "player", "overlay": "player"}
ASKING = """
const ask = window.fetch;
const turn = () => new Promise((go) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = go;
  port2.postMessage(0);
});
window.asking = 0;
window.fetch = async (...what) => {
  window.asking += 1;
  const answer = await ask(...what);
  const read = new Response(await answer.arrayBuffer(), answer);
  turn().then(turn).then(() => { window.asking -= 1; }); // after those who waited for it
  return read;
};
"""
TIMERS = "window.timers = { setTimeout, clearTimeout, requestAnimationFrame };"  # the browser's own, for tests
SESSIONS = {
    "dealer": {"role": "dealer", "name": "dealer", "csrf": "word"},
    "manager": {"role": "manager", "name": "anna", "csrf": "word"},
}
NOBODY = {"role": "player", "name": "anybody", "csrf": None}


class RoutedTable:
    """Bench table with the attributes that the routes of a running table use."""

    def __init__(self, bench: Bench, halted: CodedMessage | str | None) -> None:
        self.house: House = bench.house
        self.state: State = bench.state
        self.halted = halted
        self.now: Callable[[], int] = lambda: bench.now


def answering(bench: Bench, halted: CodedMessage | str | None, records: Path) -> ASGIApp:
    """Return an application that answers the shift manager's page for this bench table.

    It writes the table's records to a journal at the first request, since most pages send none.
    """
    frames = Frames(hides=False)
    for seconds in range(6):
        frames.hear(d.Garbage(FRAME, "no checksum"), bench.now - seconds * SECOND, bench.state, bench.state)
    table: Any = RoutedTable(bench, halted)
    write = cache(partial(journal, records, tuple(bench.records)))

    async def sign_on(_: Request) -> Caller:
        return ANNA

    few = asyncio.Semaphore(2)
    endpoints = (
        Labels("en"),
        Previews(table, few, EarlierRoundReader(table, records, few).read),
        TableRounds(table, records, UTC, few),
        PastTables(table, few, EarlierRoundReader(table, records, few).read),
        RoundPages(table, records, Equipment(), few),
        DeviceRoutes(KnownDevices(table, TableDevices(GEAR, frames), HealthBook(records, bench.state.table))),
        ShiftReports(records, ShiftsSection(), "en", few),
    )
    app = identify_callers(Starlette(routes=[route for one in endpoints for route in one.routes]), sign_on)

    async def answer_from_journal(scope: Scope, receive: Receive, send: Send) -> None:
        write()
        await app(scope, receive, send)

    return answer_from_journal


def answer(app: ASGIApp, method: str, target: str, body: bytes | None) -> Response:
    """Return the application's response. Runs in a thread: the browser's driver uses this thread's loop."""

    async def asked() -> Response:
        async with AsyncClient(transport=ASGITransport(app), base_url=ORIGIN) as client:
            return await client.request(method, target, content=body)

    with ThreadPoolExecutor(1) as aside:
        return aside.submit(asyncio.run, asked()).result()


class ConsolePage:
    """Page `dealer`, `overlay`, `manager`, or the `gate` (its sign-in). `folder`: for journals."""

    def __init__(self, page: Page, name: str, language: str, folder: Path) -> None:
        self.page, self.name, self.language = page, name, language
        self._folder, self._table, self._asked = folder, 0, answering(Bench(), None, folder / "0")
        page.add_init_script(TIMERS)
        page.clock.install(time=0)
        page.add_init_script(STREAM + ASKABLE + ASKING)
        page.route(f"{ORIGIN}/**", self._answer)
        page.goto(f"{ORIGIN}/{'manager' if name == 'gate' else name}?lang={language}")
        wait_until(page, "window.stream !== undefined")
        page.clock.pause_at(3600)  # a slow test must not look like a silent line

    def _answer(self, route: Route) -> None:
        request = route.request
        target = request.url.removeprefix(ORIGIN)
        path = target.partition("?")[0]
        if path.startswith("/session"):
            route.fulfill(json={"table": "table", **SESSIONS.get(self.name, NOBODY)})
        elif path.startswith(("/api/", "/round/")) or path in ("/report", "/glossary"):
            reply = answer(self._asked, request.method, target, request.post_data_buffer)
            route.fulfill(status=reply.status_code, body=reply.content, content_type=reply.headers["content-type"])
        else:
            route.fulfill(
                body=_file(path.rpartition("/")[2]), content_type=mimetypes.guess_type(path)[0] or "text/html"
            )

    def stands(self, state: PageState) -> None:
        """Show this table on the page, and answer the page's requests from it."""
        self.asks(state)
        self.show(state)

    def asks(self, state: PageState) -> None:
        """Answer the page's requests from this table from now on."""
        self._table += 1
        self._asked = answering(state.table, state.halted, self._folder / f"{self._table}")

    def settle(self) -> None:
        """Wait until the page has no open request."""
        wait_until(self.page, "window.asking === 0")

    def show(self, state: PageState) -> None:
        """Show this table on the page, as the page's audience sees it."""
        self.page.evaluate("picture => window.shows(picture)", self.picture(state))

    def picture(self, state: PageState) -> tuple[str, bool]:
        """Return the table's screen as JSON, and True if the page must show it as stale."""
        screen = COMPOSERS[ROLES[self.name]](bench_look(state.table, state.halted), Words(self.language))
        now = to_text(state.table.now + round(state.after * SECOND))
        message = {"version": "", "lang": self.language, "screen": msgspec.to_builtins(screen), "now": now}
        return json.dumps(message), state.stale


def _file(name: str) -> bytes:
    if name in PAGES:
        return page_content(name)
    themed = dict(theme_files(None))
    return themed[name] if name in themed else (FOLDER / name).read_bytes()
