"""What numbers are made of, added up. Of many tables in a month there are half a million figures: each is read once,
and of it only this.

The one rule: what they come to is what the same figures come to that are joined.
"""

from collections import Counter
from collections.abc import Mapping

from msgspec import Raw, Struct

from ..core.clock import Time
from ..reports.figures import KeptTimes, Times


class Counts(Struct):
    """How often."""

    rounds: int = 0
    open: Time = 0
    stopped: int = 0
    void: int = 0
    read: int = 0
    unread: int = 0
    corrected: int = 0


class Waits(Struct):
    """How long faults waited."""

    acknowledged: KeptTimes | None = None
    ruled: KeptTimes | None = None


class Brief(Struct, array_like=True):
    """Of figures that are kept (`figures.Kept`), what is looked at here."""

    counts: Counts
    faults: dict[str, int]
    rulings: Raw
    times: Waits


class Sums:
    """Of some figures. Of what was waited for: how often each time came."""

    def __init__(self) -> None:
        self.counts, self.faults = Counts(), 0
        self.acknowledged, self.ruled = Counter[Time](), Counter[Time]()

    def add(self, one: Brief) -> None:
        """These too."""
        _count(self.counts, one.counts)
        if one.faults:
            self.faults += sum(one.faults.values())
        if one.times.acknowledged is not None:
            _join(self.acknowledged, one.times.acknowledged.seen)
        if one.times.ruled is not None:
            _join(self.ruled, one.times.ruled.seen)

    def join(self, others: "Sums") -> None:
        """What others come to."""
        _count(self.counts, others.counts)
        self.faults += others.faults
        _join(self.acknowledged, others.acknowledged)
        _join(self.ruled, others.ruled)


def _count(ours: Counts, theirs: Counts) -> None:
    ours.rounds += theirs.rounds
    ours.open += theirs.open
    ours.stopped += theirs.stopped
    ours.void += theirs.void
    ours.read += theirs.read
    ours.unread += theirs.unread
    ours.corrected += theirs.corrected


def _join(ours: dict[Time, int], theirs: Mapping[Time, int]) -> None:
    for time, often in theirs.items():
        ours[time] = ours.get(time, 0) + often


def times(seen: Counter[Time]) -> Times:
    """What is told of them."""
    told = Times()
    told.join(KeptTimes(sum(time * often for time, often in seen.items()), max(seen, default=0), seen))
    return told
