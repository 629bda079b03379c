"""Lag of the bus behind a table's record: number of records, and waiting time of the oldest."""

import time
from collections import deque
from collections.abc import Callable
from itertools import islice

from ..outputs.web_metrics import Backlog

APART = 1.0  # seconds between two marks
MOST = 100_000  # marks, enough for more than a day


class Lag:
    """Times at which records became durable, about one a second, kept until the records are on the bus."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._marks = deque[tuple[int, float]]()  # first record of each mark, and its time in monotonic seconds

    def note_records(self, first: int) -> None:
        """Note that the records from `first` on became durable now."""
        now = self._clock()
        if self._marks and now - self._marks[-1][1] < APART:
            return
        if len(self._marks) >= MOST:  # nobody has asked for days: the oldest and the newest stay
            self._marks = deque(islice(self._marks, 0, None, 2))
        self._marks.append((first, now))

    def backlog(self, sent: int, head: int) -> Backlog:
        """Return the records that are not on the bus yet: their number, and the seconds the oldest waits.

        `sent`: record up to which all are on the bus; `head`: last record.
        """
        if sent >= head:
            self._marks.clear()
            return Backlog(0, 0.0)
        if not self._marks:  # all missing records are older than this program's start
            self.note_records(sent + 1)
        while len(self._marks) > 1 and self._marks[1][0] <= sent + 1:
            self._marks.popleft()
        return Backlog(head - sent, self._clock() - self._marks[0][1])
