"""The time of a live table. It never goes back and never jumps by itself, whatever is done to the PC's
clock; whose it is follows that clock when it is fit to.
"""

import time

from ..core.clock import Time


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
        return (time.time_ns() - time.monotonic_ns() - self._offset) // 1000

    def follow(self) -> None:
        """Go by the PC's clock as it is now."""
        self._offset = time.time_ns() - time.monotonic_ns()
