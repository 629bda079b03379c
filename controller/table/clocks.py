"""Clocks of a live table, whose time never goes back and never jumps by itself.

Whatever is done to the PC's clock, the table decides when to follow it.
"""

import time
from typing import Protocol

from ..core.clock import SECOND, Time

AT_ONCE = 10_000_000  # nanoseconds between two readings of a clock, a tenth of STEP
READINGS = 10  # attempts to read both clocks at once, at most
STEP = SECOND // 10  # the smallest difference that counts as a clock being set: NTP slews smaller ones without a step


class Clock(Protocol):
    """Interface of the clock that a table uses."""

    def now(self) -> Time:
        """Present UTC time in microseconds since 1970."""

    @property
    def behind(self) -> Time:
        """Microseconds by which the PC's clock was set forward since the last `follow`; negative: back."""

    def follow(self) -> None:
        """Adopt the present time of the PC's clock."""


class SteadyClock:
    """UTC time of the last `follow`, or of the start, continued by the monotonic clock."""

    def __init__(self) -> None:
        self.follow()

    def now(self) -> Time:
        """Present UTC time in microseconds since 1970."""
        return (time.monotonic_ns() + self._offset) // 1000

    @property
    def behind(self) -> Time:
        """Microseconds by which the PC's clock was set forward since the last `follow`; negative: back."""
        return (_difference() - self._offset) // 1000

    def follow(self) -> None:
        """Adopt the present time of the PC's clock."""
        self._offset = _difference()


def _difference() -> int:
    """Nanoseconds by which UTC is ahead of the monotonic clock.

    Both are read again if this program was suspended between them: else a busy PC looks like a PC whose clock was set.
    """
    for _ in range(READINGS):
        before, utc = time.monotonic_ns(), time.time_ns()
        if time.monotonic_ns() - before < AT_ONCE:
            break
    return utc - before
