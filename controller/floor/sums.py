"""What numbers are made of, added up. Of many tables in a month there are half a million figures: each is read once.

The one rule: what they come to is what the same figures come to that are joined.
"""

from collections import defaultdict
from collections.abc import Mapping

from ..core.clock import Time
from ..reports.figures import Kept, KeptTimes, Times


class Sums:
    """Of some figures."""

    def __init__(self) -> None:
        self.rounds = self.stopped = self.void = self.faults = self.read = self.unread = self.corrected = 0
        self.open: Time = 0
        self.times = {name: defaultdict[Time, int](int) for name in ("acknowledged", "ruled")}  # and how often

    def add(self, kept: Kept) -> None:
        """These too."""
        count = kept.counts.get
        self.rounds += count("rounds", 0)
        self.open += count("open", 0)
        self.stopped += count("stopped", 0)
        self.void += count("void", 0)
        self.faults += sum(kept.faults.values())
        self.add_reads(kept)
        for name, times in kept.times.items():
            if name in self.times:
                _join(self.times[name], times.seen)

    def add_reads(self, kept: Kept) -> None:
        """What a reader read: nothing else is counted of one."""
        count = kept.counts.get
        self.read += count("read", 0)
        self.unread += count("unread", 0)
        self.corrected += count("corrected", 0)

    def join(self, others: "Sums") -> None:
        """What others come to."""
        for name in ("rounds", "open", "stopped", "void", "faults", "read", "unread", "corrected"):
            setattr(self, name, getattr(self, name) + getattr(others, name))
        for name, seen in others.times.items():
            _join(self.times[name], seen)

    def took(self, name: str) -> Times:
        """How long something took, over and over: faults, until they were acknowledged or ruled on."""
        times, seen = Times(), self.times[name]
        times.join(KeptTimes(sum(time * often for time, often in seen.items()), max(seen, default=0), seen))
        return times


def _join(ours: defaultdict[Time, int], theirs: Mapping[Time, int]) -> None:
    for time, often in theirs.items():
        ours[time] += often
