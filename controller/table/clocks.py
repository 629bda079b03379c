"""The time of a live table. The one rule: it never goes back and never jumps, whatever is done to the PC's clock."""

import time

from ..core.clock import Time


class SteadyClock:
    """UTC as it was when the program started, carried on by the monotonic clock."""

    def __init__(self) -> None:
        self._offset = time.time_ns() - time.monotonic_ns()

    def now(self) -> Time:
        """Microseconds since 1970, UTC."""
        return (time.monotonic_ns() + self._offset) // 1000
