"""Countdown of an open betting or decision window.

A page counts from the server's time to the deadline, so both are sent as the table knows them.
"""

from msgspec import Struct

from ...core.clock import SECOND, to_text
from ...rules.procedure import Ask
from .table_snapshot import TableSnapshot


class TimeLeft(Struct, frozen=True):
    """Time left to place bets or to decide."""

    seconds: int  # length of the whole window
    until: str | None  # deadline while the window runs, else null
    left: float | None  # seconds left while the round is paused, else null


def clock(snapshot: TableSnapshot) -> TimeLeft | None:
    """Countdown of the open window; None if no window is open."""
    state = snapshot.state
    if state.deadline is None and state.left is None:
        return None
    until = None if state.deadline is None else to_text(state.deadline)
    return TimeLeft(_seconds(snapshot), until, None if state.left is None else state.left / SECOND)


def _seconds(snapshot: TableSnapshot) -> int:
    terms, due = snapshot.state.round.terms, snapshot.due
    if isinstance(due, Ask):
        return due.seconds or terms.decision_seconds
    return terms.betting_seconds
