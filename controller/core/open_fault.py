"""Open fault of a table, with its limits of time, and the reports that wait behind it."""

from typing import Literal

from msgspec import Struct

from .causes import Cause, Due, HiddenCard, Report
from .clock import SECOND, Time
from .records import RoundDifference

RulingLimit = tuple[Time, Literal["offer", "cancel"]]  # when the clock acts if nobody rules, and what it does
MOST_CALLS = 10  # about one fault; after so many calls nobody is there to answer


class Fault(Struct, frozen=True, omit_defaults=True):
    """Open fault: what was due, what came, and the rulings it allows."""

    seq: int
    code: str
    due: Due
    came: Cause
    rulings: tuple[str, ...]  # rulings that were offered when it was raised
    draw: int | None = None
    hidden: bool = False
    touched: RoundDifference = RoundDifference()
    since: Time = 0  # when it was raised
    seen_by: str | None = None  # shift manager who has acknowledged it last
    seen_at: Time = 0  # when it was acknowledged first
    escalations: int = 0  # calls so far
    offered: bool = False  # True: cancellation of the round has been offered
    not_now: dict[str, str] = {}  # further rulings, each with why it was not possible when the fault was raised
    suspect: bool = False  # True: more copies of a card lie open than the deck holds
    until: Time = 0  # end of the last extension; the clock does not cancel before it
    restarted: Time = 0  # when the program was last started again; 0: it has run since the fault

    @property
    def allowed_rulings(self) -> tuple[str, ...]:
        """Rulings that the fault allows, now or once they are possible."""
        return (*self.rulings, *self.not_now)

    @property
    def limits_start(self) -> Time:
        """Time from which its limits run: after a restart the shift manager is called anew."""
        return self.restarted or self.since

    def next_call(self, seconds: int) -> Time | None:
        """Time of the next call if nobody has acknowledged by then; None if no call comes any more.

        `seconds`: between two calls.
        """
        if self.seen_by is not None or self.escalations >= MOST_CALLS:
            return None
        return self.limits_start + seconds * (self.escalations + 1) * SECOND

    def unruled_at(self, seconds: int) -> Time:
        """Time at which the fault has been without a ruling for `seconds`.

        Counted from the fault, a restart or its first acknowledgement, and not before extra time has run out.
        """
        return max(max(self.limits_start, self.seen_at) + seconds * SECOND, self.until)

    @property
    def visible_cause(self) -> Cause:
        """Input that caused the fault; HiddenCard if its card lies face down."""
        return HiddenCard() if self.hidden else self.came


class QueuedReport(Struct, frozen=True):
    """Report made during a pause, until it becomes the next fault or is answered."""

    seq: int
    came: Report
    draw: int | None = None  # that it is about
