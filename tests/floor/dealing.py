"""Process of a table on the bus that deals rounds with stakes and, now and then, a fault.

Usage: `python -m tests.floor.dealing FILE`; the file has a `Sitting` as JSON. The time of each card is written to a
file *.cards beside the journal.
"""

import asyncio
import random
import sys
import time
from contextlib import closing
from pathlib import Path

import msgspec
import structlog
from msgspec import Struct

from controller.config.bus import BusSection
from controller.core import events as e
from controller.table.clocks import SteadyClock
from tests.bus.dealing import clear
from tests.bus.tables import StudioTable
from tests.chance import SEED
from tests.table.test_table import NATURAL

FAULTS = 0.05  # share of rounds with a fault


class Sitting(Struct, frozen=True):
    """Settings of the process: table, journal, bus, number of rounds. `pause`: seconds between two rounds."""

    name: str
    journal: str
    bus: BusSection
    rounds: int
    pause: float


class Cards:
    """File with the seconds from each card's arrival until its record is durable."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("a", buffering=1)

    def deal(self, table: StudioTable, card: str) -> None:
        began = time.perf_counter()
        table.table.take(e.CardOut(card))
        self._file.write(f"{time.perf_counter() - began:.6f}\n")

    def close(self) -> None:
        self._file.close()


def cards(journal: Path) -> list[float]:
    """Return the times of all cards of a journal in seconds, from all runs of its table."""
    return [*map(float, journal.with_suffix(".cards").read_text().split())]


def dealt_of(journal: Path) -> Path:
    """Return the path of the file that marks that a table has dealt all rounds; it may still send them."""
    return journal.with_suffix(".dealt")


async def deal(sitting: Sitting) -> None:
    path = Path(sitting.journal)
    with closing(Cards(path.with_suffix(".cards"))) as times:
        async with StudioTable(path, sitting.bus, sitting.name, clock=SteadyClock()) as table:
            await rounds(table, sitting, times)
            dealt_of(path).touch()
            while table.sent != table.table.state.seq:
                await asyncio.sleep(0.05)


async def rounds(table: StudioTable, sitting: Sitting, times: Cards) -> None:
    """Deal until the table has had all its rounds, including those of earlier runs."""
    dice = random.Random(f"{SEED} {sitting.name}")
    while table.table.state.round.number < sitting.rounds:
        clear(table.table)
        await play(table, times, dice, sitting.pause / 8)
    clear(table.table)


async def play(table: StudioTable, times: Cards, dice: random.Random, pause: float) -> None:
    """Play one round with pauses, so that something else may happen between any two steps."""
    if table.table.state.shoe.out > 20:  # the shoe has eight of each card
        table.table.take(e.ChangeShoe())
        table.table.take(e.LoadShoe())
    table.table.take(e.Open())
    for player in ("p1", "p2"):
        table.table.take(e.PlaceBet(player, dice.choice(("banker", "player", "tie")), dice.randrange(100, 5000, 100)))
        await asyncio.sleep(pause)
    if dice.random() < FAULTS:
        times.deal(table, "5H")  # while bets are open
        await asyncio.sleep(pause)
        return
    table.table.take(e.Close())
    for card in NATURAL:
        await asyncio.sleep(pause)
        times.deal(table, card)
    table.table.take(e.KeyPressed("finish"))
    await asyncio.sleep(2 * pause)


def sit(sitting: Sitting) -> None:
    """Start the process: deal, and log critical messages alone."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    asyncio.run(deal(sitting))


if __name__ == "__main__":
    sit(msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Sitting))
