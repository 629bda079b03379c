"""The way from a command into the room of the bus, which needs a library that not every table has."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import structlog

from ..config.mistakes import BadConfig
from ..config.table_file import Config
from ..core.mark import Mark
from ..core.state import State
from ..station.station import Station
from ..web.listeners import Doors

LIBRARY = ("nats", "nkeys", "nacl")


class OnTheBus(Protocol):
    """A table's line to the bus."""

    def start(self) -> None:
        """The table has started."""

    async def stop(self) -> None:
        """The table has stopped."""


class Alone:
    """A table that is on no bus."""

    def start(self) -> None:
        """Nothing."""

    async def stop(self) -> None:
        """Nothing."""


@contextmanager
def entering() -> Iterator[None]:
    """Around what imports from there. Raises BadConfig."""
    try:
        yield
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in LIBRARY:
            raise
        raise BadConfig(
            f"the bus needs a library that is not installed here, {error.name}: pip install 'tablectl[bus]'"
        ) from None


async def witnessed(settings: Config, config: Path, journal: Path, state: State) -> None:
    """See whether the bus remembers this record, where there is one. Raises WitnessRefused, JournalError, Unusable."""
    if not settings.bus.servers:
        return
    with entering():
        from ..bus.witness import admit
    unseen = await admit(settings.bus, str(config), settings.table.name, journal, state)
    if unseen is not None:
        structlog.get_logger().warning("witness_unheard", table=settings.table.name, reason=unseen)


def of_the_bus(settings: Config, state: State) -> Mark | None:
    """What the bus remembers of a record, where there is one that is reached. Raises WitnessRefused, Unusable."""
    if not settings.bus.servers:
        return None
    with entering():
        from ..bus.line import BusFailed
        from ..bus.witness import asked
    try:
        return asyncio.run(asked(settings.bus, state))
    except BusFailed as error:
        structlog.get_logger().warning("witness_unheard", table=settings.table.name, reason=str(error))
        return None


def bus_of(settings: Config, station: Station, doors: Doors, journal: Path) -> OnTheBus:
    """A table's line to the bus, where there is one. Raises Unusable."""
    if not settings.bus.servers:
        return Alone()
    with entering():
        from ..bus.joined import joined
    return joined(settings, station, doors, journal)
