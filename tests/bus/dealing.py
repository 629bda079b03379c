"""Process of a table on the bus that deals rounds until it is killed or has dealt enough."""

import asyncio
from pathlib import Path

import structlog

from controller.config.bus import BusSection
from controller.core import events as e
from controller.table.loop import Table
from tests.bus.tables import StudioTable

PAUSE = 0.002  # seconds between two rounds: as short as possible so that the bus keeps up


async def deal(journal: Path, section: BusSection, rounds: int) -> None:
    """Deal until the table has had `rounds` rounds, then wait until the bus has every record."""
    async with StudioTable(journal, section) as table:
        while table.table.state.round.number < rounds:
            clear(table.table)
            table.play()
            await asyncio.sleep(PAUSE)
        await table.caught_up()


def clear(table: Table) -> None:
    """End what a kill of the process interrupted: cancel the round, finish the change of the shoe."""
    if table.state.live:
        table.take(e.KeyPressed("manager"))
        table.take(e.Rule("cancel", "m", "killed"))
    if table.state.shoe.changing:
        table.take(e.LoadShoe())
    assert not table.state.live, table.state.fault


def run(journal: Path, section: BusSection, rounds: int) -> None:
    """Start the process: deal on the bus, and log critical messages alone."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    asyncio.run(deal(journal, section, rounds))
