"""Course of numbers over a time span: by the hour up to three days, else by the day.

Shares have their confidence intervals. Invariant: every round is in exactly one point, so the points add up to the
whole. A point without rounds has no share.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from functools import cache
from typing import Literal

from msgspec import Struct

from ...accounts.open_time import HOUR
from ...config.shifts import ShiftsSection, day_of, hour_at, local
from ...core.clock import DAY, Time
from .intervals import Share, share
from .sums import Sums

BY_HOUR: Time = 3 * DAY + HOUR  # longest span by the hour: three days, plus the hour when clocks are set back

Step = Literal["hour", "day"]


class Point(Struct, frozen=True):
    """Numbers of one hour or day. `at`: its beginning, in the time zone of [shifts]."""

    at: str
    rounds: int
    stopped: Share  # of all rounds
    voids: Share  # of all rounds


class Course(Struct, frozen=True):
    """Points of a time span: all its hours, or the days from the first to the last with a round."""

    step: Step
    points: tuple[Point, ...]


class Slots:
    """Hours or days of a time span. A piece of figures belongs to the slot in which it begins."""

    def __init__(self, since: Time, until: Time, shifts: ShiftsSection) -> None:
        self._since, self._until, self._there = since, until, shifts.time_zone
        self.step: Step = "hour" if until - since <= BY_HOUR else "day"
        self.of: Callable[[Time], Time] = cache(self._hour if self.step == "hour" else self._day)

    def _hour(self, at: Time) -> Time:
        return hour_at(at, self._there)

    def _day(self, at: Time) -> Time:
        return day_of(local(at, self._there).date(), self._there).since

    def course(self, of: Mapping[Time, Sums]) -> Course:
        """Return the course of these sums by slot; no points if there was no round."""
        played = [at for at, sums in of.items() if sums.counts.rounds]
        points = (self._point(at, of.get(at) or Sums()) for at in self._slot_starts(played)) if played else ()
        return Course(self.step, tuple(points))

    def _slot_starts(self, played: list[Time]) -> Iterator[Time]:
        if self.step == "hour":
            hour = self._hour(self._since)
            while hour < self._until:
                yield hour
                hour = self._hour(hour + HOUR)
            return
        day, last = (local(at, self._there).date() for at in (min(played), max(played)))
        while day <= last:
            yield day_of(day, self._there).since
            day += timedelta(days=1)

    def _point(self, at: Time, sums: Sums) -> Point:
        begins = local(at, self._there).isoformat(timespec="minutes")
        return Point(begins, sums.counts.rounds, stopped_share(sums), voids(sums))


def stopped_share(sums: Sums) -> Share:
    """Share of rounds that a fault stopped, of all rounds."""
    return share(sums.counts.stopped, sums.counts.rounds)


def voids(sums: Sums) -> Share:
    """Share of rounds that were cancelled, of all rounds."""
    return share(sums.counts.void, sums.counts.rounds)
