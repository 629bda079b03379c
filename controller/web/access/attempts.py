"""How often somebody may get a PIN wrong.

A name is locked by wrong PINs alone, whoever types them and whether it is anybody's; while it is, the
right one is no better. So a guess costs a minute; whom somebody keeps out by guessing on has the command line.
"""

import math
from collections import OrderedDict
from collections.abc import Callable

TRIES = 5
LOCKED = 300.0  # seconds


class Attempts:
    """Wrong PINs since the last right one. `now`: seconds of a clock that nobody sets."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._wrong: OrderedDict[str, tuple[int, float]] = OrderedDict()  # how many, and when the last

    def locked(self, name: str) -> int:
        """For how many seconds more this name is; 0 when it is not."""
        wrong, last = self._wrong.get(name, (0, 0.0))
        return max(0, math.ceil(last + LOCKED - self._now())) if wrong >= TRIES else 0

    def wrong(self, name: str) -> int:
        """One more; how many are left."""
        before, last = self._wrong.pop(name, (0, 0.0))
        if self._now() - last >= LOCKED:
            before = 0
        self._wrong[name] = (before + 1, self._now())
        self._forget()
        return max(0, TRIES - before - 1)

    def right(self, name: str) -> None:
        """Forget what was wrong."""
        self._wrong.pop(name, None)

    def _forget(self) -> None:
        """Names whose time is over, and no others: else who guesses at many would set one free. As each guess takes
        its time, there are never many."""
        while self._now() - next(iter(self._wrong.values()))[1] >= LOCKED:
            self._wrong.popitem(last=False)
