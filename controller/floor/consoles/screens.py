"""Screens of the tables at the floor: requested after each change, once for all viewers.

Invariant: a screen looks alive only while its table is heard. Viewers get one beat for each heartbeat by which the
floor hears the table, and none without one. A page without a beat for three seconds shows a warning.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct
from nats.aio.msg import Msg

from ...bus.bus_client import BusClient
from ...bus.names import TableNames
from ...core.clock import SECOND, Time, from_text, to_text
from ...web.api.api import RETRY
from ..live.heartbeats import Beat
from ..storage.table_events import Unanswered
from .table_requests import TableClient

PAUSE = 0.04  # seconds between two requests to a table
AGAIN = 1.0  # seconds until the next request after a failed one
SCREEN = "/api/screen?role=manager&lang={}"
ViewerFields: TypeAlias = Callable[[tuple[str, ...]], Mapping[str, object]]  # by the dealers of a screen


class TableScreen(Struct, frozen=True):
    """Answer of a table: its time, language and screen."""

    now: str
    lang: str
    screen: msgspec.Raw


class Dealers(Struct, frozen=True):
    """Names and ids in a screen of those who deal or dealt the round; none in screens of older tables."""

    dealers: tuple[str, ...] = ()


class Console:
    """Screen of one table in one language, kept up to date while it has viewers."""

    def __init__(self, table_client: TableClient, names: TableNames, language: str, about: Mapping[str, str]) -> None:
        self.viewer_count, self.news, self.beats = 0, asyncio.Event(), 0
        self.shown: Mapping[str, Any] | None = None  # data of the last "screen" event
        self.dealers: tuple[str, ...] = ()
        self._table_client, self._names, self._language, self._about = table_client, names, language, about
        self._wanted, self._last = asyncio.Event(), Beat("", 0)
        self._now, self._at = 0, 0.0

    async def follow(self, line: BusClient) -> None:
        """Follow the table's status until cancelled; request the screen after changes."""
        await line.there.wait()
        hearing = await line.client.subscribe(self._names.status, cb=self._on_status)
        try:
            while True:
                self._wanted.clear()
                await asyncio.sleep(PAUSE if await self._request_screen() else AGAIN)
                await self._wanted.wait()
        finally:
            with suppress(Exception):  # fails if the connection has ended, and with it the subscription
                await hearing.unsubscribe()

    async def _request_screen(self) -> bool:
        """Request the screen from the table. Returns False if there was no valid answer."""
        try:
            answer = await self._table_client.get(self._names.table, SCREEN.format(self._language))
            (shown, *_) = msgspec.json.decode(answer.body, type=list[TableScreen])
            self.dealers = msgspec.json.decode(shown.screen, type=Dealers).dealers
            self._now, self._at = from_text(shown.now), time.monotonic()
        except (Unanswered, msgspec.MsgspecError, ValueError):
            self._wanted.set()
            return False
        self.shown = {**self._about, "lang": shown.lang, "screen": shown.screen}
        self._tell()
        return True

    async def _on_status(self, _: Msg) -> None:
        self._wanted.set()

    def beat(self, heartbeat: Beat) -> None:
        """Pass on a heartbeat of the table; request the screen if the beat shows a missed change."""
        if heartbeat != self._last:
            self._last = heartbeat
            self._wanted.set()
        self.beats += 1
        self._tell()

    def _tell(self) -> None:
        self.news.set()
        self.news = asyncio.Event()

    @property
    def now(self) -> Time:
        """Present time of the table, extrapolated from its last answer."""
        return self._now + round((time.monotonic() - self._at) * SECOND)


def _frame(event: bytes, console: Console, about: Mapping[str, Any] | None = None) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (event, msgspec.json.encode({"now": to_text(console.now), **(about or {})}))


class Consoles:
    """Screens that somebody looks at. `about`: fields of all screens, the pages' version and the studio's time zone."""

    def __init__(self, line: BusClient, table_client: TableClient, studio: str, about: Mapping[str, str]) -> None:
        self.closed = False
        self._line, self._table_client, self._studio, self._about = line, table_client, studio, about
        self._open: dict[tuple[str, str], tuple[Console, asyncio.Task[None]]] = {}

    @property
    def open_count(self) -> int:
        """Number of screens that are followed now."""
        return len(self._open)

    def beat(self, table: str, heartbeat: Beat) -> None:
        """Handle a heartbeat by which the floor hears a table."""
        for (name, _), (console, _) in self._open.items():
            if name == table:
                console.beat(heartbeat)

    @contextmanager
    def _follow(self, table: str, language: str) -> Iterator[Console]:
        """Follow a screen inside the block, shared with all who look at it."""
        key = table, language
        if key not in self._open:
            console = Console(self._table_client, TableNames(self._studio, table), language, self._about)
            self._open[key] = console, asyncio.create_task(console.follow(self._line), name=f"console {table}")
        console, following = self._open[key]
        console.viewer_count += 1
        try:
            yield console
        finally:
            console.viewer_count -= 1
            if not console.viewer_count:
                following.cancel()
                del self._open[key]

    async def frames(
        self, table: str, language: str, still: Callable[[], bool], about: ViewerFields
    ) -> AsyncIterator[bytes]:
        """Event stream of a screen for one viewer.

        `still`: False ends the stream; `about`: further fields for this viewer.
        """
        yield RETRY
        with self._follow(table, language) as console:
            sent, beats = None, 0
            while not self.closed and still():
                news, shown = console.news, console.shown and {**console.shown, **about(console.dealers)}
                if shown != sent:
                    sent, beats = shown, console.beats
                    yield _frame(b"screen", console, shown or {})
                elif sent and console.beats != beats:
                    beats = console.beats
                    yield _frame(b"beat", console)
                await news.wait()

    def close(self) -> None:
        """Stop following; all event streams end."""
        self.closed = True
        for console, following in self._open.values():
            following.cancel()
            console.news.set()
