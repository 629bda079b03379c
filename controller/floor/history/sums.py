"""Sums of stored figures, from which numbers are computed.

A month of many tables has half a million figures: each is decoded once, and only the fields needed here.
Invariant: the sums equal those of the same figures joined by `Figures.join`.
"""

from msgspec import Raw, Struct

from ...core.clock import Time
from ...reports.figures import KeptTimes, Times


class PlayCounts(Struct):
    """Counts of rounds and cards that numbers use; `open`: open time."""

    rounds: int = 0
    open: Time = 0
    stopped: int = 0
    void: int = 0
    read: int = 0
    unread: int = 0
    corrected: int = 0


class Waits(Struct):
    """Waiting times of faults until they were acknowledged and ruled on."""

    acknowledged: KeptTimes | None = None
    ruled: KeptTimes | None = None


class Brief(Struct, array_like=True):
    """Part of stored figures (`KeptFigures`) that numbers use."""

    counts: PlayCounts
    faults: dict[str, int]
    rulings: Raw
    times: Waits


class Sums:
    """Sums over several figures."""

    def __init__(self) -> None:
        self.counts, self.faults = PlayCounts(), 0
        self.acknowledged, self.ruled = KeptTimes(0, 0, {}), KeptTimes(0, 0, {})

    def add(self, one: Brief) -> None:
        """Add the brief figures of one piece."""
        _count(self.counts, one.counts)
        if one.faults:
            self.faults += sum(one.faults.values())
        if one.times.acknowledged is not None:
            _join(self.acknowledged, one.times.acknowledged)
        if one.times.ruled is not None:
            _join(self.ruled, one.times.ruled)

    def join(self, others: "Sums") -> None:
        """Add the sums of other figures."""
        _count(self.counts, others.counts)
        self.faults += others.faults
        _join(self.acknowledged, others.acknowledged)
        _join(self.ruled, others.ruled)


def _count(total: PlayCounts, counts: PlayCounts) -> None:
    total.rounds += counts.rounds
    total.open += counts.open
    total.stopped += counts.stopped
    total.void += counts.void
    total.read += counts.read
    total.unread += counts.unread
    total.corrected += counts.corrected


def _join(sum_: KeptTimes, others: KeptTimes) -> None:
    sum_.total += others.total
    sum_.longest = max(sum_.longest, others.longest)
    for time, often in others.seen.items():
        sum_.seen[time] = sum_.seen.get(time, 0) + often


def times(waits: KeptTimes) -> Times:
    """Return count, percentiles and maximum of the waiting times."""
    summary = Times()
    summary.join(waits)
    return summary
