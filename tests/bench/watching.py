"""Measure how long a card waits while many browsers are connected and a client overloads the API.

The table works as in `tablectl run`: a shoe on a pty, written to by another process, and a journal on disk. It is
measured alone, then with two more processes at its network door, then alone again. One of them reads screens and event
streams as browsers do; the other sends commands and requests the state, each as soon as the last one was answered. The
time is measured from the last byte of a card's frame to its record on disk.

    python -m tests.bench.watching [--cards N] [--watchers N] [--hammers N] [--folder DIR]
"""

import argparse
import asyncio
import gc
import json
import multiprocessing as mp
import os
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from itertools import count
from pathlib import Path
from typing import Any

import structlog

from controller.config.web import WebSection
from controller.core.records import Dealt, Drawn
from controller.outputs.metrics import Metrics, MetricSources
from controller.outputs.timed_journal import TimedJournal
from controller.web.access.users import UsersFile
from controller.web.listeners import TableDoors
from controller.web.net import listening
from tests.bench.latency import FrameLine, MeasuredTable, ShoeFrames, percentile

GAP = (0.005, 0.025)  # seconds between two cards, random so that they do not meet the same moment of other work
LOOKING = (
    "/api/screen?role=dealer&lang=en", "/api/screen?role=player&lang=en", "/api/screen?role=player&lang=ro",
    "/api/events?role=player", "/api/events?role=dealer",
)  # fmt: skip


def shoe(line: int, orders) -> None:
    """Run the shoe's process: write each ordered frame to the line and send back the time of writing."""
    dice = random.Random(1)
    while (frame := orders.recv()) is not None:
        time.sleep(dice.uniform(*GAP))
        at = time.perf_counter_ns()
        os.write(line, frame)
        orders.send(at)


class WatchedTable(MeasuredTable):
    """Measured table that also has a network door."""

    def __init__(self, rig: FrameLine, folder: Path) -> None:
        super().__init__(rig, folder / "bench.journal")
        users = UsersFile(folder / "bench.users")
        with users.change() as change:
            self.token = change.add_token("platform")
        self.net = listening.listen(WebSection(listen="127.0.0.1:0"), users.path)
        self.port = self.net.socket.getsockname()[1]
        timed = self.table.journal = TimedJournal(self.table.journal, "bench")
        metrics = Metrics(self.table, timed, MetricSources(("shoe",)))
        self.doors = TableDoors(self.table, folder / "bench.journal", None, self.net, metrics=metrics)

    async def start(self) -> None:
        await super().start()
        self.doors.start()
        gc.collect()
        gc.freeze()  # as `tablectl run` does

    async def stop(self) -> None:
        await self.doors.stop()
        await self.link.stop()
        self.table.stop()
        self.net.close()

    def _push(self, table, records) -> None:
        if any(isinstance(record.what, Dealt | Drawn) for record in records):  # not the hammering client's bets
            super()._push(table, records)


# ── the clients ──────────────────────────────────────────────────────────────────────────────────────────────────


def look_on(port: int, watchers: int, until, queue) -> None:
    """Read event streams over `watchers` connections; put the number of received events in `queue`."""
    counts = Counter()

    async def one(number: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {LOOKING[number % len(LOOKING)]} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".encode())
        try:
            while line := await reader.readline():
                counts["events"] += line.startswith(b"data: ")
        finally:
            writer.close()

    asyncio.run(together(one, watchers, until))
    queue.put(counts)


def hammer(port: int, hammers: int, token: str, until, queue) -> None:
    """Send commands over `hammers` connections; put the number of received answers in `queue`."""
    counts = Counter()

    async def one(number: int) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            round_ = 1
            for time_ in count():
                stake = {"player": "p1", "market": "tie", "stake": 100, "round": round_}
                bet = {"command": "bet", "id": f"{number}-{time_}", **stake}
                for target, body in (("POST /api/commands", json.dumps(bet)), ("GET /api/state", "")):
                    head = f"host: 127.0.0.1\r\nauthorization: Bearer {token}\r\ncontent-length: {len(body)}"
                    writer.write(f"{target} HTTP/1.1\r\n{head}\r\n\r\n{body}".encode())
                    answer = await reader.readuntil(b"\r\n\r\n")
                    assert answer.startswith(b"HTTP/1.1 200 "), answer
                    content = await reader.readexactly(int(answer.partition(b"content-length: ")[2].split()[0]))
                    round_ = json.loads(content).get("round", round_)
                    counts["answers"] += 1
        finally:
            writer.close()

    asyncio.run(together(one, hammers, until))
    queue.put(counts)


async def together(one: Callable[[int], Coroutine[Any, Any, None]], number: int, until) -> None:
    """Run `number` tasks until the event `until` is set; assert that none ended before."""
    tasks = [asyncio.create_task(one(which)) for which in range(number)]
    await asyncio.to_thread(until.wait)
    for task in tasks:
        assert not task.done(), task.exception()
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


class Crowd:
    """Two processes of clients: one that reads streams, one that overloads the API."""

    def __init__(self, bench: WatchedTable, watchers: int, hammers: int) -> None:
        of = mp.get_context("spawn")
        self._bench, self._size = bench, watchers + hammers
        self._until, self._told = of.Event(), of.Queue()
        last = (self._until, self._told)
        self._processes = [
            of.Process(target=look_on, args=(bench.port, watchers, *last), daemon=True),
            of.Process(target=hammer, args=(bench.port, hammers, bench.token, *last), daemon=True),
        ]

    async def come(self) -> None:
        for process in self._processes:
            process.start()
        while sum(server.connections for server in self._bench.doors._servers) < self._size:
            assert all(process.is_alive() for process in self._processes)
            await asyncio.sleep(0.05)

    async def go(self) -> Counter:
        self._until.set()
        counters = [await asyncio.to_thread(self._told.get, timeout=30) for _ in self._processes]
        for process in self._processes:
            await asyncio.to_thread(process.join)
        return sum(counters, Counter())


async def measure(cards: int, watchers: int, hammers: int, folder: Path) -> tuple[list[float], list[float], Counter]:
    """Return the times of cards without clients (before and after) and with them, and the clients' counts."""
    rig, frames = FrameLine(shoe), ShoeFrames()
    bench = WatchedTable(rig, folder)
    await bench.start()
    await bench.deal(100, frames)  # warm-up
    rig.times.clear()
    await bench.deal(cards // 2, frames)
    crowd = Crowd(bench, watchers, hammers)
    await crowd.come()
    began = len(rig.times), time.monotonic()
    await bench.deal(cards, frames)
    ended, took = len(rig.times), time.monotonic() - began[1]
    counts = await crowd.go()
    counts["seconds"] = round(took)
    await bench.deal(cards // 2, frames)
    await bench.stop()
    rig.close()
    return rig.times[: began[0]] + rig.times[ended:], rig.times[began[0] : ended], counts


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--cards", type=int, default=1000, help="in the crowd, and as many without it")
    words.add_argument("--watchers", type=int, default=20)
    words.add_argument("--hammers", type=int, default=1, help="programs that send commands and ask for the state")
    words.add_argument("--folder", type=Path, help="where to write; on the disk that is to be measured")
    given = words.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    with tempfile.TemporaryDirectory(dir=given.folder or Path.cwd()) as folder:
        quiet, busy, counts = asyncio.run(measure(given.cards, given.watchers, given.hammers, Path(folder)))
    print(f"card frame to durable record, {len(quiet)} cards quiet and {len(busy)} in the crowd: {given.watchers} who")
    print(f"look on had {counts['events']} events, {given.hammers} that hammer {counts['answers']} answers", end=" ")
    print(f"in {counts['seconds']} s")
    print(f"{'':24}{'p50':>10}{'p99':>10}{'longest':>10}")
    for name, times in (("quiet", quiet), ("in the crowd", busy)):
        figures = (percentile(times, 50), percentile(times, 99), max(times))
        print(f"{name:24}" + "".join(f"{figure:>7.0f} µs" for figure in figures))
    ratio = percentile(busy, 50) / percentile(quiet, 50)
    print(f"median in the crowd (aim: within 2×): {ratio:.2f}×")
    print(f"p99 in the crowd (aim: under 20 ms): {percentile(busy, 99) / 1000:.2f} ms")


if __name__ == "__main__":
    main()
