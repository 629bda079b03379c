"""State of a table as the API answers it and the command line reads it."""

from typing import Any

from msgspec import Struct

from ...core.causes import Cause, Due
from ...core.codes import FaultCode, RulingCode, RulingReason, StageCode
from ...rules.cards import Card
from ...rules.procedure import Step


class WaitingReport(Struct, frozen=True):
    """Report made during the pause; it becomes the next fault unless a ruling answers it."""

    seq: int
    got: str
    came: Cause


class OpenFault(Struct, frozen=True):
    """Fault that paused the round, with the rulings on offer."""

    seq: int
    since: str | None
    code: FaultCode
    expected: str
    got: str
    due: Due
    came: Cause
    rulings: tuple[RulingCode, ...]
    draw: int | None
    not_now: dict[RulingCode, RulingReason] = {}  # rulings that are not possible now, each with the reason
    waiting: tuple[WaitingReport, ...] = ()  # in the order in which they become faults


class OpenCase(Struct, frozen=True):
    """Report made after the end of its round; it is open until a person closes it.

    `seq`: number of the case, for `dismiss`.
    """

    seq: int
    round: int
    since: str
    got: str
    came: Cause


class LooseCard(Struct, frozen=True):
    """Card without a place, until a ruling gives it one."""

    draw: int
    card: Card | None
    place: str | None  # place where the card was reported to lie


class ShoeCards(Struct, frozen=True):
    """Cards of the shoe, counted from the record."""

    id: str
    left: int
    cut: bool
    shuffled: bool
    changing: bool


class BetsInPlay(Struct, frozen=True):
    """Bets in play: their number and stakes in minor units."""

    count: int
    total: int
    markets: dict[str, int]


class RoundExposure(Struct, frozen=True):
    """Most that the bets of the live round can win beyond their stakes, in minor units, with any cards."""

    most: int | None  # null: the rule sheet cannot compute it
    warning: int | None  # amount above which the table warns; null: never
    warned: bool  # True: the warning was given


class TableState(Struct, frozen=True):
    """Present state of a table. A null field is unknown, does not apply, or is not for this audience."""

    table: str
    seq: int  # number of the last record in this state: later events are not in it
    epoch: str  # epoch of the record: with `seq` it identifies an event uniquely
    at: str
    halted: str | None  # reason why nothing can be recorded
    open: bool
    life: StageCode
    round: int
    window: int  # betting window that is open now, or was open last
    round_id: str | None
    currency: str  # of all amounts: ISO 4217
    game: str
    due: Step | None
    expected: str
    places: dict[str, tuple[Card | None, ...]]
    deadline: str | None
    left: float | None  # seconds of the open window, while paused
    outcome: dict[str, Any] | None
    manual: bool
    paused_from: StageCode | None = None
    fault: OpenFault | None = None
    loose: tuple[LooseCard, ...] | None = None
    question: int | None = None  # open question: `seq` of its event `asked`
    decided: dict[str, str] | None = None
    dealer: str | None = None
    shoe: ShoeCards | None = None
    bets: BetsInPlay | None = None
    lost: tuple[str, ...] | None = None
    gone: tuple[str, ...] | None = None
    cases: tuple[OpenCase, ...] | None = None  # open cases about rounds that are over
    exposure: RoundExposure | None = None  # for shift managers, while a round is live
