"""Import of the bus package for commands; its libraries are optional."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import structlog

from ..config.mistakes import BadConfig
from ..config.table_file import Config
from ..core.clock import Time
from ..core.events import WitnessAsked
from ..core.mark import Mark
from ..core.state import State
from ..station.station import Station
from ..station.takeover import Unheard
from ..text.coded import render, sentence_and_code
from ..web.listeners import TableDoors

LIBRARY = ("nats", "nkeys", "nacl")


class TableBus(Protocol):
    """Connection of a table to the bus."""

    def start(self) -> None:
        """Connect to the bus; called after the table has started."""

    async def stop(self) -> None:
        """Disconnect from the bus; called after the table has stopped."""


class NoBus:
    """Stand-in for the bus connection of a table without a bus."""

    def start(self) -> None:
        """Do nothing: there is no bus to connect to."""

    async def stop(self) -> None:
        """Do nothing: there is no bus to disconnect from."""


@contextmanager
def bus_imports() -> Iterator[None]:
    """Context for imports of the bus package. Raises BadConfig if a library of it is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in LIBRARY:
            raise
        raise BadConfig(
            f"the bus needs a library that is not installed here, {error.name}: pip install 'tablectl[bus]'"
        ) from None


async def check_with_bus(settings: Config, config: Path, journal: Path, state: State) -> WitnessAsked | None:
    """Check that the bus, if there is one, remembers this record.

    Returns None if it does or there is no bus; else an event with the reason why the bus could not be asked. Raises
    WitnessRefused, JournalError, Unusable.
    """
    if not settings.bus.servers:
        return None
    with bus_imports():
        from ..bus.unpublished_rounds import publish_rest
        from ..bus.witness import Superseded, admit
    try:
        unseen = await admit(settings.bus, str(config), settings.table.name, journal, state)
    except Superseded:
        await publish_rest(settings.bus, journal, state)
        raise
    if unseen is None:
        return None
    structlog.get_logger().warning("witness_unheard", table=settings.table.name, reason=render(unseen))
    return WitnessAsked(state.seq + 1, *sentence_and_code(unseen))


class BusWitness:
    """Bus of a table that does not run; all calls do nothing if the config names none."""

    def __init__(self, settings: Config) -> None:
        self._bus, self._log = settings.bus, structlog.get_logger().bind(table=settings.table.name)

    def remembered_head(self, state: State) -> Mark | None:
        """Head that the record must agree with; None without a bus. Raises Unheard, WitnessRefused, Unusable."""
        if not self._bus.servers:
            return None
        with bus_imports():
            from ..bus.bus_client import BusFailed
            from ..bus.witness import ask_for_head
        try:
            return asyncio.run(ask_for_head(self._bus, state))
        except BusFailed as error:
            raise Unheard(error.message) from None

    def announce(self, mark: Mark, at: Time) -> None:
        """Announce a new epoch to the bus; if that fails, the table does it at its next start."""
        if not self._bus.servers:
            return
        with bus_imports():
            from ..bus.bus_client import BusFailed
            from ..bus.witness import announce
        try:
            asyncio.run(announce(self._bus, mark, at))
        except BusFailed as error:
            self._log.warning("head_not_told", reason=str(error))


def bus_of(settings: Config, station: Station, doors: TableDoors, journal: Path) -> TableBus:
    """Connection of the table to its bus, or `NoBus` if it has none. Raises Unusable."""
    if not settings.bus.servers:
        return NoBus()
    with bus_imports():
        from ..bus.assembly import join_bus
    return join_bus(settings, station, doors, journal)
