"""Count the files, hops and calls on the way of a card, a bet, a floor's ruling and a fault's screen.

A call is a function of the program that begins or resumes after a wait. A hop is a call from another file or from a
library. The client's code is not counted, nor what the tests' rig reads back to check itself. Each journey is repeated:
the lowest count is taken, as timers run beside it.

    python -m tests.bench.journeys [--times N] [--keep FILE] [--before FILE]

`--keep` writes the counts as JSON, `--before` shows those of another commit beside them.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import structlog

from controller.core import events as e
from tests.bench.latency import FrameLine, MeasuredTable, ShoeFrames
from tests.bus.rig import BusServer
from tests.floor.service import MANAGER, paused, studio
from tests.patience import until
from tests.table.test_table import JournaledTable as TableRig
from tests.web.rig import Spoken
from tests.web.test_screens import wait_for_event

ROOT = Path(__file__).parents[2]
OURS = (f"{ROOT}/controller/", f"{ROOT}/drivers/")
CLIENT = f"{ROOT}/controller/cli/client.py"
CHECKS = TableRig.recorded.__code__  # reads the records back from the disk as they are announced
COUNTS = ("files", "hops", "calls")


class CallCounter:
    """Profiler that counts the program's calls while a journey is measured."""

    def __init__(self) -> None:
        self._on = self._is_checking = False
        self._files: set[str] = set()
        self._hops = self._calls = 0

    def watch(self) -> None:
        """Profile this thread and all threads that start later."""
        threading.setprofile(self._saw)
        sys.setprofile(self._saw)

    @contextmanager
    def journey(self) -> Iterator[None]:
        """Count the calls inside the block, from zero."""
        self._files, self._hops, self._calls, self._on = set(), 0, 0, True
        yield
        self._on = False

    def counts(self) -> tuple[int, ...]:
        return len(self._files), self._hops, self._calls

    def _saw(self, frame: FrameType, what: str, _: object) -> None:
        file = frame.f_code.co_filename
        if frame.f_code is CHECKS:
            self._is_checking = what == "call"
        if not self._on or self._is_checking or what != "call" or not file.startswith(OURS) or file == CLIENT:
            return
        self._files.add(file)
        self._calls += 1
        self._hops += frame.f_back is None or frame.f_back.f_code.co_filename != file


async def card(folder: Path, meter: CallCounter) -> None:
    """Measure from a card's frame on the line to its record on disk and its views."""
    rig = FrameLine()
    bench, frames = MeasuredTable(rig, folder / "card.journal"), ShoeFrames()
    await bench.start()
    await bench.deal(1, frames)
    with meter.journey():
        await bench.deal(1, frames)
    await bench.link.stop()
    rig.close()


async def bet(folder: Path, meter: CallCounter) -> None:
    """Measure from a bet over HTTP to its answer."""
    async with Spoken(folder) as table:
        table.rig.take(e.Open())
        placed = {"command": "bet", "id": "b1", "player": "p1", "market": "player", "stake": 1000, "round": 1}
        with meter.journey():
            (verdict,) = await table.send(placed, role="server")
        assert verdict["verdict"] == "done", verdict


async def ruling(folder: Path, meter: CallCounter) -> None:
    """Measure from a ruling on a fault that the floor's page shows to the table, and back to its answer."""
    server = await asyncio.to_thread(BusServer(folder).__enter__)
    try:
        async with studio(folder, server) as (floor, table):
            manager, fault = await floor.signed_in(MANAGER), paused(table)
            await until(lambda: floor.hall.tables["t1"].life == "paused")  # what the manager rules on has been seen
            rule = {"command": "rule", "id": "r1", "ruling": "burn", "because": "seen on camera", "fault": fault}
            with meter.journey():
                answer = await manager.command("t1", rule)
            assert answer.body["verdicts"][0]["verdict"] == "done", answer
    finally:
        await asyncio.to_thread(server.__exit__)


async def screen(folder: Path, meter: CallCounter) -> None:
    """Measure from a card that is dealt too early to the fault on the manager's screen in Romanian."""
    async with Spoken(folder) as table, table.following("/api/screen?role=manager&lang=ro") as reader:
        table.rig.take(e.Open())
        await wait_for_event(reader, lambda event: event.kind == "screen" and event["life"] == "betting")
        with meter.journey():
            table.rig.take(e.CardOut("5H"))
            await wait_for_event(reader, lambda event: event.kind == "screen" and event["life"] == "paused")


JOURNEYS: tuple[Callable[[Path, CallCounter], Coroutine[None, None, None]], ...] = card, bet, ruling, screen


def walked(
    journey: Callable[[Path, CallCounter], Coroutine[None, None, None]], meter: CallCounter, times: int
) -> tuple[int, ...]:
    """Repeat a journey `times` times; return the lowest value of each count."""
    counts = []
    for _ in range(times):
        with tempfile.TemporaryDirectory() as folder:
            (own := Path(folder) / "journey").mkdir()  # the journey puts a registry beside this folder
            asyncio.run(journey(own, meter))
        counts.append(meter.counts())
    return tuple(map(min, zip(*counts, strict=True)))


def main() -> None:
    words = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    words.add_argument("--times", type=int, default=3)
    words.add_argument("--keep", type=Path)
    words.add_argument("--before", type=Path)
    given = words.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    before = json.loads(given.before.read_text()) if given.before else {}
    meter, now = CallCounter(), {}
    meter.watch()
    print(f"{'':10}" + "".join(f"{name:>16}" for name in COUNTS))
    for journey in JOURNEYS:
        name = journey.__name__
        now[name] = walked(journey, meter, given.times)
        was = before.get(name, [None] * len(COUNTS))
        cells = (f"{count}" if old is None else f"{old} → {count}" for old, count in zip(was, now[name], strict=True))
        print(f"{name:10}" + "".join(f"{cell:>16}" for cell in cells))
    if given.keep:
        given.keep.write_text(json.dumps(now))


if __name__ == "__main__":
    main()
