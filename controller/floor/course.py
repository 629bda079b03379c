"""How numbers go over a time: by the hour up to three days, else by the day, each with how sure it is.

The one rule: every round is in one point, so that they add up to the whole. Where nothing was played is no share.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from functools import cache
from typing import Literal

from msgspec import Struct

from ..accounts.open_time import HOUR
from ..config.shifts import ShiftsSection, day_of, local
from ..core.clock import DAY, Time
from .intervals import Share, share
from .sums import Sums

BY_HOUR: Time = 3 * DAY + HOUR  # up to which it goes by the hour: three days, also where the clocks are set back

Step = Literal["hour", "day"]


class Point(Struct, frozen=True):
    """An hour, or a day. `at`: when it begins, by the clocks of [shifts]."""

    at: str
    rounds: int
    stopped: Share  # of all rounds
    voids: Share  # likewise


class Course(Struct, frozen=True):
    """Of a time: all its hours, or its days from the first to the last on which there was a round."""

    step: Step
    points: tuple[Point, ...]


class Slots:
    """The hours or days of a time. A piece of figures is in that in which it begins."""

    def __init__(self, since: Time, until: Time, shifts: ShiftsSection) -> None:
        self._since, self._until, self._there = since, until, shifts.there
        self.step: Step = "hour" if until - since <= BY_HOUR else "day"
        self.of: Callable[[Time], Time] = cache(_hour if self.step == "hour" else self._day)

    def _day(self, at: Time) -> Time:
        return day_of(local(at, self._there).date(), self._there).since

    def course(self, of: Mapping[Time, Sums]) -> Course:
        """With what is counted in each."""
        played = [at for at, sums in of.items() if sums.counts.rounds]
        points = (self._point(at, of.get(at) or Sums()) for at in self._all(played)) if played else ()
        return Course(self.step, tuple(points))

    def _all(self, played: list[Time]) -> Iterator[Time]:
        if self.step == "hour":
            yield from range(_hour(self._since), self._until, HOUR)
            return
        day, last = (local(at, self._there).date() for at in (min(played), max(played)))
        while day <= last:
            yield day_of(day, self._there).since
            day += timedelta(days=1)

    def _point(self, at: Time, sums: Sums) -> Point:
        begins = local(at, self._there).isoformat(timespec="minutes")
        return Point(begins, sums.counts.rounds, stopped(sums), voids(sums))


def _hour(at: Time) -> Time:
    return at // HOUR * HOUR


def stopped(sums: Sums) -> Share:
    """Rounds that a fault stopped, of all."""
    return share(sums.counts.stopped, sums.counts.rounds)


def voids(sums: Sums) -> Share:
    """Rounds that came to nothing, of all."""
    return share(sums.counts.void, sums.counts.rounds)
