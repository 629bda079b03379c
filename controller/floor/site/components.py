"""Components of a floor for its web routes: connection, tables, shared documents, files."""

from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

from ...bus.bus_client import BusClient, options
from ...bus.keys import BusCredentials
from ...bus.permissions import inbox_of
from ...bus.seals import Seals
from ...config.floor_file import FloorConfig
from ...config.people import PeopleFile
from ...table.clocks import SteadyClock
from ..consoles.table_requests import TableClient
from ..history.figure_file import FigureFile
from ..history.history import FloorHistory
from ..history.misreads import recent_events
from ..live.live_tables import LiveTables
from ..shared_state.state import Shared
from ..storage.feed import FloorFeed
from ..storage.floor_record import FloorRecord
from ..storage.notes import Notes
from ..storage.store import Store


class FloorComponents(NamedTuple):
    """Components of one floor: connection, tables, shared documents and files."""

    config: FloorConfig
    people: PeopleFile
    clock: SteadyClock
    line: BusClient
    seals: Seals
    live_tables: LiveTables
    shared: Shared
    table_client: TableClient
    notes: Notes
    record: FloorRecord
    feed: FloorFeed
    history: FloorHistory

    @property
    def store(self) -> Store:
        """Store of the tables' events."""
        return self.history.store


def build_components(
    config: FloorConfig, store: Path, people: PeopleFile, key: BusCredentials, files: ExitStack
) -> FloorComponents:
    """Build all components and open their files.

    `store`: path of the events; `files`: closes the files at its exit. Raises Unusable.
    """
    bus, about, clock = config.bus, config.floor, SteadyClock()
    line = BusClient(options(bus, key, inbox_of("floor", about.name)))
    live_tables = LiveTables(about.name, about.at_most, clock.now)
    seals = Seals(key.signer, {}, {}, bus.admin)  # the roster adds the keys of tables and floors
    table_client = TableClient(line, bus.studio, about.name, key.signer, seals, live_tables.status_of)
    shared = Shared(line, bus.studio, about.name, seals, clock.now, live_tables.status_of)
    record = files.enter_context(closing(FloorRecord(store.with_name(f"{store.name}.record"), clock.now)))
    event_store = files.enter_context(closing(Store(store)))
    counted = files.enter_context(closing(FigureFile(store.with_name(f"{store.name}.numbers"), config.shifts)))
    history = FloorHistory(event_store, counted, config.shifts, about.minimum)
    live_tables.count_reads(recent_events(event_store))
    feed = FloorFeed(line, bus.studio, seals, event_store, table_client.events, live_tables.count_reads)
    notes = Notes(record.append, clock.now)
    return FloorComponents(
        config, people, clock, line, seals, live_tables, shared, table_client, notes, record, feed, history
    )
