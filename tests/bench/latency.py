"""Measure the time from the last byte of a card's serial frame to its record on disk and its views.

The baseline, in turns in the same run, is a bare loop that reads the same frame, appends a line to a file and waits for
fdatasync. Another process writes the frames, as a shoe would.

    python -m tests.bench.latency [--cards N] [--folder DIR]
"""

import argparse
import asyncio
import multiprocessing as mp
import os
import random
import statistics
import tempfile
import time
import tty
from collections.abc import Callable
from dataclasses import replace
from multiprocessing.connection import Connection
from pathlib import Path

import structlog
from msgspec.json import encode

from controller.core import events as e
from controller.core.house import House, Terms
from controller.core.views import view
from controller.games import GAMES
from controller.journal import Journal
from controller.rules.cards import FULL_DECK
from controller.rules.procedure import Deal
from controller.station.device_events import ShoeEvents
from controller.table.loop import Table
from drivers.events import CardRead, DeviceEvent
from drivers.own_port import OwnPort
from drivers.serial_link import SerialLink
from drivers.shoes.angel_eye import AngelEye
from drivers.shoes.angel_eye_cards import DrawReport

DECKS = 8
BLOCK = 50  # cards before the other side has its turn
QUIET = 0.002  # seconds before each frame, in which the reader comes to rest
SEQUENCE = "123456789"


class ShoeFrames:
    """Cards of a shuffled shoe, encoded as messages of an Angel Eye shoe."""

    def __init__(self) -> None:
        self._dice, self._sent = random.Random(1), 0
        self.shuffle()

    def shuffle(self) -> None:
        """Shuffle a new shoe of full decks."""
        self._cards = list(FULL_DECK) * DECKS
        self._dice.shuffle(self._cards)

    def __next__(self) -> tuple[str, bytes]:
        card = self._cards.pop()
        self._sent += 1
        return card, DrawReport(SEQUENCE[self._sent % 9], "player", 1, card).encode()


def shoe(line: int, orders: Connection) -> None:
    """Run the shoe's process: write each ordered frame to the line and send back the time of writing."""
    while (frame := orders.recv()) is not None:
        time.sleep(QUIET)
        at = time.perf_counter_ns()
        os.write(line, frame)
        orders.send(at)


class FrameLine:
    """A pty, the process that writes frames to it, and the measured times in microseconds."""

    def __init__(self, writer: Callable[[int, Connection], None] = shoe) -> None:
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        self.orders, theirs = mp.Pipe()
        self._writer = mp.get_context("fork").Process(target=writer, args=(self.master, theirs), daemon=True)
        self._writer.start()
        self.times: list[float] = []

    def arrived(self, at: int) -> None:
        self.times.append((at - self.orders.recv()) / 1000)

    def close(self) -> None:
        self.orders.send(None)
        self._writer.join()
        os.close(self.master)
        os.close(self.slave)


def floor(rig: FrameLine, file: int, count: int, cards: ShoeFrames) -> None:
    """Measure the bare loop: read `count` frames and append each to a file with fdatasync."""
    for _ in range(count):
        card, frame = next(cards)
        rig.orders.send(frame)
        data = b""
        while len(data) < len(frame):
            data += os.read(rig.slave, 64)
        os.write(file, encode({"kind": "dealt", "card": card, "raw": data.hex()}) + b"\n")
        os.fdatasync(file)
        rig.arrived(time.perf_counter_ns())


class MeasuredTable:
    """Table with a journal and a serial shoe, put together as in `tablectl run`."""

    def __init__(self, rig: FrameLine, path: Path) -> None:
        game = GAMES["baccarat"]
        house = House(game, game.settings(decks=DECKS), Terms(confirm="auto", betting_seconds=3600), "bench")
        self.rig = rig
        self.table = Table(house, Journal(path))
        self.pushed: list[bytes] = []
        self.table.subscribe(self._push)
        ear = ShoeEvents(self.table.take, "bench")
        self.link = SerialLink(OwnPort(os.ttyname(rig.slave)), AngelEye(), lambda event: ear(_unplaced(event)))
        self._came = asyncio.Event()

    def _push(self, _table, records) -> None:
        self.pushed = [encode(view(record, audience)) for record in records for audience in ("dealer", "player")]
        self.at = time.perf_counter_ns()
        self._came.set()

    async def start(self) -> None:
        self.table.start("dealer")
        self.link.start()
        while not self.link.is_present:
            await asyncio.sleep(0.01)

    async def deal(self, count: int, cards: ShoeFrames) -> None:
        for _ in range(count):
            if not isinstance(self.table.due, Deal):
                self._open(cards)
            self._came.clear()
            self.rig.orders.send(next(cards)[1])
            await self._came.wait()
            self.rig.arrived(self.at)

    def _open(self, cards: ShoeFrames) -> None:
        if self.table.state.shoe.size - self.table.state.shoe.out < 60:
            cards.shuffle()
            self.table.take(e.ChangeShoe())
            self.table.take(e.LoadShoe())
        self.table.take(e.Open())
        self.table.take(e.Close())
        assert self.table.state.life == "dealing", self.table.state.fault


def _unplaced(event: DeviceEvent) -> DeviceEvent:
    """Remove the place from a read card: random frames do not name the places where the cards are due."""
    return replace(event, place=None, position=None) if isinstance(event, CardRead) else event


async def compare(cards: int, folder: Path) -> tuple[list[float], list[float]]:
    bare, ours = FrameLine(), FrameLine()
    file = os.open(folder / "floor", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    bench = MeasuredTable(ours, folder / "bench.journal")
    await bench.start()
    theirs, stream = ShoeFrames(), ShoeFrames()
    for _ in range(cards // BLOCK):
        theirs.shuffle()
        await asyncio.to_thread(floor, bare, file, BLOCK, theirs)
        await bench.deal(BLOCK, stream)
    await bench.link.stop()
    for rig in (bare, ours):
        rig.close()
    return bare.times, ours.times


def percentile(times: list[float], share: int) -> float:
    return statistics.quantiles(times, n=100)[share - 1]


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--cards", type=int, default=3000, help="on each side")
    words.add_argument("--folder", type=Path, help="where to write; on the disk that is to be measured")
    given = words.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    with tempfile.TemporaryDirectory(dir=given.folder or Path.cwd()) as folder:
        bare, ours = asyncio.run(compare(given.cards, Path(folder)))
    print(f"card frame to durable record and views, {len(ours)} cards each, in turns")
    print(f"{'':24}{'p50':>10}{'p99':>10}")
    for name, times in (("bare loop, fdatasync", bare), ("the table", ours)):
        print(f"{name:24}{percentile(times, 50):>7.0f} µs{percentile(times, 99):>7.0f} µs")
    ratios = (percentile(ours, share) / percentile(bare, share) for share in (50, 99))
    print(f"{'ratio (aim: 1.5)':24}" + "".join(f"{ratio:>9.2f}×" for ratio in ratios))


if __name__ == "__main__":
    main()
