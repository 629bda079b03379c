"""What happened at a table since the program has run, counted record by record for a monitoring system.

Training is not counted. Time is: from a fault until it was acknowledged, and until the ruling on it.
"""

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from prometheus_client import Histogram

from ..accounts.card_reads import NO_CHANGE, CardReads
from ..core import records as r
from ..core.clock import SECOND, Time
from ..core.fault_catalogue import CATALOGUE
from ..core.records import Record
from ..core.state import State

RULINGS = sorted({ruling for entry in CATALOGUE.values() for ruling in entry.rulings})


class Counted(NamedTuple):
    """Something that is counted, under one label whose values are known beforehand."""

    says: str
    label: str
    values: Collection[str]


COUNTED: Mapping[str, Counted] = {
    "rounds": Counted("Rounds that have ended.", "end", ("settled", "cancelled")),
    "resettlements": Counted("Rounds that were settled anew.", "end", ("settled", "void")),
    "cards": Counted(
        "Cards that came out of the shoe: read by it, or entered by hand.", "source", ("reader", "manual")
    ),
    "misreads": Counted("Cards that the shoe could not read, or read as another.", "what", ("unread", "corrected")),
    "faults": Counted("Faults, by code.", "code", tuple(CATALOGUE)),
    "rulings": Counted("Rulings of shift managers.", "ruling", RULINGS),
    "bets": Counted("Bets that were answered.", "verdict", ("accepted", "refused")),
}
_COUNTS: Mapping[type, Callable[[Any], tuple[str, str]]] = {
    r.Settled: lambda _: ("rounds", "settled"),
    r.Cancelled: lambda _: ("rounds", "cancelled"),
    r.Resettled: lambda what: ("resettlements", "void" if what.now is None else "settled"),
    r.Faulted: lambda what: ("faults", what.code),
    r.Ruled: lambda what: ("rulings", what.ruling),
    r.BetAccepted: lambda _: ("bets", "accepted"),
    r.BetRefused: lambda _: ("bets", "refused"),
}
_REFUSALS: Mapping[type, str] = {
    r.BetRefused: "bet",
    r.DecisionRefused: "decision",
    r.RulingRefused: "ruling",
    r.ResettleRefused: "resettlement",
    r.StartRefused: "start",
    r.StartsRefused: "start",
    r.Ignored: "command",
}
_STATE = "state"  # the reason of what fits no state
_WAITS = (1.0, 2.0, 5.0, 10.0, 15.0, 20.0, 30.0, 45.0, 60.0, 90.0, 120.0, 180.0, 300.0, 600.0, 1800.0)  # seconds


class Counts:
    """Of one table. `money`: staked, returned and left unpaid by ceilings in settled rounds, in minor units."""

    def __init__(self, table: str, state: State, now: Time) -> None:
        self._table = table
        self.by: Mapping[str, Counter[str]] = {name: Counter() for name in COUNTED}
        self.refusals: Counter[tuple[str, str]] = Counter()  # by what was refused, and why
        self.money = Counter(staked=0, returned=0, above_ceilings=0)
        self.waits = {what: _waits(what, table) for what in ("acknowledgement", "ruling")}
        self._reads = CardReads.of(state)
        self._paused: Time = 0  # in pauses that are over
        self._since = now if state.life == "paused" else None
        self._fault = None if state.fault is None else (state.fault.seq, state.fault.since)
        self._unseen = state.fault is not None and state.fault.seen_by is None

    def hear(self, state: State, records: Sequence[Record]) -> None:
        """These are durable, and led to this state."""
        for record in records:
            self._count(record)
            if not record.training:
                self._refuse(record.what)
                self._pay(record.what)
                self._wait(record)
        if records:
            self._see_pause(state)

    def paused(self, now: Time) -> Time:
        """For how long play was stopped, the pause that is on included."""
        return self._paused + (0 if self._since is None else max(0, now - self._since))

    def _refuse(self, what: r.What) -> None:
        refused = _REFUSALS.get(type(what))
        if refused is not None:
            self.refusals[refused, getattr(what, "reason", None) or _STATE] += getattr(what, "times", 1)

    def _pay(self, what: r.What) -> None:
        if isinstance(what, r.Paid):
            self.money.update(staked=what.stake, returned=what.returned, above_ceilings=what.above_ceilings)

    def _wait(self, record: Record) -> None:
        """A fault waits to be seen, and for its ruling."""
        match record.what, self._fault:
            case r.Faulted(), _:
                self._fault, self._unseen = (record.seq, record.at), True
            case r.Acknowledged(fault=fault), (seq, at) if fault == seq and self._unseen:
                self._unseen = False
                self._waited("acknowledgement", record.at - at)
            case r.Ruled(fault=fault), (seq, at) if fault == seq:
                self._waited("ruling", record.at - at)

    def _waited(self, what: str, time: Time) -> None:
        self.waits[what].labels(self._table).observe(max(0, time) / SECOND)

    def _count(self, record: Record) -> None:
        what = record.what
        meaning = None if record.training else _COUNTS.get(type(what))
        if meaning is not None:
            name, value = meaning(what)
            self.by[name][value] += 1
        change = self._reads.take(record)
        if change is not NO_CHANGE:
            self.by["cards"].update(reader=change.read, manual=change.entered)
            self.by["misreads"].update(unread=change.unread, corrected=change.corrected)

    def _see_pause(self, state: State) -> None:
        if state.life == "paused":
            self._since = state.at if self._since is None else self._since
        elif self._since is not None:
            self._paused += max(0, state.at - self._since)
            self._since = None


def _waits(what: str, table: str) -> Histogram:
    says = f"Seconds from a fault to its {what}."
    made = Histogram(f"tablectl_fault_{what}_seconds", says, ["table"], registry=None, buckets=_WAITS)
    made.labels(table)  # there before the first
    return made
