"""The time of a live table. It never goes back and never jumps by itself, whatever is done to the PC's
clock; the table decides when to follow that clock.
"""

import time
from typing import Protocol

from ..core.clock import SECOND, Time

AT_ONCE = 10_000_000  # nanoseconds between two readings of a clock, a tenth of STEP
READINGS = 10  # at most
STEP = SECOND // 10  # the smallest difference that counts as a clock being set: NTP slews smaller ones without a step


class Clock(Protocol):
    """What a table needs of its clock."""

    def now(self) -> Time:
        """Microseconds since 1970, UTC."""

    @property
    def behind(self) -> Time:
        """How far the PC's clock was put forward since it was followed last."""

    def follow(self) -> None:
        """Go by the PC's clock as it is now."""


class SteadyClock:
    """UTC as it was when the program started, or when it was followed last, carried on by the monotonic clock."""

    def __init__(self) -> None:
        self.follow()

    def now(self) -> Time:
        """Microseconds since 1970, UTC."""
        return (time.monotonic_ns() + self._offset) // 1000

    @property
    def behind(self) -> Time:
        """How far the PC's clock was put forward since; below zero: back."""
        return (_difference() - self._offset) // 1000

    def follow(self) -> None:
        """Go by the PC's clock as it is now."""
        self._offset = _difference()


class RecordClock:
    """A table's clock that is never behind its record, which a clock that went ahead may have written."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._ahead: Time = 0

    def now(self, last: Time) -> Time:
        """Microseconds since 1970, UTC; at least the time of the last record."""
        now = self._clock.now() + self._ahead
        self._ahead += max(0, last - now)
        return max(now, last)

    @property
    def behind(self) -> Time:
        """How far this is behind the PC's clock; below zero: ahead of it."""
        return self._clock.behind - self._ahead

    def follow(self) -> None:
        """Go by the PC's clock as it is now."""
        self._ahead = 0
        self._clock.follow()


def _difference() -> int:
    """Nanoseconds by which UTC is ahead of the monotonic clock.

    Both are read again if this program was suspended between them: else a busy PC looks like a PC whose clock was set.
    """
    for _ in range(READINGS):
        before, utc = time.monotonic_ns(), time.time_ns()
        if time.monotonic_ns() - before < AT_ONCE:
            break
    return utc - before
