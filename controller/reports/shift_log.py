"""Log of a shift beside its figures: rulings, voids, resettlements, shoes, people, hand-overs.

It names no card. But the reason of a ruling could name one: whoever shows the log leaves out the reasons of the round
that is still live (`ReportWords.reason`).
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET, Struct

from ..accounts.faults import Faults
from ..core import records as r
from ..core.causes import VoidReason
from ..core.clock import Time


class LoggedRuling(Struct, frozen=True):
    """Ruling on a fault. Refused rulings are not logged."""

    at: Time
    round: int | None
    code: str | None  # code of the fault; null: the fault began before the shift
    ruling: str
    by: str
    because: str


class CancelledRound(Struct, frozen=True):
    """Cancelled round, with its bets and the reason."""

    at: Time
    round: int | None
    code: str | None  # code of the fault that was open
    why: VoidReason
    bets: int
    amount: int
    currency: str


class Resettlement(Struct, frozen=True):
    """Round that was settled anew. `bets`: those whose amount changed; `amount`: difference that went to players."""

    at: Time
    round: int | None
    by: str  # names of both people
    because: str
    void: bool  # the round was made void
    bets: int
    amount: int  # negative: players had been paid too much
    currency: str


class LoggedShoe(Struct):
    """Shoe or deck. `unaccounted`: cards missing, if it was read out or counted when taken away."""

    name: str
    cards: int | None = None
    rounds: int = 0
    unaccounted: int | None = None
    uncut: str | None = None  # reason why it is in play uncut; empty: no reason was given


class SignedInPerson(Struct):
    """Person who has signed in, and how often."""

    name: str
    id: str | None
    door: str
    first: Time
    times: int = 0


class LoggedHandOver(Struct, frozen=True):
    """Hand-over from one shift manager to the next."""

    at: Time
    what: r.HandedOver
    person: str | None


class ShiftLog:
    """Collects the log of a shift from its records, one by one."""

    def __init__(self) -> None:
        self.rulings: list[LoggedRuling] = []
        self.voids: list[CancelledRound] = []
        self.resettlements: list[Resettlement] = []
        self.shoes: dict[str, LoggedShoe] = {}
        self.people: dict[tuple[str, str], SignedInPerson] = {}
        self.hand_overs: list[LoggedHandOver] = []
        self.wrong_pins = 0
        self.faults = Faults()
        self.decks: dict[str, str] = {}  # by the id that a deck got when it was shuffled

    def take(self, record: r.Record) -> None:
        """Add one more record to the log."""
        kind = type(record.what)
        if record.training and kind not in _ALWAYS:
            return
        take = _TAKES.get(kind)
        if take is not None:
            take(self, record, record.what)
        self.faults.take(record)

    @property
    def code(self) -> str | None:
        """Code of the fault that is open; None if there is none, or it came before the shift."""
        return None if self.faults.open is None else self.faults.open.code


def _ruled(log: ShiftLog, record: r.Record, what: r.Ruled) -> None:
    who = what.by if what.second is None else f"{what.by} + {what.second}"
    log.rulings.append(LoggedRuling(record.at, record.round, log.code, what.ruling, who, what.because))


def _cancelled(log: ShiftLog, record: r.Record, what: r.Cancelled) -> None:
    returned = what.bets, what.amount, what.currency
    log.voids.append(CancelledRound(record.at, record.round, log.code, what.why, *returned))


def _resettled(log: ShiftLog, record: r.Record, what: r.Resettled) -> None:
    if what.is_later_part:
        return  # the first part contains the differences of all parts
    moved = what.differences
    who, is_void = f"{what.by} + {what.second}", what.now is None
    amount = len(moved), sum(moved), what.currency
    log.resettlements.append(Resettlement(record.at, record.round, who, what.because, is_void, *amount))


def _opened(log: ShiftLog, record: r.Record, _: r.Opened) -> None:
    _shoe(log, record.shoe or "").rounds += 1


def _shoe(log: ShiftLog, number: str) -> LoggedShoe:
    name = log.decks.get(number, number)
    return log.shoes.setdefault(name, LoggedShoe(name))


def _ready(log: ShiftLog, _: r.Record, what: r.ShoeReady) -> None:
    log.decks[what.id] = what.deck or what.id
    shoe = _shoe(log, what.id)
    shoe.cards = what.cards if what.counted is None else what.counted
    shoe.uncut = None if what.uncut is UNSET else what.uncut


def _shuffled(log: ShiftLog, _: r.Record, what: r.Shuffled) -> None:
    log.decks[what.id] = what.deck or what.id


def _ended(log: ShiftLog, record: r.Record, what: r.ShoeEnded) -> None:
    shoe = _shoe(log, record.shoe or "")
    shoe.cards, shoe.unaccounted = what.cards, what.unaccounted if what.is_counted else None


def _signed_in(log: ShiftLog, record: r.Record, what: r.SignedIn) -> None:
    key = record.person or what.by, what.door
    person = log.people.setdefault(key, SignedInPerson(what.by, record.person, what.door, record.at))
    person.times += 1


def _wrong(log: ShiftLog, _: r.Record, what: r.SignInsRefused) -> None:
    log.wrong_pins += what.wrong


def _handed_over(log: ShiftLog, record: r.Record, what: r.HandedOver) -> None:
    log.hand_overs.append(LoggedHandOver(record.at, what, record.person))


_TAKES: Mapping[type, Callable[[ShiftLog, r.Record, Any], None]] = {
    r.Ruled: _ruled,
    r.Cancelled: _cancelled,
    r.Resettled: _resettled,
    r.Opened: _opened,
    r.ShoeReady: _ready,
    r.Shuffled: _shuffled,
    r.ShoeEnded: _ended,
    r.SignedIn: _signed_in,
    r.SignInsRefused: _wrong,
    r.HandedOver: _handed_over,
}
_ALWAYS = frozenset({r.ShoeReady, r.Shuffled, r.ShoeEnded, r.SignedIn, r.SignInsRefused, r.HandedOver})
