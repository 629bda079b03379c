"""Limits on wrong PINs: one count for all doors of a table or floor, asked before each attempt.

By source      After three wrong PINs for one person, the next attempt has to wait 5 seconds, doubled each time up to 15
               minutes. After ten for all persons together, every attempt waits 5 seconds. A source never waits because
               of another source.
In all         During a flood of wrong PINs (FLOOD, LULL), an unmarked source waits after its first wrong PIN.
By person      After ten wrong PINs from unmarked sources in 30 days, these may try no PIN for the person
               (`wrong_pins`).

A marked browser, a badge and the table's own PC are separate sources, and their wrong PINs close nobody.
"""

import asyncio
import math
from collections import OrderedDict
from collections.abc import Callable

from msgspec import Struct

from .sources import PinSource
from .wrong_pins import MOST_OF_FLOOR, WrongPins

FREE = 3  # wrong PINs of a source for one name; the next attempt has to wait
SHORTEST, LONGEST = 5.0, 900.0  # seconds
FREE_IN_ALL, IN_ALL = 10, 5.0  # wrong PINs of a source for all names together; seconds to wait after them
FORGOTTEN = 12 * 3600.0  # seconds after a source's last wrong PIN until its count is dropped
FLOOD, LULL = 100, 3600.0  # wrong PINs of all unmarked sources; seconds without a wrong PIN that end the flood
MOST = 10_000  # rows for unmarked sources, and as many for marked ones, so that guesses displace no marked source
BADGE = "a badge"  # never equal to a person's name: `likeness` removes the spaces of a name

Key = tuple[str, str | None]


class WrongPinStreak(Struct, frozen=True):
    """Number of wrong PINs since the last right one. `last`: time of the last one, in monotonic seconds."""

    times: int
    last: float


class Attempts:
    """Wrong PINs of all sources.

    `now`: monotonic seconds; `persons`: counts of 30 days for each person.
    """

    def __init__(self, now: Callable[[], float], persons: WrongPins) -> None:
        self.persons = persons
        self._now = now
        self._wrong: dict[bool, OrderedDict[Key, WrongPinStreak]] = {
            True: OrderedDict(),
            False: OrderedDict(),
        }  # by is_unmarked
        self._unmarked = WrongPinStreak(0, 0.0)

    def is_closed(self, source: PinSource, name: str) -> bool:
        """True if this source may try no PIN for this name, however long it waits."""
        if not source.is_unmarked:
            return False
        return self.persons.is_closed(name) or (source.kind == "floor" and self.persons.is_closed(source.key))

    def wait(self, source: PinSource, name: str) -> int:
        """Seconds before this source may try a PIN for this name; 0: it may now."""
        return max(self._delay_left(source, name), self._delay_left(source, None))

    def count_wrong(self, source: PinSource, name: str) -> int:
        """Count a wrong PIN; return how many in a row it was."""
        if source.is_unmarked:
            times = self._unmarked.times if self._now() - self._unmarked.last < LULL else 0
            self._unmarked = WrongPinStreak(times + 1, self._now())
        self._add(source, None)
        return self._add(source, name)

    async def close(self, source: PinSource, name: str, *, known: bool) -> bool:
        """Count a wrong PIN by person and by floor key. Returns True if one of them is closed.

        `known`: a person of this name exists.
        """
        if not source.is_unmarked:
            return False
        by_floor = source.kind == "floor" and await asyncio.to_thread(self.persons.add, source.key, MOST_OF_FLOOR)
        if known:
            return await asyncio.to_thread(self.persons.add, name) or by_floor
        if name != BADGE:
            self.persons.add_unknown(name)
        return self.persons.is_closed(name) or by_floor

    def forget_wrong(self, source: PinSource, name: str) -> None:
        """Forget the wrong PINs of this source for this name, and its count for all names together."""
        rows = self._wrong[source.is_unmarked]
        rows.pop((source.key, name), None)
        rows.pop((source.key, None), None)

    def _delay_left(self, source: PinSource, name: str | None) -> int:
        wrong = self._wrong[source.is_unmarked].get((source.key, name))
        if wrong is None:
            return 0
        flood = source.is_unmarked and self._unmarked.times >= FLOOD
        delay = _delay_for_all(wrong.times) if name is None else _delay_for_one(wrong.times, 1 if flood else FREE)
        return max(0, math.ceil(wrong.last + delay - self._now()))

    def _add(self, source: PinSource, name: str | None) -> int:
        rows, key = self._wrong[source.is_unmarked], (source.key, name)
        before = rows.pop(key, WrongPinStreak(0, 0.0))
        times = 1 if self._now() - before.last >= FORGOTTEN else before.times + 1
        rows[key] = WrongPinStreak(times, self._now())
        while len(rows) > MOST:
            rows.popitem(last=False)
        return times


def _delay_for_one(times: int, free: int) -> float:
    return min(LONGEST, SHORTEST * 2.0 ** min(times - free, 20)) if times >= free else 0.0


def _delay_for_all(times: int) -> float:
    return IN_ALL if times >= FREE_IN_ALL else 0.0
