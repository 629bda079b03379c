"""Figures computed while a record is read: counts, durations and amounts.

The memory of a figure does not grow with the record. Durations are rounded to three digits and stored with their
frequency, so medians and percentiles are exact to three digits.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ..accounts.entry import FigureEntry
from ..accounts.figures import DURATIONS
from ..core.clock import SECOND, Time

_DIGITS = 3


class KeptTimes(Struct, array_like=True):
    """Times in a form that can be stored."""

    total: Time
    longest: Time
    seen: dict[Time, int]


class KeptFigures(Struct, array_like=True):
    """Figures in a form that can be stored and added up later."""

    counts: dict[str, int]
    faults: dict[str, int]
    rulings: dict[str, int]
    times: dict[str, KeptTimes]


class Times:
    """Distribution of the durations of a repeated activity."""

    def __init__(self) -> None:
        self.count = 0
        self.total: Time = 0
        self.longest: Time = 0
        self._seen: Counter[Time] = Counter()

    def add(self, time: Time) -> None:
        """Add one duration. A negative one, from a clock that was set back, counts as 0."""
        time = max(0, time)
        self.count += 1
        self.total += time
        self.longest = max(self.longest, time)
        self._seen[_round_time(time)] += 1

    @property
    def stored_form(self) -> KeptTimes:
        """Export the durations so that they can be stored."""
        return KeptTimes(self.total, self.longest, dict(self._seen))

    def join(self, others: KeptTimes) -> None:
        """Add stored durations to these."""
        self.count += sum(others.seen.values())
        self.total += others.total
        self.longest = max(self.longest, others.longest)
        self._seen.update(others.seen)

    @property
    def median(self) -> Time | None:
        """Median duration; of an even number the mean of the two in the middle; None if there are none."""
        if not self.count:
            return None
        middle = (self._time_at_rank((self.count - 1) // 2) + self._time_at_rank(self.count // 2)) // 2
        return min(middle, self.longest)  # it is rounded

    @property
    def nine_of_ten(self) -> Time | None:
        """90th percentile: the shortest duration that nine of ten did not exceed; None if there are none."""
        return self._percentile(9, 10)

    @property
    def nineteen_of_twenty(self) -> Time | None:
        """95th percentile of the durations; None if there are none."""
        return self._percentile(19, 20)

    def _percentile(self, most: int, of: int) -> Time | None:
        return min(self._time_at_rank((most * self.count + of - 1) // of - 1), self.longest) if self.count else None

    def _time_at_rank(self, place: int) -> Time:
        """Duration at this rank, counted from 0, the shortest first."""
        for time in sorted(self._seen):
            place -= self._seen[time]
            if place < 0:
                return time
        raise IndexError(place)

    def report(self) -> dict[str, Any]:
        """Return count, total, median and longest duration, in seconds."""
        median = self.median
        return {
            "count": self.count,
            "total": self.total / SECOND,
            "median": None if median is None else median / SECOND,
            "longest": self.longest / SECOND if self.count else None,
        }


def _round_time(time: Time) -> Time:
    """Round to the first `_DIGITS` digits."""
    unit: Time = 10 ** max(0, len(str(time)) - _DIGITS)
    return (time + unit // 2) // unit * unit


class Figures:
    """Figures of one dealer, shift, manager, device, fault or table. Money is in minor units."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()  # by code
        self.rulings: Counter[str] = Counter()  # by kind
        self.times: dict[str, Times] = {name: Times() for name in DURATIONS}

    def enter(self, entry: FigureEntry) -> None:
        """Add an entry to the figure that it names."""
        name = entry.figure
        if name in self.times:
            self.times[name].add(entry.amount)
        elif name in ("faults", "rulings"):
            (self.faults if name == "faults" else self.rulings)[entry.label] += entry.amount
        else:
            self.counts[name] += entry.amount

    @property
    def stored_form(self) -> KeptFigures:
        """Export the figures so that they can be stored."""
        times = {name: times.stored_form for name, times in self.times.items() if times.count}
        return KeptFigures(dict(self.counts), dict(self.faults), dict(self.rulings), times)

    def join(self, others: KeptFigures) -> None:
        """Add stored figures to these."""
        self.counts.update(others.counts)
        self.faults.update(others.faults)
        self.rulings.update(others.rulings)
        for name, times in others.times.items():
            self.times[name].join(times)

    def report(self, names: tuple[str, ...]) -> dict[str, Any]:
        """Return the figures with these names."""
        return {name: self._figure(name) for name in names}

    def _figure(self, name: str) -> object:
        if name in self.times:
            return self.times[name].report()
        if name in ("faults", "rulings"):
            counted: Mapping[str, int] = self.faults if name == "faults" else self.rulings
            return dict(sorted(counted.items(), key=lambda item: (-item[1], item[0])))
        if name == "count":  # of one fault
            return self.faults.total()
        return self.misread_rate if name == "misread_rate" else self.counts[name]

    @property
    def misreads(self) -> int:
        """Cards that the reader could not read, or read as another card."""
        return self.counts["unread"] + self.counts["corrected"]

    @property
    def misread_rate(self) -> float | None:
        """Share of reported cards that were not read, or read as another card; None if there are none."""
        read = self.counts["read"]
        return self.misreads / read if read else None
