"""What stands behind a floor's doors: for whoever answers there."""

from typing import NamedTuple

from ..bus.line import Line
from ..config.floor_file import FloorConfig
from ..config.people import PeopleFile
from ..table.clocks import SteadyClock
from .ask import Ask
from .feed import Feed
from .hall import Hall
from .history import History
from .notes import Notes
from .record import FloorRecord
from .shared import Shared
from .store import Store


class Behind(NamedTuple):
    """Of one floor."""

    config: FloorConfig
    people: PeopleFile
    clock: SteadyClock
    line: Line
    hall: Hall
    shared: Shared
    ask: Ask
    notes: Notes
    record: FloorRecord
    feed: Feed
    history: History

    @property
    def store(self) -> Store:
        """What it keeps of the tables' records."""
        return self.history.store
