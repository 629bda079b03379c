"""Records of a fault and of its reports and limits, until somebody rules on it."""

from typing import Literal

from msgspec import UNSET, UnsetType, field

from ..causes import Cause, Due, Report
from ..clock import Time
from ..codes import FaultCode, RulingCode, RulingReason
from .difference import RoundDifference
from .fact import OfRound

AnsweredBy = Literal["ruling", "found", "cancel"]  # a ruling on another fault; the device is back; the round is void


class Faulted(OfRound, frozen=True, tag="faulted"):
    """The procedure was broken; the round is paused."""

    code: FaultCode
    due: Due
    came: Cause
    rulings: tuple[RulingCode, ...]
    draw: int | None = None
    hidden: bool = False  # True: `came` is withheld from everybody but the auditor
    report: int | None = None  # record of the report, if it was made during the pause before
    not_now: dict[RulingCode, RulingReason] = field(default_factory=dict)  # not possible now, with the reason
    suspect: bool = False  # True: more copies of a card lie open than the deck holds
    touched: RoundDifference = RoundDifference()  # effect if the dropped or seen card is taken out of the round
    currency: str = ""  # of the amounts: ISO 4217


class Reported(OfRound, frozen=True, tag="reported"):
    """Report made during a pause; it waits for the ruling that ends the pause."""

    came: Report
    draw: int | None = None  # draw that the report is about


class ReportAnswered(OfRound, frozen=True, tag="report_answered"):
    """Report made during a pause that needs no ruling of its own any more."""

    report: int
    by: AnsweredBy


class Acknowledged(OfRound, frozen=True, tag="acknowledged"):
    """A shift manager has seen the fault."""

    fault: int
    by: str
    again: bool | UnsetType = UNSET  # True: somebody had seen it before, so its time limit runs on


class Escalated(OfRound, frozen=True, tag="escalated"):
    """A fault waits too long. `level`: alert level that is called next; null: cancellation is offered now."""

    fault: int
    level: int | None


class Extended(OfRound, frozen=True, tag="extended"):
    """A shift manager gets more time: until then the clock neither cancels the round nor offers it."""

    fault: int
    by: str
    until: Time
    because: str = ""


class Restarted(OfRound, frozen=True, tag="restarted"):
    """The program has restarted while a fault is open: the time limits of the fault start again."""

    fault: int
