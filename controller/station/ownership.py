"""Checks that a record is the table's own, and that this program can pay what it owes."""

from pathlib import Path

from ..core.coded_message import coded
from ..core.house import House
from ..core.identity import another_table
from ..core.position import Position, Unplayable
from ..core.state import State
from ..games import GAMES
from ..journal import JournalError
from ..text.coded import message_of


class OtherTable(JournalError):
    """A journal that is not this table's."""


class Unpaid(JournalError):
    """A round that was not paid to its end, and that this program cannot pay."""


def payable(state: State, journal: Path) -> None:
    """See whether this program can pay what the last round owes. Raises Unpaid."""
    if not state.owes or state.round.outcome is None:
        return
    try:
        Position(GAMES).settings(state.round)
    except Unplayable as error:
        owed = len(state.round.bets)
        raise Unpaid(coded("unpaid", path=str(journal), count=owed, reason=message_of(error))) from None


def own(state: State, house: House, journal: Path) -> None:
    """See whether a record that ends in this state is this table's to go on with.

    Raises OtherTable, Unpaid.
    """
    if another := another_table(state, house):
        raise OtherTable(coded("other_table", path=str(journal), reason=another))
    payable(state, journal)
