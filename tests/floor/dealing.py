"""A table in a process of its own that deals round after round on the bus, with stakes and now and then a fault.

python -m tests.floor.dealing FILE, with a `Sitting` as JSON in it. The longest that a card took stands beside the
journal, in *.slowest.
"""

import asyncio
import random
import sys
import time
from pathlib import Path

import msgspec
import structlog
from msgspec import Struct

from controller.config.bus import BusSection
from controller.core import events as e
from tests.bus.dealing import clear
from tests.bus.tables import OnTheBus
from tests.test_table import NATURAL

FAULTS = 0.05  # of the rounds


class Sitting(Struct, frozen=True):
    """`pause`: seconds between two rounds."""

    name: str
    journal: str
    bus: BusSection
    rounds: int
    pause: float


class Cards:
    """How long the longest took: from its coming to its being durable."""

    def __init__(self, path: Path) -> None:
        self._path, self._slowest = path, 0.0

    def deal(self, table: OnTheBus, card: str) -> None:
        began = time.perf_counter()
        table.table.take(e.CardOut(card))
        took = time.perf_counter() - began
        if took > self._slowest:
            self._slowest = took
            with self._path.open("a") as file:
                file.write(f"{took:.6f}\n")


def slowest(journal: Path) -> float:
    """Of all its lives, in seconds."""
    return max(map(float, journal.with_suffix(".slowest").read_text().split()), default=0.0)


async def deal(sitting: Sitting) -> None:
    path, dice = Path(sitting.journal), random.Random(sitting.name)
    cards = Cards(path.with_suffix(".slowest"))
    async with OnTheBus(path, sitting.bus, sitting.name) as table:
        while table.table.state.round.number < sitting.rounds:
            clear(table.table)
            await play(table, cards, dice, sitting.pause / 8)
        clear(table.table)
        while table.sent != table.table.state.seq:
            await asyncio.sleep(0.05)


async def play(table: OnTheBus, cards: Cards, dice: random.Random, pause: float) -> None:
    """One round; something else may happen between any two of its steps."""
    if table.table.state.shoe.out > 20:  # of each card there are eight
        table.table.take(e.ChangeShoe())
        table.table.take(e.LoadShoe())
    table.table.take(e.Open())
    for player in ("p1", "p2"):
        table.table.take(e.PlaceBet(player, dice.choice(("banker", "player", "tie")), dice.randrange(100, 5000, 100)))
        await asyncio.sleep(pause)
    if dice.random() < FAULTS:
        cards.deal(table, "5H")  # while bets are open
        await asyncio.sleep(pause)
        return
    table.table.take(e.Close())
    for card in NATURAL:
        await asyncio.sleep(pause)
        cards.deal(table, card)
    table.table.take(e.Pressed("finish"))
    await asyncio.sleep(2 * pause)


def sit(sitting: Sitting) -> None:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    asyncio.run(deal(sitting))


if __name__ == "__main__":
    sit(msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Sitting))
