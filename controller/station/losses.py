"""Continue with the valid part of a record: make the records that follow, for a table that is off.

The decisions use the last settings of the table in its record.
"""

from pathlib import Path

from ..config.table_file import PROGRAM
from ..core import events as e
from ..core import records as r
from ..core.coded_message import coded
from ..core.decide import decide
from ..core.fold import fold
from ..core.position import Position
from ..core.recorded_house import recorded_house
from ..core.state import State
from ..games import GAMES
from ..journal import JournalError, read_backwards
from ..table.clocks import SteadyClock


class UnknownTable(JournalError):
    """Record of a table whose game is not known here."""


def following_records(file: Path, state: State, *events: e.Event) -> list[r.Record]:
    """Return the records that these events lead to after this state. Raises UnknownTable, JournalError."""
    for record in read_backwards(file, state.seq + 1, ["configured"]):
        assert isinstance(record.what, r.Configured)  # noqa: S101 - it was asked for
        house = recorded_house(record.table, record.what, GAMES, PROGRAM)
        if house is not None:
            records = list[r.Record]()
            for event in events:
                now = fold(state, records)
                records += decide(house, Position(GAMES), now, event, max(SteadyClock().now(), now.at)).records
            return records
    raise UnknownTable(coded("unknown_game", path=str(file)))
