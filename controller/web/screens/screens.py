"""The pictures of a table, kept up to date, and the stream that brings them to a page.

    GET /api/screen?role=dealer|player|manager&lang=en|ro

    event: screen      a whole picture: {"now": the table's time, "lang": ..., "version": of the pages, "screen": {...}}
    event: beat        nothing new: {"now": ...}

The one rule: a reader is sent the newest picture, never an older one: who is slow misses some, and nothing is kept for
them. A picture is composed once for each audience and language, however many look at it.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...core.clock import to_text
from ...core.records import Record
from ...table.loop import Table
from ...text.faults import Words
from ..api.api import still_of
from ..api.commands import Role
from ..api.request_parameters import SignOn, language_of
from ..net.stream import EventStream
from .dealer import dealer
from .history import History
from .look import Fitted, Look
from .manager import manager
from .player import player

Composer: TypeAlias = Callable[[Look, Words], msgspec.Struct]
COMPOSERS: Mapping[Role, Composer] = {"dealer": dealer, "player": player, "manager": manager}

HEARTBEAT = 1.0  # seconds after which a stream without news says that it is alive: a page takes three for a dead line
PAUSE = 0.04  # seconds between two pictures of one stream: a thousand bets are not a thousand pictures


class Picture(NamedTuple):
    """A composed screen, as it is sent."""

    seq: int  # of the last record in it
    language: str
    content: bytes


class Screens:
    """The pictures of one table. To be told of every change."""

    def __init__(self, table: Table, journal: Path, fitted: Fitted, version: str = "") -> None:
        self.fitted, self.version, self.closed = fitted, version, False
        self.news = asyncio.Event()  # set at the next change; after that there is another
        self._table = table
        self._history = History(table.house.game.name, every_round=table.house.deck.every_round)
        self._history.read(journal)
        self._kept: dict[tuple[Role, str], Picture] = {}
        self._fresh: set[tuple[Role, str]] = set()  # composed since the last change

    def hear(self, records: Sequence[Record]) -> None:
        """These are durable; none, when the table was halted or healed."""
        self._history.hear(records)
        self._wake()

    def close(self) -> None:
        """The end: whoever looks on is shown no more."""
        self.closed = True
        self._wake()

    def _wake(self) -> None:
        self._fresh.clear()
        self.news.set()
        self.news = asyncio.Event()

    @property
    def now(self) -> str:
        """The table's time."""
        return to_text(self._table.now())

    @property
    def look(self) -> Look:
        """What there is to be seen."""
        table, history = self._table, self._history
        return Look(table.state, table.due, table.house, table.halted, history.results, history.notice, self.fitted)

    def picture(self, role: Role, language: str) -> Picture:
        """The newest. The same as before, where this audience has nothing new to see."""
        key = role, language
        if key not in self._fresh:
            content = msgspec.json.encode(COMPOSERS[role](self.look, Words(language)))
            before = self._kept.get(key)
            if before is None or before.content != content:
                self._kept[key] = Picture(self._table.state.seq, language, content)
            self._fresh.add(key)
        return self._kept[key]


class ScreenRoutes:
    """The stream of pictures, at one of the table's doors. `sign_on` says who is asking there."""

    def __init__(self, screens: Screens, sign_on: SignOn) -> None:
        self._screens, self._sign_on = screens, sign_on
        self.routes = [Route("/api/screen", self.screen, methods=["GET"])]

    async def screen(self, request: Request) -> Response:
        """The pictures for one audience, as they come."""
        role = (await self._sign_on(request)).role
        if role not in COMPOSERS:
            raise HTTPException(404, f"role: expected one of {', '.join(COMPOSERS)}, there is no screen for the {role}")
        language = language_of(request, self._screens.fitted.language)
        return EventStream(self._frames(role, language, still_of(request)), request.state.drop)

    async def _frames(self, role: Role, language: str, still: Callable[[], bool]) -> AsyncIterator[bytes]:
        yield b"retry: 1000\n\n"
        screens, sent, silent = self._screens, None, 0.0
        while not screens.closed and still():
            news, picture = screens.news, screens.picture(role, language)
            if picture is not sent or _clock() >= silent:
                yield _beat(screens.now) if picture is sent else _frame(screens, picture)
                silent = _clock() + HEARTBEAT
            sent = picture
            await _either(news, silent)
            await asyncio.sleep(PAUSE)


def _clock() -> float:
    return asyncio.get_running_loop().time()


async def _either(news: asyncio.Event, until: float) -> None:
    """Wait for one or the other."""
    with suppress(TimeoutError):
        async with asyncio.timeout_at(until):
            await news.wait()


def _frame(screens: Screens, picture: Picture) -> bytes:
    about: Mapping[str, Any] = {
        "now": screens.now,
        "version": screens.version,
        "lang": picture.language,
        "screen": msgspec.Raw(picture.content),
    }
    return b"event: screen\nid: %d\ndata: %s\n\n" % (picture.seq, msgspec.json.encode(about))


def _beat(now: str) -> bytes:
    return b"event: beat\ndata: %s\n\n" % msgspec.json.encode({"now": now})
