"""Web routes that the floor's page follows.

    GET /api/floor/stream?lang=     event: floor    {"now", "version", "lang", "zone", "floor"}: complete display, first
                                    event: change   {"now", "change"}: changes since the event before
                                    event: beat     {"now"}: no change, each second
    GET /api/floor/now?lang=        complete display, once
    GET /api/floor/words?lang=      {"lang", "words"}: texts of the page, without a sign-in

Open to everybody who is signed in. With a lapsed session the floor is still shown, but no act is possible.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...core.clock import SECOND, to_text
from ...text.faults import Words
from ...web.api.api import RETRY
from ...web.api.callers import caller_of
from ...web.api.request_parameters import language_of
from ...web.net.replies import as_json
from ...web.net.stream import EventStream
from ..live.live_tables import LiveTables
from ..live.page_messages import PageHead, PagePicture
from ..people.viewers import Viewer, viewer_of
from .page_texts import WORDS

HEARTBEAT = 1.0  # seconds
PAUSE = 0.04  # seconds between two change events


class FloorRoutes:
    """Routes of one floor's display. `version`: of the pages; `language`: the default; `zone`: of the studio."""

    def __init__(self, live_tables: LiveTables, version: str, language: str, zone: str) -> None:
        self.closed = False
        self._live_tables, self._version, self._language, self._zone = live_tables, version, language, zone
        self.routes = [
            Route("/api/floor/stream", self.stream),
            Route("/api/floor/now", self.display),
            Route("/api/floor/words", self.words),
        ]

    async def display(self, request: Request) -> Response:
        """GET /api/floor/now: complete display of the floor, once. Raises HTTPException without a sign-in."""
        viewer = viewer_of(request)
        return as_json(self._picture(viewer, language_of(request, self._language)))

    async def words(self, request: Request) -> Response:
        """GET /api/floor/words: texts of the page. Needs no sign-in because the sign-in page uses them."""
        language = language_of(request, self._language)
        return as_json({"lang": language, "words": texts_in(language)})

    async def stream(self, request: Request) -> Response:
        """GET /api/floor/stream: complete display, then changes. Raises HTTPException without a sign-in."""
        viewer = viewer_of(request)
        language = language_of(request, self._language)
        return EventStream(self._frames(viewer, language, caller_of(request).still))

    async def _frames(self, viewer: Viewer, language: str, still: Callable[[], bool]) -> AsyncIterator[bytes]:
        yield RETRY
        live_tables = self._live_tables
        version, silent = live_tables.version, _clock() + HEARTBEAT
        about = {"version": self._version, "lang": language, "zone": self._zone}
        yield _frame("floor", **about, floor=self._picture(viewer, language))
        while not self.closed and still():
            await _wait_for_version(live_tables.news, version, live_tables, silent)
            if live_tables.version > version:
                change, version = live_tables.changes(viewer, language, version), live_tables.version
                if change.head is not None or change.strips or change.gone:
                    head = None if change.head is None else _head_for(viewer, change.head)
                    yield _frame("change", change=replace(change, head=head))
                    silent = _clock() + HEARTBEAT
                await asyncio.sleep(PAUSE)
            if _clock() >= silent:
                yield _frame("beat")
                silent = _clock() + HEARTBEAT

    def _picture(self, viewer: Viewer, language: str) -> PagePicture:
        picture = self._live_tables.picture(viewer, language)
        return replace(picture, head=_head_for(viewer, picture.head), words=texts_in(language))

    def close(self) -> None:
        """End all event streams, also those that browsers still follow."""
        self.closed = True
        self._live_tables.wake()


def texts_in(language: str) -> dict[str, str]:
    """Return all texts of the page in one language, by name."""
    words = Words(language)
    return {name: words.say(text) for name, text in WORDS.items()}


def _head_for(viewer: Viewer, head: PageHead) -> PageHead:
    """Return the head with the acts that this viewer may do."""
    return replace(head, may=viewer.acts_anywhere)


def _clock() -> float:
    return asyncio.get_running_loop().time()


async def _wait_for_version(news: asyncio.Event, version: int, live_tables: LiveTables, until: float) -> None:
    """Wait until `LiveTables` has a version after `version`, or until a time of the event loop."""
    if live_tables.version > version:
        return
    with suppress(TimeoutError):
        async with asyncio.timeout_at(until):
            await news.wait()


def _frame(event: str, **data: object) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (event.encode(), msgspec.json.encode({"now": now(), **data}))


def now() -> str:
    """Return the floor's present time as ISO text."""
    return to_text(round(time.time() * SECOND))
