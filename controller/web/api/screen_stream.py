"""Event stream of a table's screens to a page.

    GET /api/screen?role=dealer|player|manager&lang=en|ro

    event: screen      complete screen: {"now": the table's time, "lang", "zone": of the studio's clocks,
                       "version": of the pages, "screen": {...}};
                       for the manager also "who_rules": a sentence if the viewer has no right to rule, else null;
                       "looks_on": true if the viewer may only read; "own_round": true if the viewer deals or dealt the
                       round, and may not rule on it
    event: beat        no change: {"now": ...}

A reader always gets the newest screen. A slow reader misses some screens; none are queued for it.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...core.coded_message import coded
from ...core.persons import is_among
from ...core.views import Audience
from ...text.faults import Words
from ..net.replies import RequestRefused
from ..net.stream import EventStream
from ..screens.manager_texts import FLOOR_RULES, MANAGER_RULES
from ..screens.screens import COMPOSERS, Screens, SentScreen
from .api import RETRY
from .callers import caller_of
from .commands import Caller
from .request_parameters import language_of
from .staff import looks_on, may_rule

HEARTBEAT = 1.0  # seconds without a new screen until a `beat`; after three of them a page reports a dead line
PAUSE = 0.04  # seconds between two screens of a stream: a thousand bets do not make a thousand screens


class ScreenRoutes:
    """Route of the screens."""

    def __init__(self, screens: Screens) -> None:
        self._screens = screens
        self.routes = [Route("/api/screen", self.screen)]

    async def screen(self, request: Request) -> Response:
        """GET /api/screen: stream the screens for one audience."""
        caller = caller_of(request)
        role = caller.role
        if role not in COMPOSERS:
            raise RequestRefused(404, coded("no_screen", names=", ".join(COMPOSERS), said=role))
        language = language_of(request, self._screens.equipment.language)

        def about() -> Mapping[str, Any]:
            return _viewer_fields(caller, Words(language), self._screens.dealers) if role == "manager" else {}

        return EventStream(self._frames(role, language, caller.still, about))

    async def _frames(
        self, role: Audience, language: str, still: Callable[[], bool], about: Callable[[], Mapping[str, Any]]
    ) -> AsyncIterator[bytes]:
        yield RETRY
        screens, sent, silent, rested = self._screens, None, 0.0, 0.0
        while not screens.closed and still():
            news, screen = screens.news, screens.newest(role, language)
            if screen is not sent or _clock() >= silent:
                yield _beat(screens.now) if screen is sent else _frame(screens, screen, about())
                silent = _clock() + HEARTBEAT
            sent = screen
            await _wait_for_event(news, silent)
            if news.is_set():
                await asyncio.sleep(rested - _clock())  # no wait after a quiet time: a card is shown at once
                rested = _clock() + PAUSE


def _clock() -> float:
    return asyncio.get_running_loop().time()


async def _wait_for_event(news: asyncio.Event, until: float) -> None:
    """Wait until the event is set or the loop's clock reaches `until`."""
    with suppress(TimeoutError):
        async with asyncio.timeout_at(until):
            await news.wait()


def _viewer_fields(caller: Caller, words: Words, dealers: tuple[str, ...]) -> Mapping[str, Any]:
    """Rights of the viewer: who rules if they may not, whether they only read, whether it is their own round."""
    person = None if caller.people is None or caller.person is None else caller.people.by_number(caller.person)
    is_own = is_among(dealers, caller.name, caller.person)
    if person is None or may_rule(person):
        return {"who_rules": None, "looks_on": False, "own_round": is_own}
    who = FLOOR_RULES if "supervisor" in person.roles else MANAGER_RULES
    return {"who_rules": words.say(who), "looks_on": looks_on(person), "own_round": is_own}


def _frame(screens: Screens, screen: SentScreen, more: Mapping[str, Any]) -> bytes:
    about: Mapping[str, Any] = {
        **more,
        "now": screens.now,
        "version": screens.version,
        "lang": screen.language,
        "zone": screens.equipment.shifts.zone,
        "screen": msgspec.Raw(screen.content),
    }
    return b"event: screen\nid: %d\ndata: %s\n\n" % (screen.seq, msgspec.json.encode(about))


def _beat(now: str) -> bytes:
    return b"event: beat\ndata: %s\n\n" % msgspec.json.encode({"now": now})
