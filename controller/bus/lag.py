"""How far the bus is behind a table's record: how many records, and for how long the oldest of them has waited."""

import time
from collections import deque
from collections.abc import Callable

from ..outputs.doorway import Backlog

APART = 1.0  # seconds between two marks
MOST = 100_000  # marks: of more than a day


class Lag:
    """Marks when records were written, about once a second, until they are on the bus."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._marks = deque[tuple[int, float]]()  # the first record since then

    def recorded(self, first: int) -> None:
        """Records from `first` on are durable."""
        now = self._clock()
        if not self._marks or (now - self._marks[-1][1] >= APART and len(self._marks) < MOST):
            self._marks.append((first, now))

    def behind(self, sent: int, head: int) -> Backlog:
        """What is not on the bus yet. `sent`: the record up to which all is; `head`: the last one."""
        if sent >= head:
            self._marks.clear()
            return Backlog(0, 0.0)
        if not self._marks:  # it was so when the program began
            self.recorded(sent + 1)
        while len(self._marks) > 1 and self._marks[1][0] <= sent + 1:
            self._marks.popleft()
        return Backlog(head - sent, self._clock() - self._marks[0][1])
