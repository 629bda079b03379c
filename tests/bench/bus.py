"""Measure how much time the studio's bus adds to a card, from its frame to durable record and views.

Cards are dealt in turns with the bus and without it, in one run. A real bus server runs on this PC and shares its
processor and disk with the table; at a studio it has its own. Cards are dealt every 25 ms, forty times as fast as by a
dealer.

    python -m tests.bench.bus [--cards N] [--folder DIR]
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from multiprocessing.connection import Connection
from pathlib import Path

import structlog

from controller.bus.bus import Bus
from controller.bus.bus_tasks import TableEnds
from controller.bus.relay import BusSignOn, Relay
from controller.web.listeners import TableDoors
from tests.bus.rig import BusServer
from tests.patience import until

from .latency import BLOCK, FrameLine, MeasuredTable, ShoeFrames, percentile, shoe

RUNS = 5
AIM = 1.1
EVERY = 0.023  # seconds; the shoe adds two milliseconds


def slow_shoe(line: int, orders: Connection) -> None:
    """Run a shoe that waits EVERY seconds before it writes each frame."""
    shoe(line, _Waiting(orders))


class _Waiting:
    """Connection for orders that returns each order EVERY seconds late."""

    def __init__(self, orders: Connection) -> None:
        self._orders, self.send = orders, orders.send

    def recv(self) -> bytes | None:
        order = self._orders.recv()
        time.sleep(EVERY)
        return order


async def run(folder: Path, server: BusServer, name: str, cards: int) -> tuple[list[float], list[float], int]:
    """Return the times of cards without and with the bus, and the number of records sent over it."""
    alone = MeasuredTable(_rig(folder / "alone"), folder / "alone" / "t.journal")
    beside = MeasuredTable(_rig(folder / "beside"), path := folder / "beside" / "t.journal")
    doors = TableDoors(beside.table, path, None)  # the table's listeners cost the same with the bus and without
    relay = Relay(doors.door_app(BusSignOn(doors.checker.persons)))
    bus = Bus(TableEnds(server.section(name), beside.table, path, relay, doors.viewers, lambda: ()))
    streams = ShoeFrames(), ShoeFrames()
    for bench in (alone, beside):
        await bench.start()
    bus.start()
    await until(lambda: bus.trouble is None)
    for _ in range(cards // BLOCK):
        await alone.deal(BLOCK, streams[0])
        await beside.deal(BLOCK, streams[1])
        await until(
            lambda: bus.acknowledged_seq == beside.table.state.seq
        )  # the bus is idle while the other side is measured
    for bench in (alone, beside):
        await bench.link.stop()
        bench.rig.close()
        bench.table.stop()
        bench.table.journal.close()
    await bus.stop()
    return alone.rig.times, beside.rig.times, bus.acknowledged_seq


def _rig(folder: Path) -> FrameLine:
    folder.mkdir()
    return FrameLine(slow_shoe)


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--cards", type=int, default=500, help="on each side, in each of five runs")
    words.add_argument("--folder", type=Path, help="where to write; on the disk that is to be measured")
    given = words.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    ratios = []
    for number in range(1, RUNS + 1):
        with (
            tempfile.TemporaryDirectory(dir=given.folder or Path.cwd()) as name,
            BusServer(Path(name) / "bus", {"tables": ("bench",)}) as server,
        ):
            alone, beside, sent = asyncio.run(run(Path(name), server, "bench", given.cards))
        (half, other), most = ([percentile(times, share) for times in (alone, beside)] for share in (50, 99))
        ratios.append(other / half)
        text = f"{half:.0f} µs alone, {other:.0f} µs with the bus; p99 {most[0]:.0f} and {most[1]:.0f} µs"
        print(f"run {number}: p50 {text}; {sent} records over the bus")
    print(f"ratio of the medians, median of {RUNS} runs: {statistics.median(ratios):.3f} (aim: at most {AIM})")


if __name__ == "__main__":
    main()
