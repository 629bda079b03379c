"""Faults of a table: when each was raised, seen, ruled on and over, and how long play was stopped.

A fault is over when the next one is raised, play goes on or the round is cancelled; a pause lasts from its first fault
until play goes on or the round is cancelled. Only ended faults and pauses have a duration; one over which the clock was
set back counts as 0.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from ..core import records as r
from ..core.clock import Time
from ..core.records import Record
from ..core.state import State
from .card_reads import READER_FAULTS
from .entry import FigureEntry, FigureGroup


class EarlierRuling(Struct, frozen=True):
    """Ruling after which its fault stayed open, such as a void hand."""

    at: Time
    by: str
    ruling: str
    because: str
    second: str | None


class FaultCase(Struct):
    """Progress of one fault. None: this has not happened yet. `ruled` to `second`: of the last ruling."""

    seq: int
    at: Time
    code: str
    device: str = ""
    report: bool = False  # True: it was reported during the pause of an earlier fault
    level: int = 0  # how often a further level was called
    acked: Time | None = None
    acked_by: str | None = None
    acked_id: str | None = None
    ruled: Time | None = None
    ruled_by: str | None = None
    ruling: str | None = None
    because: str | None = None
    second: str | None = None
    over: Time | None = None
    earlier: list[EarlierRuling] = []  # rulings before the last one


class Faults(Struct):
    """Account of one table, folded record by record. `open`: the fault that is open; `paused`: since when."""

    open: FaultCase | None = None
    paused: Time | None = None

    @classmethod
    def of(cls, state: State, now: Time) -> "Faults":
        """Account for a table in this state. A pause that is on is counted from `now`."""
        fault = state.fault
        if fault is None or state.round.terms.training:
            return cls()
        case = FaultCase(fault.seq, fault.since, fault.code, acked=fault.seen_at if fault.seen_by else None)
        return cls(case, now)

    def take(self, record: Record) -> list[FigureEntry]:
        """Add a record; return its entries."""
        handle = _HANDLERS.get(type(record.what))
        return [] if handle is None else handle(self, record, record.what)

    def open_fault_at(self, seq: int | None) -> tuple[FigureGroup, ...]:
        """Group of the open fault, for `FigureEntry.also`, if `seq` is the number of its record; else empty."""
        return (("fault", self.open.code),) if self.open is not None and self.open.seq == seq else ()


def _faulted(account: Faults, record: Record, what: r.Faulted) -> list[FigureEntry]:
    over = _end_fault(account, record)
    device = "shoe" if what.code in READER_FAULTS else str(getattr(what.came, "device", None) or "")
    account.open = FaultCase(record.seq, record.at, what.code, device, what.report is not None)
    account.paused = record.at if account.paused is None else account.paused
    return [*over, FigureEntry("faults", 1, (("fault", what.code),), what.code)]


def _end_fault(account: Faults, record: Record) -> list[FigureEntry]:
    case, account.open = account.open, None
    if case is None:
        return []
    case.over = record.at
    return [FigureEntry("paused", max(0, record.at - case.at), (("fault", case.code),), alone=True)]


def _end_pause(account: Faults, record: Record, _: object) -> list[FigureEntry]:
    since, account.paused = account.paused, None
    pause = [] if since is None else [FigureEntry("paused", max(0, record.at - since))]
    return [*_end_fault(account, record), *pause]


def _cancelled(account: Faults, record: Record, what: r.Cancelled) -> list[FigureEntry]:
    fault = account.open_fault_at(account.open.seq) if account.open else ()
    return [FigureEntry("cancelled", 1, fault), *_end_pause(account, record, what)]


def _acknowledged(account: Faults, record: Record, what: r.Acknowledged) -> list[FigureEntry]:
    case = account.open
    if case is None or case.seq != what.fault or case.acked is not None:
        return []
    case.acked, case.acked_by, case.acked_id = record.at, what.by, record.person
    also = *account.open_fault_at(what.fault), ("manager", what.by)
    return [FigureEntry("acknowledged", max(0, record.at - case.at), also)]


def _escalated(account: Faults, _: Record, what: r.Escalated) -> list[FigureEntry]:
    if account.open is not None and account.open.seq == what.fault:
        account.open.level += what.level is not None
    return []


def _ruled(account: Faults, record: Record, what: r.Ruled) -> list[FigureEntry]:
    case, also = account.open, (("manager", what.by), *account.open_fault_at(what.fault))
    entries = [FigureEntry("rulings", 1, also, what.ruling)]
    if case is not None and case.seq == what.fault:
        case.earlier = [*case.earlier, *_last_ruling(case)]
        case.ruled, case.ruled_by, case.ruling = record.at, what.by, what.ruling
        case.because, case.second = what.because, what.second
        entries.append(FigureEntry("ruled", max(0, record.at - case.at), also))
    return entries


def _last_ruling(case: FaultCase) -> list[EarlierRuling]:
    """Return the last ruling on a fault in a list; an empty one if there is none."""
    if case.ruled is None:
        return []
    return [EarlierRuling(case.ruled, case.ruled_by or "", case.ruling or "", case.because or "", case.second)]


def _refused(account: Faults, _: Record, what: r.RulingRefused) -> list[FigureEntry]:
    return [FigureEntry("refused_rulings", 1, (("manager", what.by), *account.open_fault_at(what.fault)))]


_HANDLERS: Mapping[type, Callable[[Faults, Record, Any], list[FigureEntry]]] = {
    r.Faulted: _faulted,
    r.Resumed: _end_pause,
    r.Cancelled: _cancelled,
    r.Acknowledged: _acknowledged,
    r.Escalated: _escalated,
    r.Ruled: _ruled,
    r.RulingRefused: _refused,
}
COUNTED = frozenset(_HANDLERS)  # types of the records that change the account
