"""Floor with tables made up by a test: the real page with its stream and acts, over a real connection.

For tests of the page with two hundred tables, a flood of changes or a cut line. Other tests prove what the floor
computes. A table's console is the real page too, answered for a bench table.
"""

import asyncio
import json
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import msgspec
from httpx import ASGITransport, AsyncClient
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from controller.core.clock import SECOND, Time, to_text
from controller.floor.live.page_messages import (
    BAYS,
    Alarm,
    AssignablePerson,
    Bay,
    PageChange,
    PageHead,
    PagePicture,
    ShownCall,
    ShownClaim,
    Strip,
)
from controller.floor.site.page_texts import WORDS
from controller.text.faults import Words
from controller.web.api.labels import Labels
from controller.web.net.files import Pages, page_content
from controller.web.net.server import WebServer
from controller.web.screens.screens import COMPOSERS
from tests.browser.consoles import answering
from tests.browser.states import PageState, page_state
from tests.web.bench_screens import bench_look

NOW = 1_793_000_000 * SECOND  # time of all tables' clocks at the start
ALL = ("acknowledge", "shelve", "unshelve", "assign", "hand_over")
PEOPLE = (
    AssignablePerson("1001", "Anna Pop", "manager", (), None),
    AssignablePerson("1002", "Bogdan Ilie", "supervisor", (), 6),
    AssignablePerson("1003", "Carmen Radu", "supervisor", (), 6),
)
GAMES = ("Baccarat", "Blackjack", "Casino Hold'em", "32 Card", "Rhum 32")


def ago(seconds: float) -> str:
    """Return the time this many seconds before the start, as text."""
    return to_text(NOW - round(seconds * SECOND))


def strip(table: str, bay: Bay = "playing", **more: Any) -> Strip:
    """Return the strip of a table with usual values; `more` replaces some of them."""
    number = int("".join(filter(str.isdigit, table)) or 0)
    usual = {
        "order": (number,), "game": GAMES[number % 5], "round": f"Round {number * 7 + 12}", "dealer": "Dana Ionescu",
        "life": "betting", "says": "Bets are open", "next": "NO MORE BETS when the time is up",
        "until": ago(-3600 - number), "left": None, "shoe": 212 - number % 90, "misreads": number % 7 // 5, "owner": "",
        "mine": True, "heard": None, "call": None, "alarms": (),
    }  # fmt: skip
    if bay == "resting":
        usual |= {"life": "closed", "says": "Closed", "next": "", "until": None, "dealer": "", "shoe": None}
    return Strip(table=table, bay=bay, **{**usual, **more})


def calling_strip(
    table: str, waited: float = 34, level: int = 1, claim: ShownClaim | None = None, **more: Any
) -> Strip:
    """Return the strip of a table that calls: its round is paused by a card too many. `waited`: seconds."""
    text = "Shoe gave the five of spades when no card was due. Nothing is to be touched."
    call = ShownCall(7, "extra_card", "One card too many", text, ago(waited), level, "1,250.00 EUR", None, claim)
    order = (1, -level, -round(waited * 1000), 0)
    usual = {"order": order, "life": "paused", "says": "Paused", "next": "Wait", "until": None, "call": call}
    return strip(table, "calls", **{**usual, **more})


def alarm(table: str, kind: str = "lost", head: str = "Shoe not connected", **more: Any) -> Alarm:
    """Return a warning of a table with usual values; `more` replaces some of them."""
    act = "Connect the shoe; without it no round can be opened."
    usual = {"since": ago(125), "standing": True, "acknowledged": None, "shelved": None, "because": ""}
    return Alarm(f"{table}:{kind}:shoe", kind, head, act, **{**usual, **more})


def warned_strip(table: str, *alarms: Alarm, **more: Any) -> Strip:
    """Return the strip of a table with warnings, by default one about its shoe."""
    return strip(table, "watch", alarms=alarms or (alarm(table),), **more)


class FakeFloor:
    """Floor with made-up strips; as a context manager it serves its page until the end."""

    def __init__(self, folder: Path, *strips: Strip, may: tuple[str, ...] = ALL) -> None:
        self.strips = {one.table: one for one in strips}
        self.acts: list[dict[str, Any]] = []
        self.commands: list[dict[str, Any]] = []
        self.refuses: Callable[[dict[str, Any]], str] = lambda _: ""
        self.also: dict[str, Any] = {}  # further fields of the answers to acts
        self.tables: dict[str, PageState] = {}
        self.silent: frozenset[str] = frozenset()  # tables whose consoles receive no screen
        self.lapsed = False  # whether the page is told that its sign-in has lapsed
        self.is_still = False  # whether the floor's clock stands still
        self.head = PageHead("main", None, 0, {}, (), PEOPLE, may)
        self._folder, self._apps = folder, dict[str, Starlette]()
        self._name: str | None = None
        self._readers: dict[str, list[asyncio.Queue[tuple[str, dict[str, Any]]]]] = {}  # by table; "": the floor's page
        self._pages = Pages()
        self._loop = asyncio.new_event_loop()
        self._began = time.monotonic()

    # ── set by the test ──────────────────────────────────────────────────────────────────────────────────────────

    def tell(self, *strips: Strip, gone: tuple[str, ...] = (), **head: Any) -> None:
        """Change these strips, remove the tables in `gone`, and send the changes to the floor's pages."""
        self.strips |= {one.table: one for one in strips}
        for table in gone:
            del self.strips[table]
        self.head = replace(self.head, **head)
        self._send("change", {"change": PageChange(self._head(), strips, gone)})

    def shows(self, table: str, stands: PageState) -> None:
        """Give a table this state from now on, and send its screen to its consoles."""
        self.tables[table] = stands
        self._send("screen", {"screen": self._seen(table, "en")}, table)

    def signed_out(self) -> None:
        """End the sign-in of the person at the page."""
        self._name = None

    # ── answers to the page ───────────────────────────────────────────────────────────────────────────────────────

    def _head(self) -> PageHead:
        lie = [one.bay for one in self.strips.values()]
        return replace(self.head, counts={bay: lie.count(bay) for bay in BAYS})

    def _words(self, language: str) -> dict[str, str]:
        return {name: Words(language).say(text) for name, text in WORDS.items()}

    def _send(self, kind: str, message: dict[str, Any], of: str = "") -> None:
        for reader in list(self._readers.get(of, [])):
            self._loop.call_soon_threadsafe(reader.put_nowait, (kind, message))

    def _frame(self, kind: str, message: dict[str, Any], begin: Time) -> bytes:
        passed = 0 if self.is_still else time.monotonic() - self._began
        now = to_text(begin + round(passed * SECOND))
        return b"event: %s\ndata: %s\n\n" % (kind.encode(), msgspec.json.encode({"now": now, **message}))

    async def _page(self, request: Request) -> Response:
        name = "manager" if request.path_params else "floor"
        return Response(page_content(name), media_type="text/html")

    async def _said(self, request: Request) -> Response:
        language = request.query_params.get("lang", "en")
        return JSONResponse({"lang": language, "words": self._words(language)})

    async def _stream(self, request: Request) -> Response:
        if self._name is None:
            return JSONResponse({"detail": "expected somebody who is signed in"}, 401)
        language = request.query_params.get("lang", "en")
        picture = PagePicture(self._head(), tuple(self.strips.values()), self._words(language))
        message = {"version": self._pages.version, "lang": language, "floor": picture}
        return StreamingResponse(self._frames("floor", message, NOW), media_type="text/event-stream")

    async def _frames(self, kind: str, message: dict[str, Any], begin: Time, of: str = "") -> AsyncIterator[bytes]:
        """Yield this message, then those sent to all readers, and beats of a clock that began at `begin`."""
        reader: asyncio.Queue[tuple[str, dict[str, Any]]] = asyncio.Queue()
        self._readers.setdefault(of, []).append(reader)
        try:
            yield self._frame(kind, message, begin)
            while True:
                try:
                    kind, message = await asyncio.wait_for(reader.get(), 1)
                except TimeoutError:
                    kind, message = "beat", {}
                yield self._frame(kind, message, begin)
        finally:
            self._readers[of].remove(reader)

    async def _nothing(self) -> AsyncIterator[bytes]:
        """Yield a stream without messages, as of a table that is not reached."""
        yield b": \n\n"
        await asyncio.Event().wait()

    async def _session(self, request: Request) -> Response:
        if request.method == "POST":
            body = await request.json() or {"pin": "2580", "name": self._name}  # a touch that keeps the sign-in alive
            if body["pin"] != "2580":
                return JSONResponse({"detail": "Wrong name or PIN."}, 401)
            self._name = body.get("name", "Anna Pop")
        if request.method == "DELETE":
            self._name = None
        role = "player" if self._name is None else "manager"
        who = {"table": "main", "role": role, "name": self._name or "anybody", "csrf": self._name}
        return JSONResponse({**who, "lapsed": self.lapsed})

    async def _act(self, request: Request) -> Response:
        act = await request.json()
        why = self.refuses(act)
        if not why:
            self.acts.append(act)
        return JSONResponse({"done": not why, "reason": "refused" if why else "done", "says": why, **self.also})

    async def _screen(self, request: Request) -> Response:
        """Answer a table's console with the stream of its screen, as on the bench."""
        table, language = request.path_params["table"], request.query_params.get("lang", "en")
        if table in self.silent:
            return StreamingResponse(self._nothing(), media_type="text/event-stream")
        stands = self._stands(table)
        message = {"version": self._pages.version, "lang": language, "screen": self._seen(table, language)}
        begin = stands.table.now + round(stands.after * SECOND)
        return StreamingResponse(self._frames("screen", message, begin, table), media_type="text/event-stream")

    def _stands(self, table: str) -> PageState:
        return self.tables.get(table) or page_state("baccarat", "extra_card")

    def _seen(self, table: str, language: str) -> dict[str, Any]:
        stands = self._stands(table)
        screen = msgspec.to_builtins(COMPOSERS["manager"](bench_look(stands.table, stands.halted), Words(language)))
        return {**screen, "table": table}

    async def _console(self, request: Request) -> Response:
        """Answer a request of a table's console; commands are kept and reported as done."""
        table, path = request.path_params["table"], request.path_params["path"]
        body = await request.body()
        if path == "commands":
            self.commands.append({"table": table, **json.loads(body)})
            verdict = {"id": json.loads(body)["id"], "verdict": "done", "reason": "", "says": ""}
            return JSONResponse({"verdicts": [verdict]})
        stands = self._stands(table)
        if table not in self._apps:
            self._apps[table] = answering(stands.table, stands.halted, self._folder / table)
        app = self._apps[table]
        async with AsyncClient(transport=ASGITransport(app), base_url="http://table") as client:
            response = await client.request(request.method, f"/api/{path}", params=request.query_params, content=body)
        return Response(response.content, response.status_code, media_type=response.headers["content-type"])

    # ── running ──────────────────────────────────────────────────────────────────────────────────────────────────

    def __enter__(self) -> "FakeFloor":
        routes = [
            Route("/floor", self._page),
            Route("/api/floor/words", self._said),
            Route("/api/floor/stream", self._stream),
            Route("/api/floor/acts", self._act, methods=["POST"]),
            *(
                Route(f"{base}/session{more}", self._session, methods=["GET", "POST", "DELETE"])
                for base in ("", "/tables/{table}")
                for more in ("", "/alive")
            ),
            Route("/tables/{table}/manager", self._page),
            Route("/tables/{table}/api/words", Labels("en").words),
            Route("/tables/{table}/api/screen", self._screen),
            Route("/tables/{table}/api/{path:path}", self._console, methods=["GET", "POST"]),
            *self._pages.routes,
        ]  # fmt: skip
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._server = WebServer(Starlette(routes=routes), self._socket)
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        return self

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.call_soon(self._server.start)
        self._loop.run_forever()
        self._loop.close()

    async def _end(self) -> None:
        """Stop at once, by cutting the connections: streams never end by themselves."""
        for connection in list(self._server.connections):
            connection.transport.abort()
        await self._server.stop()

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._socket.close()
