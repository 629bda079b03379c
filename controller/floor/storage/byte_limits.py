"""Limit of the bytes that one table may fill on the floor's disk in an hour.

Events beyond it are not stored for now. That leaves a gap, and they are requested from the table later.
"""

import time
from collections.abc import Callable

from ...core.coded_message import CodedMessage, coded

HOUR = 3600.0
MOST = 32_000_000  # bytes of one table's events in an hour: two days of play


class ByteLimits:
    """Bytes stored of each table in the present hour, and their limit. `clock`: monotonic seconds."""

    def __init__(self, most: int = MOST, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._clock, self._began = most, clock, clock()
        self._bytes: dict[str, int] = {}

    def has_room(self, table: str) -> bool:
        """True if more of this table's events may be stored in this hour."""
        if self._clock() - self._began >= HOUR:
            self._began, self._bytes = self._clock(), {}
        return self._bytes.get(table, 0) < self._most

    def count(self, table: str, size: int) -> None:
        """Add stored bytes to the table's count."""
        self._bytes[table] = self._bytes.get(table, 0) + size

    @property
    def troubles(self) -> list[CodedMessage]:
        """Tables above their limit, one message each."""
        full = [table for table in sorted(self._bytes) if not self.has_room(table)]
        return [coded("table_over_share", table=table, count=self._most) for table in full]
