"""Ledger of one table: makes the entries of all figures from its records, each read once.

A stored ledger can be loaded to continue counting. Training is counted apart; of other figures only the losses of
devices contain it. `controller.accounts.figures` says what each figure is.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct, field

from ..core import records as r
from ..core.clock import Time, from_text
from ..core.records import Record
from ..core.state import State
from .card_reads import COUNTED as OF_CARDS
from .card_reads import NO_CHANGE, READER_FAULTS, CardReads
from .entry import FigureEntry, FigureGroup, device_of
from .faults import COUNTED as OF_FAULTS
from .faults import Faults
from .money import COUNTED as OF_MONEY
from .money import money_of


class OpenedRound(Struct):
    """Round that was opened last, until it is cancelled. `stopped`: True if a fault has stopped it."""

    number: int
    at: Time
    dealer: str | None
    stopped: bool = False


class Ledger(Struct):
    """State of the count of one table: its open accounts, its round, and its lost devices."""

    cards: CardReads = field(default_factory=CardReads)
    faults: Faults = field(default_factory=Faults)
    round: OpenedRound | None = None
    lost: dict[str, Time] = {}  # devices, since when
    found: dict[str, r.DeviceFound] = {}

    @classmethod
    def of(cls, state: State, now: Time) -> "Ledger":
        """Create the ledger for a table in this state, to count from `now` on."""
        return cls(CardReads.of(state), Faults.of(state, now))

    def take(self, record: Record) -> list[FigureEntry]:
        """Add the next record; return its entries."""
        kind = type(record.what)
        if kind not in _COUNTED:
            return []
        entries = self._cards(record)
        if record.training and kind not in EQUIPMENT:
            return [*entries, FigureEntry("training")] if kind is r.Opened else entries
        handle = _HANDLERS.get(kind)
        if handle is not None:
            entries += handle(self, record, record.what)
        entries += self.faults.take(record)
        return entries + money_of(record)

    def _cards(self, record: Record) -> list[FigureEntry]:
        change = self.cards.take(record)
        if change is NO_CHANGE:
            return []
        shoe = (self.device(record, "shoe"),)
        entries = [FigureEntry("cards", change.cards)] if change.cards else []
        if change.entered:
            entries.append(FigureEntry("entered", change.entered))
        for name, count in (("read", change.read), ("unread", change.unread), ("corrected", change.corrected)):
            if count:
                entries.append(FigureEntry(name, count, shoe))
        return entries

    def device(self, record: Record, device: str) -> FigureGroup:
        """Group of the device as it was found last, for `FigureEntry.also`."""
        return device_of(record.table, device, self.found.get(device))

    def round_entries(self, record: Record, figure: str) -> list[FigureEntry]:
        """Entry for the live round, counted at the time it opened, so that shares of rounds add up."""
        on = self.round
        if on is None or record.round != on.number:
            return []
        return [FigureEntry(figure, belongs=(on.at, on.dealer))]


def _opened(ledger: Ledger, record: Record, _: r.Opened) -> list[FigureEntry]:
    ledger.round = OpenedRound(record.round or 0, record.at, record.dealer)
    return [FigureEntry("rounds")]


def _settled(_: Ledger, __: Record, what: r.Settled) -> list[FigureEntry]:
    return [FigureEntry("settled"), *([FigureEntry("manual")] if what.manual else ())]


def _cancelled(ledger: Ledger, record: Record, _: r.Cancelled) -> list[FigureEntry]:
    entries = ledger.round_entries(record, "void")
    ledger.round = None if entries else ledger.round
    return entries


def _disputed(_: Ledger, __: Record, ___: r.Disputed) -> list[FigureEntry]:
    return [FigureEntry("disputed")]


def _resettled(_: Ledger, __: Record, what: r.Resettled) -> list[FigureEntry]:
    """Count a resettlement once, with its first part. Each part counts its own money."""
    return [] if what.is_later_part else [FigureEntry("resettled", label="void" if what.now is None else "settled")]


def _faulted(ledger: Ledger, record: Record, what: r.Faulted) -> list[FigureEntry]:
    entries = [] if ledger.round is None or ledger.round.stopped else ledger.round_entries(record, "stopped")
    if entries and ledger.round is not None:
        ledger.round.stopped = True
    if what.code in READER_FAULTS:
        entries.append(FigureEntry("faults", 1, (ledger.device(record, "shoe"),), what.code, alone=True))
    return entries


def _lost(ledger: Ledger, record: Record, what: r.DeviceLost) -> list[FigureEntry]:
    ledger.lost[what.device] = record.at
    return [FigureEntry("lost", 1, (ledger.device(record, what.device),), alone=True)]


def _found(ledger: Ledger, record: Record, what: r.DeviceFound) -> list[FigureEntry]:
    """Count the time away for the device that was lost, even if another one replaces it now."""
    since, was = ledger.lost.pop(what.device, None), ledger.device(record, what.device)
    ledger.found[what.device] = what
    return [] if since is None else [FigureEntry("away", max(0, record.at - since), (was,), alone=True)]


def _clock_set(ledger: Ledger, _: Record, what: r.ClockSet) -> list[FigureEntry]:
    """Shift the start times of lost devices by the clock's step, so that their time away does not change."""
    step = from_text(what.to) - from_text(what.from_)
    ledger.lost = {device: since + step for device, since in ledger.lost.items()}
    return []


_HANDLERS: Mapping[type, Callable[[Ledger, Record, Any], list[FigureEntry]]] = {
    r.Opened: _opened,
    r.Settled: _settled,
    r.Cancelled: _cancelled,
    r.Disputed: _disputed,
    r.Resettled: _resettled,
    r.Faulted: _faulted,
    r.DeviceLost: _lost,
    r.DeviceFound: _found,
    r.ClockSet: _clock_set,
}
EQUIPMENT = (r.DeviceLost, r.DeviceFound)
_COUNTED = frozenset({*_HANDLERS, *OF_CARDS, *OF_FAULTS, *OF_MONEY})  # all other records add to no figure
