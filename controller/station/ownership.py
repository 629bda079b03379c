"""Checks that a record belongs to this table and that this program can finish its payments."""

from pathlib import Path

from ..core.coded_message import CodedMessage, coded
from ..core.house import House
from ..core.position import Position, Unplayable
from ..core.state import State
from ..games import GAMES
from ..journal import JournalError
from ..text.coded import message_of


class OtherTable(JournalError):
    """Journal belongs to another table, currency or family of games."""


class Unpaid(JournalError):
    """Last round is not completely paid, and this program cannot pay it."""


def another_table(state: State, house: House) -> CodedMessage | None:
    """Difference between a table and the identity of its record; None if the table may go on with the record."""
    if not state.seq:
        return None
    identity, game = state.identity, house.game
    if state.table != house.table:
        return coded("another_table", name=house.table, table=state.table)
    if identity.currency != house.currency:
        return coded("another_currency", name=house.currency, said=identity.currency)
    if identity.family != game.family_name:
        return coded("another_family", name=game.family_name, said=identity.family)
    return None


def require_payable(state: State, journal: Path) -> None:
    """Check that this program can pay the open payments of the last round. Raises Unpaid."""
    if not state.owes or state.round.outcome is None:
        return
    try:
        Position(GAMES).settings(state.round)
    except Unplayable as error:
        owed = len(state.round.bets)
        raise Unpaid(coded("unpaid", path=str(journal), count=owed, reason=message_of(error))) from None


def require_own(state: State, house: House, journal: Path) -> None:
    """Check that a record with this last state belongs to this table and can be continued.

    Raises OtherTable, Unpaid.
    """
    if another := another_table(state, house):
        raise OtherTable(coded("other_table", path=str(journal), reason=another))
    require_payable(state, journal)
