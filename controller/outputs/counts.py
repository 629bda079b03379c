"""Counters of a table's records since the program started, for a monitoring system.

Training is not counted. Two times are measured for each fault: until its acknowledgement, and until the ruling.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from prometheus_client import Histogram

from ..accounts.entry import FigureEntry
from ..accounts.figures import AMOUNTS, FIGURES
from ..accounts.ledger import Ledger
from ..core import records as r
from ..core.clock import SECOND, Time
from ..core.fault_catalogue import CATALOGUE
from ..core.records import Record
from ..core.state import State
from ..text.metric_helps import help_of

RULINGS = sorted({ruling for entry in CATALOGUE.values() for ruling in entry.rulings})


class LabelledCounter(NamedTuple):
    """Counter of a monitoring system, under one label whose values are known beforehand."""

    label: str
    values: Collection[str]


COUNTED: Mapping[str, LabelledCounter] = {
    "rounds": LabelledCounter("end", ("settled", "cancelled")),
    "resettlements": LabelledCounter("end", ("settled", "void")),
    "cards": LabelledCounter("source", ("reader", "manual")),
    "misreads": LabelledCounter("what", ("unread", "corrected")),
    "faults": LabelledCounter("code", tuple(CATALOGUE)),
    "rulings": LabelledCounter("ruling", RULINGS),
    "bets": LabelledCounter("verdict", ("accepted", "refused")),
}
_COUNTS: Mapping[str, tuple[str, str]] = {  # by figure: its metric, and the value of the metric's label; empty: varies
    "settled": ("rounds", "settled"),
    "cancelled": ("rounds", "cancelled"),
    "resettled": ("resettlements", ""),
    "read": ("cards", "reader"),
    "entered": ("cards", "manual"),
    "unread": ("misreads", "unread"),
    "corrected": ("misreads", "corrected"),
    "faults": ("faults", ""),
    "rulings": ("rulings", ""),
    "bets": ("bets", "accepted"),
    "bets_refused": ("bets", "refused"),
}
_WAITED: Mapping[str, str] = {"acknowledged": "acknowledgement", "ruled": "ruling"}
MONEY = tuple(name for name in AMOUNTS if "metrics" in FIGURES[name].shown)
_REFUSALS: Mapping[type, str] = {
    r.BetRefused: "bet",
    r.DecisionRefused: "decision",
    r.RulingRefused: "ruling",
    r.ResettleRefused: "resettlement",
    r.StartRefused: "start",
    r.StartsRefused: "start",
    r.Ignored: "command",
}
_STATE = "state"  # reason of commands that do not fit the state
_WAITS = (1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 30.0, 45.0, 60.0, 90.0, 120.0, 180.0, 300.0, 600.0, 1800.0)  # seconds


class TableCounts:
    """Counts of one table. `money`: amounts by figure, in minor units."""

    def __init__(self, table: str, state: State, now: Time) -> None:
        self._table = table
        self.by: Mapping[str, Counter[str]] = {name: Counter() for name in COUNTED}
        self.refusals: Counter[tuple[str, str]] = Counter()  # by kind of command, and reason
        self.money = Counter(dict.fromkeys(MONEY, 0))
        self.waits = {what: _waits(what, table) for what in _WAITED.values()}
        self._ledger = Ledger.of(state, now)
        self._paused: Time = 0  # total of pauses that are over

    def hear(self, records: Sequence[Record]) -> None:
        """Count records, which must be durable."""
        for record in records:
            for entry in self._ledger.take(record):
                if not entry.alone:
                    self._count_figure(entry)
            if not record.training:
                self._count_refusal(record.what)

    def pause_time(self, now: Time) -> Time:
        """Total time of pauses, including one that is on."""
        since = self._ledger.faults.paused
        return self._paused + (0 if since is None else max(0, now - since))

    def _count_figure(self, entry: FigureEntry) -> None:
        figure = entry.figure
        if figure in _COUNTS:
            name, value = _COUNTS[figure]
            self.by[name][value or entry.label] += entry.amount
        elif figure in MONEY:
            self.money[figure] += entry.amount
        elif figure in _WAITED:
            self.waits[_WAITED[figure]].labels(self._table).observe(entry.amount / SECOND)
        elif figure == "paused":
            self._paused += entry.amount

    def _count_refusal(self, what: r.What) -> None:
        refused = _REFUSALS.get(type(what))
        if refused is not None:
            self.refusals[refused, getattr(what, "reason", None) or _STATE] += getattr(what, "times", 1)


def _waits(what: str, table: str) -> Histogram:
    name = f"fault_{what}_seconds"
    histogram = Histogram(f"tablectl_{name}", help_of(name), ["table"], registry=None, buckets=_WAITS)
    histogram.labels(table)  # so that the metric exists before the first value
    return histogram
