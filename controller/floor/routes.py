"""What the floor's page follows.

    GET /api/floor/stream?lang=     event: floor    {"now", "version", "lang", "floor"}: all of it, first
                                    event: change   {"now", "change"}: what is new since
                                    event: beat     {"now"}: nothing is, each second
    GET /api/floor/now?lang=        all of it, once
    GET /api/floor/words?lang=      {"lang", "words"}: of the page, for anybody

Whoever is signed in is told; a session that has lapsed still shows the floor, and can do nothing there.
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

from ..core.clock import SECOND, to_text
from ..text.faults import Words
from ..web.api.api import RETRY, still_of
from ..web.api.request_parameters import SignOn, language_of
from ..web.net.replies import as_json
from ..web.net.stream import EventStream
from .hall import Hall
from .messages import Head, Picture
from .page_texts import WORDS
from .viewer import Viewer, viewer_of

HEARTBEAT = 1.0  # seconds
PAUSE = 0.04  # seconds from one change that is told to the next


class FloorRoutes:
    """`version`: of the pages."""

    def __init__(self, hall: Hall, sign_on: SignOn, version: str, language: str) -> None:
        self.closed = False
        self._hall, self._sign_on, self._version, self._language = hall, sign_on, version, language
        self.routes = [
            Route("/api/floor/stream", self.stream, methods=["GET"]),
            Route("/api/floor/now", self.now, methods=["GET"]),
            Route("/api/floor/words", self.words, methods=["GET"]),
        ]

    async def now(self, request: Request) -> Response:
        """All of it."""
        viewer = await viewer_of(request, self._sign_on)
        return as_json(self._picture(viewer, language_of(request, self._language)))

    async def words(self, request: Request) -> Response:
        """What the page says by itself: anybody's, for the sign-in needs it."""
        language = language_of(request, self._language)
        return as_json({"lang": language, "words": said_in(language)})

    async def stream(self, request: Request) -> Response:
        """All of it, and what changes."""
        viewer = await viewer_of(request, self._sign_on)
        language = language_of(request, self._language)
        return EventStream(self._frames(viewer, language, still_of(request)))

    async def _frames(self, viewer: Viewer, language: str, still: Callable[[], bool]) -> AsyncIterator[bytes]:
        yield RETRY
        hall = self._hall
        seen, silent = hall.version, _clock() + HEARTBEAT
        yield _frame("floor", version=self._version, lang=language, floor=self._picture(viewer, language))
        while not self.closed and still():
            await _either(hall.news, seen, hall, silent)
            if hall.version > seen:
                change, seen = hall.changes(viewer, language, seen), hall.version
                if change.head is not None or change.strips or change.gone:
                    head = None if change.head is None else _to(viewer, change.head)
                    yield _frame("change", change=replace(change, head=head))
                    silent = _clock() + HEARTBEAT
                await asyncio.sleep(PAUSE)
            if _clock() >= silent:
                yield _frame("beat")
                silent = _clock() + HEARTBEAT

    def _picture(self, viewer: Viewer, language: str) -> Picture:
        picture = self._hall.picture(viewer, language)
        return replace(picture, head=_to(viewer, picture.head), words=said_in(language))

    def close(self) -> None:
        """The end: whoever looks on is shown no more."""
        self.closed = True
        self._hall.wake()


def said_in(language: str) -> dict[str, str]:
    """All words of the page."""
    words = Words(language)
    return {name: words.say(text) for name, text in WORDS.items()}


def _to(viewer: Viewer, head: Head) -> Head:
    """With what they may do."""
    return replace(head, may=viewer.anywhere)


def _clock() -> float:
    return asyncio.get_running_loop().time()


async def _either(news: asyncio.Event, seen: int, hall: Hall, until: float) -> None:
    """Wait for something new, or for that time."""
    if hall.version > seen:
        return
    with suppress(TimeoutError):
        async with asyncio.timeout_at(until):
            await news.wait()


def _frame(event: str, **data: object) -> bytes:
    return b"event: %s\ndata: %s\n\n" % (event.encode(), msgspec.json.encode({"now": now(), **data}))


def now() -> str:
    """The floor's time."""
    return to_text(round(time.time() * SECOND))
