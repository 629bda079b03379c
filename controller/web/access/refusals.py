"""Record wrong PINs in the journal: the first at once, later ones summed up at growing intervals.

An attacker who keeps guessing cannot fill the journal, and the journal still says how often, for whom and from where.
"""

import asyncio
from collections.abc import Callable

from ...core import events as e

FIRST, LONGEST = 60.0, 3600.0  # seconds between two records
NAMED = 8  # persons and sources that are listed at most


class Refusals:
    """Counter of refused sign-ins at one `CredentialChecker`. `take`: called with each event to record."""

    def __init__(self, take: Callable[[e.Event], object]) -> None:
        self._take = take
        self._interval = FIRST
        self._timer: asyncio.TimerHandle | None = None
        self._clear()

    def _clear(self) -> None:
        self._wrong = self._delayed = self._most = self._delay = 0
        self._people: dict[str, None] = {}
        self._sources: dict[str, None] = {}

    def count_wrong(self, person: str | None, source: str, times: int, delay: int) -> None:
        """Count a wrong PIN, the `times`-th in a row; `delay`: seconds until the next try is allowed."""
        self._wrong += 1
        self._most = max(self._most, times)
        self._count(person, source, delay)

    def count_delayed(self, person: str | None, source: str, delay: int) -> None:
        """Count an attempt that was refused untested: its delay is not over, or the person is closed to the source."""
        self._delayed += 1
        self._count(person, source, delay)

    def _count(self, person: str | None, source: str, delay: int) -> None:
        self._delay = max(self._delay, delay)
        for names, name in ((self._people, person), (self._sources, source)):
            if name is not None and len(names) < NAMED:
                names[name] = None
        if self._timer is None:
            self._record(FIRST)

    def _record(self, seconds: float) -> None:
        counts = self._wrong, self._delayed, self._most, self._delay
        self._take(e.BadSignIns(*counts, tuple(self._people), tuple(self._sources)))
        self._clear()
        self._interval = seconds
        self._timer = asyncio.get_running_loop().call_later(seconds, self._end_period)

    def _end_period(self) -> None:
        self._timer = None
        if self._wrong + self._delayed:
            self._record(min(2 * self._interval, LONGEST))

    def close(self) -> None:
        """Report the attempts that are not reported yet, as the program ends."""
        if self._timer is not None:
            self._timer.cancel()
            if self._wrong + self._delayed:
                self._record(FIRST)
                self._timer.cancel()
