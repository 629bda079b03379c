"""Identity of a record: one table, one currency, one family of games."""

from .coded_message import CodedMessage, coded
from .house import House
from .state import State


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
