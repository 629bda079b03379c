"""Going on with what stands of a record: what follows from it at a table that does not run.

It is decided by what the table was set to last, as the record has it.
"""

from pathlib import Path

from ..config.table_file import PROGRAM
from ..core import events as e
from ..core import records as r
from ..core.decide import decide
from ..core.fold import fold
from ..core.position import Position
from ..core.recorded_house import recorded_house
from ..core.state import State
from ..games import GAMES
from ..journal import JournalError, back
from ..table.clocks import SteadyClock


class UnknownTable(JournalError):
    """A record of a table that nothing is known of here."""


def going_on(file: Path, state: State, *events: e.Event) -> list[r.Record]:
    """The records that these events lead to, behind one that ends in this state. Raises UnknownTable, JournalError."""
    for record in back(file, state.seq + 1, ["configured"]):
        assert isinstance(record.what, r.Configured)  # noqa: S101 - it was asked for
        house = recorded_house(record.table, record.what, GAMES, PROGRAM)
        if house is not None:
            found = list[r.Record]()
            for event in events:
                now = fold(state, found)
                found += decide(house, Position(GAMES), now, event, max(SteadyClock().now(), now.at)).records
            return found
    raise UnknownTable(f"{file}: expected the record of a table whose game is known here")
