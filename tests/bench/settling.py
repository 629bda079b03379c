"""Measure how settling a large book delays its last card, the next card and the payments.

One table runs in this process, with a real journal and its doors; its loop measures how long it did not look at
received data. 20 ms after the last card another one is sent from a thread, as from a shoe. The medians of a few turns
are printed for each size of book. To compare two commits, run it in both trees in turns.

    python -m tests.bench.settling [--bets N ...] [--turns N] [--folder DIR]
"""

import argparse
import asyncio
import gc
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

import structlog

from controller.core import events as e
from controller.core.house import House, Terms
from controller.core.records import Record
from controller.games import GAMES
from controller.journal import Journal
from controller.table.loop import Table
from controller.web.listeners import TableDoors
from controller.web.net.sockets import Listening

from .bet_tables import CARDS, DelaySelector

SOON = 0.02  # seconds from the last card to the next one


class SettlingTimes(NamedTuple):
    """Seconds: the last card, the longest wait of a card, the next card, until the last bet is paid."""

    card: float
    held: float
    next: float
    told: float


class Settling:
    """Table that settles one round with many bets."""

    def __init__(self, folder: Path, looks: DelaySelector) -> None:
        game, path = GAMES["baccarat"], folder / "t.journal"
        self.table = Table(House(game, game.settings(), Terms(betting_seconds=36000)), Journal(path))
        self.doors, self.looks = TableDoors(self.table, path, Listening(folder / "t.sock")), looks
        self.table.subscribe(self._hear)
        self.paid, self.last, self.late, self.over = 0, 0.0, 0.0, asyncio.Event()

    def _hear(self, _: Table, records: Sequence[Record]) -> None:
        self.paid += sum(record.kind == "paid" for record in records)
        self.last = time.perf_counter() if any(record.kind == "paid" for record in records) else self.last

    async def run(self, bets: int) -> SettlingTimes:
        table, loop = self.table, asyncio.get_running_loop()
        table.start("dealer")
        table.take(e.Open())
        for number in range(bets):
            table.take(e.PlaceBet(f"p{number}", ("player", "banker", "tie")[number % 3], 1000 + number))
        table.take(e.Close())
        for card in CARDS[:-1]:
            table.take(e.CardOut(card))
        gc.collect()
        gc.freeze()
        await asyncio.sleep(0.2)
        self.looks.waits()
        began = time.perf_counter()
        threading.Timer(SOON, lambda: loop.call_soon_threadsafe(self._next, began + SOON)).start()
        table.take(e.CardOut(CARDS[-1]))
        card = time.perf_counter() - began
        while self.paid < bets or not self.late:
            await asyncio.sleep(0.001)
        held = max([card, *(one.wall for one in self.looks.waits())])
        await self.doors.stop()
        table.stop()
        table.journal.close()
        return SettlingTimes(card, held, self.late, self.last - began)

    def _next(self, due: float) -> None:
        self.table.take(e.CardOut("4D"))
        self.late = time.perf_counter() - due


def measured(bets: int, folder: Path) -> SettlingTimes:
    looks = DelaySelector()
    with (
        tempfile.TemporaryDirectory(dir=folder) as own,
        asyncio.Runner(loop_factory=lambda: asyncio.SelectorEventLoop(looks)) as runner,
    ):

        async def one() -> SettlingTimes:
            return await Settling(Path(own), looks).run(bets)

        return runner.run(one())


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--bets", type=int, nargs="+", default=[1_000, 25_000])
    words.add_argument("--turns", type=int, default=3)
    words.add_argument("--folder", type=Path, default=Path.cwd(), help="where to write; on the disk that is measured")
    given = words.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    for bets in given.bets:
        found = [measured(bets, given.folder) for _ in range(given.turns)]
        card, held, late, last = (median(one[which] for one in found) * 1e3 for which in range(4))
        print(
            f"{bets:>7,} bets: the card takes {card:.0f} ms, a card could wait {held:.0f} ms at most, "
            f"the next card is done after {late:.0f} ms, the last bet is told as paid after {last:.0f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()
