"""Clocks of the tests: they stand still until a test puts them forward, so that no machine is too slow for them."""

import asyncio
import time

from controller.core.clock import Time


class Clock:
    """Seconds, as `time.monotonic` has them."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


class TableClock:
    """The clock of a table, from the real time on. `ahead`: microseconds it was put forward since."""

    behind: Time = 0

    def __init__(self) -> None:
        self._start: Time = time.time_ns() // 1000
        self.ahead: Time = 0

    def now(self) -> Time:
        return self._start + self.ahead

    def follow(self) -> None:
        """Follow nothing: nobody sets this clock."""


def leap(seconds: float) -> None:
    """Put the running loop's clock forward: the timers of that time ring at its next turn."""
    loop = asyncio.get_running_loop()
    before = loop.time
    loop.time = lambda: before() + seconds
