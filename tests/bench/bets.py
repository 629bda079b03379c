"""What a bet costs, alone and in a list of 500, at an empty book and at one of 20,000; and how long a card waits.

The bets come over the table's own socket, from a process of their own. The table's processor time is what is compared:
it is the same on a machine that has other things to do. Beside it stands what the bare journal writes on this disk, one
bet at a time and fifty at a time. What waits is a telegram of the shoe's, durable when it is done, every 10 ms: first
with no bets, then while lists of them come; by the clock, and by what the table itself spent of it.

    python -m tests.bench.bets [--book N] [--sample N] [--folder DIR]
"""

import argparse
import asyncio
import gc
import multiprocessing
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import structlog

from controller.cli.client import ask
from controller.core import events as e
from controller.core.house import House, Terms
from controller.core.records import Record
from controller.games import GAMES
from controller.journal import Journal, read
from controller.table.loop import Table
from controller.web.listeners import Doors
from controller.web.net.sockets import Listening

CARDS = ("9C", "2D", "KH", "3S")  # a natural: the fourth settles the round
LIST, PORTION = 500, 50  # bets in a list; bets that the journal writes at a time
EVERY, QUIET = 0.01, 2.0  # seconds


class Cost(NamedTuple):
    """What one bet took, in microseconds."""

    wall: float
    processor: float


def platform(socket: Path, orders: Connection) -> None:
    """The game server: sends so many bets from that number on, in lists of that length. A process of its own."""
    for first, count, length in iter(orders.recv, None):
        for start in range(first, first + count, length):
            bets = [bet(number) for number in range(start, start + length)]
            reply = ask(socket, "POST", "/api/commands?role=server", bets)
            assert {one["verdict"] for one in reply.body["verdicts"]} == {"done"}, reply.body["verdicts"][0]
        orders.send(None)


def bet(number: int) -> dict:
    market = ("player", "banker", "tie")[number % 3]
    about = {"player": f"p{number}", "market": market, "stake": 1000 + number, "round": 1}
    return {"command": "bet", "id": f"b{number}", **about}


class Wait(NamedTuple):
    """How long a telegram took from its arrival to its durable record, in milliseconds."""

    wall: float
    processor: float


def since(wall: float, processor: float) -> tuple[float, float]:
    """Seconds by the clock, and of this process."""
    return time.perf_counter() - wall, time.process_time() - processor


class Bench:
    """A table with a real journal and its doors; and how long each telegram took from its arrival to its record."""

    def __init__(self, folder: Path) -> None:
        game = GAMES["baccarat"]
        self.path, self.socket = folder / "t.journal", folder / "t.sock"
        house = House(game, game.settings(), Terms(betting_seconds=36000))
        self.table, listening = Table(house, Journal(self.path)), Listening(self.socket)
        self.doors = Doors(self.table, self.path, listening)
        self.table.start("dealer")
        self.doors.start()
        self.waits: list[Wait] = []
        self.quiet: list[Wait] = []  # while there were no bets
        self._orders, theirs = multiprocessing.Pipe()
        self._platform = multiprocessing.get_context("fork").Process(target=platform, args=(self.socket, theirs))
        self._platform.start()

    async def cost(self, first: int, count: int, length: int) -> Cost:
        """What each of so many bets took, in lists of this length."""
        began = time.perf_counter(), time.process_time()
        self._orders.send((first, count, length))
        await asyncio.to_thread(self._orders.recv)
        return Cost(*(seconds / count * 1e6 for seconds in since(*began)))

    @asynccontextmanager
    async def telegrams(self) -> AsyncIterator[None]:
        """Meanwhile one comes every EVERY seconds, from a thread as a device's."""
        loop, ended = asyncio.get_running_loop(), threading.Event()

        def take(*came: float) -> None:
            self.table.take(e.TelegramsLost("1", "2"))
            self.waits.append(Wait(*(seconds * 1000 for seconds in since(*came))))

        def come() -> None:
            while not ended.wait(EVERY):
                loop.call_soon_threadsafe(take, time.perf_counter(), time.process_time())

        thread = threading.Thread(target=come)
        thread.start()
        yield
        ended.set()
        await asyncio.to_thread(thread.join)

    def card(self, card: str) -> float:
        """How long a card takes, in milliseconds."""
        at = time.perf_counter()
        self.table.take(e.CardOut(card))
        return (time.perf_counter() - at) * 1000

    async def stop(self) -> None:
        self._orders.send(None)
        self._platform.join()
        await self.doors.stop()
        self.table.stop()
        self.table.journal.close()


async def measured(bench: Bench, book: int, sample: int) -> dict[str, Cost]:
    """The costs, under their names. The book is filled in between."""
    costs, first = dict[str, Cost](), 0
    bench.table.take(e.Open())
    async with bench.telegrams():
        await asyncio.sleep(QUIET)
    bench.quiet, bench.waits = bench.waits, []
    for name in ("0", f"{book:,}"):
        costs[f"1, book {name}"] = await bench.cost(first, sample, 1)
        async with bench.telegrams():
            costs[f"{LIST}, book {name}"] = await bench.cost(first + sample, sample, LIST)
        first += 2 * sample
        if name == "0":
            await bench.cost(first, (book - first) // LIST * LIST, LIST)
            first += (book - first) // LIST * LIST
    return costs


def settled(bench: Bench) -> Iterator[float]:
    """How long each card takes that is dealt to the end."""
    bench.table.take(e.Close())
    for card in CARDS:
        yield bench.card(card)
    assert bench.table.state.life == "settled", bench.table.state.fault


def bare(folder: Path, records: list[Record], at_once: int) -> Cost:
    """What the journal alone takes for these records, so many at a time."""
    journal = Journal(folder / f"bare{at_once}.journal")
    began = time.perf_counter(), time.process_time()
    for start in range(0, len(records), at_once):
        journal.append(records[start : start + at_once])
    spent = since(*began)
    journal.close()
    return Cost(*(seconds / len(records) * 1e6 for seconds in spent))


async def run(folder: Path, book: int, sample: int, show: Callable[[str], None]) -> None:
    bench = Bench(folder)
    gc.freeze()
    costs = await measured(bench, book, sample)
    bets = len(bench.table.state.round.bets)
    *dealt, end = settled(bench)
    await bench.stop()
    records = [one for one in read(bench.path) if one.kind == "bet_accepted"][:sample]
    records = [
        Record(n, *(getattr(one, name) for name in Record.__struct_fields__[1:])) for n, one in enumerate(records, 1)
    ]
    journal = {1: bare(folder, records, 1), LIST: bare(folder, records, PORTION)}
    show(f"{'one bet, in lists of':28}{'wall':>10}{'processor':>12}{'of the bare journal':>22}")
    for name, cost in costs.items():
        alone = journal[int(name.partition(",")[0])]
        show(f"{name:28}{cost.wall:>7.0f} us{cost.processor:>9.0f} us{cost.wall / alone.wall:>20.1f}x")
    for length, alone in journal.items():
        show(
            f"{f'the bare journal, {min(length, PORTION)} at a time':28}{alone.wall:>7.0f} us{alone.processor:>9.0f} us"
        )
    for length in (1, LIST):
        full, empty = (costs[f"{length}, book {name}"].processor for name in (f"{book:,}", "0"))
        show(f"book of {book:,} / book of 0, in lists of {length} (aim: at most 1.2): {full / empty:.2f}")
    show(f"{'a telegram waited':28}{'median':>10}{'of 100 the longest':>22}{'the longest':>14}{'processor':>12}")
    for name, waits in (("without bets", bench.quiet), ("with bets (aim: 10 ms)", bench.waits)):
        wall, own = sorted(one.wall for one in waits), max(one.processor for one in waits)
        middle, late = wall[len(wall) // 2], wall[-1 - len(wall) // 100]
        show(f"{name:28}{middle:>7.2f} ms{late:>19.2f} ms{wall[-1]:>11.2f} ms{own:>9.2f} ms")
    show(f"the card that settles {bets:,} bets: {end:.0f} ms; the longest of those before: {max(dealt):.2f} ms")


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--book", type=int, default=20_000, help="bets in the full book")
    words.add_argument("--sample", type=int, default=1000, help="bets measured of each kind; a multiple of 500")
    words.add_argument("--folder", type=Path, help="where to write; on the disk that is to be measured")
    given = words.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    with tempfile.TemporaryDirectory(dir=given.folder or Path.cwd()) as folder:
        asyncio.run(run(Path(folder), given.book, given.sample, lambda line: print(line, flush=True)))


if __name__ == "__main__":
    main()
