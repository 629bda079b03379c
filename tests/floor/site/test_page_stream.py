"""Event stream of the floor's page: a beat after each second without another event, and none beside it."""

from collections.abc import AsyncIterator

import pytest

from controller.floor.live.live_tables import LiveTables
from controller.floor.site import page_routes
from controller.floor.site.page_routes import HEARTBEAT, FloorRoutes
from tests.floor.bare_floor import FloorViewer
from tests.floor.statuses import START, status
from tests.patience import on_loop


class PageViewer(FloorViewer):
    """Viewer who may only look."""

    acts_anywhere = ()


class StreamClock:
    """Clock of the event loop, advanced by each wait of a stream. `change_at`: time of a change at a table."""

    def __init__(self, change_at: float) -> None:
        self.now, self.change_at = 0.0, change_at
        self.live_tables = LiveTables("main", 6, lambda: START)

    async def wait(self, _news: object, _version: int, _live_tables: object, until: float) -> None:
        if self.now < self.change_at <= until:
            self.now = self.change_at
            self.live_tables.take_status("t1", status("t1"))
        else:
            self.now = max(self.now, until)


async def kinds(frames: AsyncIterator[bytes], clock: StreamClock, count: int) -> list[tuple[str, float]]:
    """Return the kinds of the next events of a stream, with their times."""
    lines = [(await anext(frames), clock.now) for _ in range(count)]
    return [(line.split(b"\n")[0].decode(), at) for line, at in lines]


def test_a_beat_follows_each_silent_second_alone(monkeypatch: pytest.MonkeyPatch):
    async def steps() -> None:
        clock = StreamClock(change_at=2.5 * HEARTBEAT)
        monkeypatch.setattr(page_routes, "_clock", lambda: clock.now)
        monkeypatch.setattr(page_routes, "_wait_for_version", clock.wait)
        routes = FloorRoutes(clock.live_tables, "v1", "en", "UTC")
        frames = routes._frames(PageViewer("7", "Anna Pop"), "en", lambda: True)
        await anext(frames)  # the time until a browser connects again
        times = [("floor", 0.0), ("beat", 1.0), ("beat", 2.0), ("change", 2.5), ("beat", 3.5), ("beat", 4.5)]
        assert await kinds(frames, clock, 6) == [(f"event: {kind}", at * HEARTBEAT) for kind, at in times]
        await frames.aclose()

    on_loop(steps)
