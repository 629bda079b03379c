"""A table in a process of its own that deals round after round on the bus, until it is killed or has dealt enough."""

import asyncio
from pathlib import Path

import structlog

from controller.config.bus import BusSection
from controller.core import events as e
from controller.table.loop import Table
from tests.bus.tables import OnTheBus

PAUSE = 0.002  # seconds between two rounds: as fast as may be, and the bus keeps up


async def deal(journal: Path, section: BusSection, rounds: int) -> None:
    async with OnTheBus(journal, section) as table:
        while table.table.state.round.number < rounds:
            clear(table.table)
            table.play()
            await asyncio.sleep(PAUSE)
        await table.caught_up()


def clear(table: Table) -> None:
    """A round or a change of the shoe, in the midst of which it was killed, is over."""
    if table.state.live:
        table.take(e.KeyPressed("manager"))
        table.take(e.Rule("cancel", "m", "killed"))
    if table.state.shoe.changing:
        table.take(e.LoadShoe())
    assert not table.state.live, table.state.fault


def run(journal: Path, section: BusSection, rounds: int) -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    asyncio.run(deal(journal, section, rounds))
