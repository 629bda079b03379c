"""Assembly of a table's bus connection: published records, and requests answered by the table's API."""

from pathlib import Path

from ..config.table_file import Config
from ..outputs.web_metrics import BUS
from ..station.station import Station
from ..web.listeners import TableDoors
from .bus import Bus
from .bus_tasks import TableEnds
from .relay import BusSignOn, Relay


def join_bus(settings: Config, station: Station, doors: TableDoors, journal: Path) -> Bus:
    """Build the bus connection of a table, before the table starts. Raises Unusable."""
    table, custody = station.table, station.custody
    relay = Relay(doors.door_app(BusSignOn(doors.checker.persons)))
    floors = None if station.hold is None else station.hold.take_heartbeat
    ends = TableEnds(
        settings.bus, table, journal, relay, doors.viewers, lambda: (*doors.lookout.messages, *custody.messages), floors
    )
    bus = Bus(ends)
    doors.lookout.add(BUS, bus)
    doors.backlog = bus.backlog
    return bus
