"""How long a card waits while a thousand bets are placed, taken into the round, settled and recorded.

The cards come while the bets do, from another thread as a device's would: those before the close are burnt by a ruling.
Beside it, in the same run, the same rounds without a bet.

    python -m tests.bench.bets [--bets N] [--rounds N] [--folder DIR]
"""

import argparse
import asyncio
import gc
import tempfile
import time
from pathlib import Path

import structlog

from controller.core import events as e
from controller.core.house import House, Terms
from controller.games import GAMES
from controller.journal import Journal, read
from controller.table.loop import Table

CARDS = ("9C", "2D", "KH", "3S")  # a natural: the fourth settles the round


class Bench:
    """A table with a real journal, and how long each card took from its arrival to its durable record."""

    def __init__(self, path: Path) -> None:
        game = GAMES["baccarat"]
        self.table = Table(House(game, game.settings(), Terms(betting_seconds=3600)), Journal(path))
        self.table.start("dealer")
        self.delays: list[float] = []

    async def card(self, card: str) -> None:
        """A card arrives now, and is done when its record is on disk."""
        loop, done = asyncio.get_running_loop(), asyncio.Event()

        def take(at: float) -> None:
            self.table.take(e.CardOut(card))
            self.delays.append((time.perf_counter() - at) * 1000)
            done.set()

        await asyncio.to_thread(lambda: loop.call_soon_threadsafe(take, time.perf_counter()))
        await done.wait()

    async def bets(self, count: int) -> None:
        """Every bet that is not in yet, one after the other; devices and people have their turn between them."""
        for number in range(count):
            if f"b{number}" not in self.table.state.round.bets:
                market = ("player", "banker", "tie")[number % 3]
                self.table.take(e.PlaceBet(f"p{number}", market, 1000 + number))
                await asyncio.sleep(0)

    async def round(self, bets: int) -> None:
        """A round in which a card comes too early, in the midst of the bets; those refused for it come once more."""
        self.table.take(e.ChangeShoe())
        self.table.take(e.LoadShoe())
        self.table.take(e.Open())
        await asyncio.gather(self.bets(bets), self.card("5H"))
        self.table.take(e.Rule("burn", "manager", "too early"))
        await self.bets(bets)
        self.table.take(e.Close())
        for card in CARDS:
            await self.card(card)
        assert self.table.state.life == "settled", self.table.state.fault
        await asyncio.sleep(0)


async def measure(folder: Path, bets: int, rounds: int) -> tuple[list[float], list[float], list]:
    quiet, busy = Bench(folder / "quiet.journal"), Bench(folder / "busy.journal")
    for _ in range(rounds):
        await quiet.round(0)
        await busy.round(bets)
    for bench in (quiet, busy):
        bench.table.stop()
        bench.table.journal.close()
    return quiet.delays, busy.delays, list(read(folder / "busy.journal"))


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--bets", type=int, default=1000, help="in a round")
    words.add_argument("--rounds", type=int, default=10)
    words.add_argument("--folder", type=Path, help="where to write; on the disk that is to be measured")
    given = words.parse_args()
    gc.freeze()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    with tempfile.TemporaryDirectory(dir=given.folder or Path.cwd()) as folder:
        quiet, busy, records = asyncio.run(measure(Path(folder), given.bets, given.rounds))
    kinds = [record.kind for record in records]
    accepted, paid = kinds.count("bet_accepted"), kinds.count("paid")
    assert accepted == paid == given.bets * given.rounds, (accepted, paid)
    print(f"{given.rounds} rounds of {given.bets} bets: {accepted} accepted, {paid} settled, {len(records)} records")
    print(f"{'delay of a card':32}{'median':>10}{'longest':>12}")
    for name, delays in (("without bets", quiet), (f"with {given.bets} bets", busy)):
        print(f"{name:32}{sorted(delays)[len(delays) // 2]:>7.2f} ms{max(delays):>9.2f} ms")
    print(f"longest, with {given.bets} bets (aim: under 20 ms): {max(busy):.2f} ms")


if __name__ == "__main__":
    main()
