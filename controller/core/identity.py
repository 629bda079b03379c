"""Identity of a record: one table, one currency, one family of games."""

from .house import House
from .state import State


def another_table(state: State, house: House) -> str | None:
    """Difference between a table and the identity of its record, in words; None if they agree.

    None where it may go on with it.
    """
    if not state.seq:
        return None
    identity, game = state.identity, house.game
    if state.table != house.table:
        return f"expected the record of table {house.table}, this is that of {state.table}"
    if identity.currency != house.currency:
        return f"expected a record of stakes in {house.currency}, in this one they are in {identity.currency}"
    if identity.family != game.family_name:
        return f"expected a record of {game.family_name}, this is one of {identity.family}"
    return None
