"""How soon somebody may try a PIN again after wrong ones.

The one rule: nobody keeps anybody else out. Who waits is the source that was wrong, for the name that it was wrong for;
each time longer. A source that is wrong for many names waits a little for all of them. Somewhere else, and where the
person has signed in before, the right PIN is let in at once.
"""

import math
from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct

FREE = 3  # wrong PINs of a source for a name; the next has to wait
SHORTEST, LONGEST = 5.0, 900.0  # seconds
FREE_IN_ALL, IN_ALL = 10, 5.0  # of a source, whatever the names; and seconds from then on
FORGOTTEN = 12 * 3600.0  # seconds after the last one
MOST = 10_000

Key = tuple[str, str | None]


class Wrong(Struct, frozen=True):
    """Wrong PINs without a right one between, and when the last came."""

    times: int
    last: float


class Attempts:
    """Of all sources. `now`: seconds of a clock that nobody sets."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._wrong: OrderedDict[Key, Wrong] = OrderedDict()

    def wait(self, source: str, name: str) -> int:
        """For how many seconds more this source may not try a PIN for this name."""
        return max(self._left((source, name)), self._left((source, None)))

    def wrong(self, source: str, name: str) -> int:
        """One more; how many in a row it was."""
        self._add((source, None))
        return self._add((source, name))

    def right(self, source: str, name: str) -> None:
        """Forget what was wrong."""
        self._wrong.pop((source, name), None)
        self._wrong.pop((source, None), None)

    def _left(self, key: Key) -> int:
        wrong = self._wrong.get(key)
        return 0 if wrong is None else max(0, math.ceil(wrong.last + _delay(key, wrong.times) - self._now()))

    def _add(self, key: Key) -> int:
        before = self._wrong.pop(key, Wrong(0, 0.0))
        times = 1 if self._now() - before.last >= FORGOTTEN else before.times + 1
        self._wrong[key] = Wrong(times, self._now())
        while len(self._wrong) > MOST:
            self._wrong.popitem(last=False)
        return times


def _delay(key: Key, times: int) -> float:
    if key[1] is None:
        return IN_ALL if times >= FREE_IN_ALL else 0.0
    return min(LONGEST, SHORTEST * 2.0 ** min(times - FREE, 20)) if times >= FREE else 0.0
