"""Test clocks that advance only when a test moves them, so that a slow machine fails no test."""

import asyncio
import time

from controller.core.clock import Time


class ManualClock:
    """Clock in seconds, for code that takes a function such as `time.monotonic`."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


class PcClocks:
    """Wall clock of a PC, and its monotonic clock, which nobody can set."""

    def __init__(self, now: float, up: float = 0.0) -> None:
        self.now, self.up = now, up

    def later(self, seconds: float) -> None:
        self.now, self.up = self.now + seconds, self.up + seconds


class TableClock:
    """Clock of a table: starts at the real time and stands still. `ahead`: microseconds of all moves."""

    behind: Time = 0

    def __init__(self) -> None:
        self._start: Time = time.time_ns() // 1000
        self.ahead: Time = 0

    def now(self) -> Time:
        return self._start + self.ahead

    def follow(self) -> None:
        """Do nothing: nobody sets this clock."""


def leap(seconds: float) -> None:
    """Advance the clock of the running event loop; timers that are then due fire at its next turn."""
    loop = asyncio.get_running_loop()
    before = loop.time
    loop.time = lambda: before() + seconds
