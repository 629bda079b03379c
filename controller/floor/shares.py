"""How much of the floor's disk one table may fill in an hour.

What is more is not kept for now. It leaves a gap in the table's events, which is asked of the table later.
"""

import time
from collections.abc import Callable

HOUR = 3600.0
SHARE = 32_000_000  # bytes of one table's events in an hour: two days of play


class Shares:
    """Of all tables. `clock`: seconds that nobody sets."""

    def __init__(self, most: int = SHARE, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._clock, self._began = most, clock, clock()
        self._bytes: dict[str, int] = {}

    def has_room(self, table: str) -> bool:
        """Whether more of it may be kept in this hour."""
        if self._clock() - self._began >= HOUR:
            self._began, self._bytes = self._clock(), {}
        return self._bytes.get(table, 0) < self._most

    def count(self, table: str, size: int) -> None:
        """So many bytes more were kept."""
        self._bytes[table] = self._bytes.get(table, 0) + size

    @property
    def troubles(self) -> list[str]:
        """Which tables say more than that, a line each."""
        return [f"{table}: more than {self._most} bytes of events in an hour, the rest is kept later: see its key"
                for table in sorted(self._bytes) if not self.has_room(table)]  # fmt: skip
