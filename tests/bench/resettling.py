"""Measure the cost of settling a large round again, and how long a card of the live round waits.

One table runs in this process, with a real journal. Its loop should turn each millisecond: a card could wait as long as
the turn is late. As in the API, the round is read, previewed and worked out in threads, then settled again on the loop,
part by part. Times in square brackets are processor time of the loop.

    python -m tests.bench.resettling [--bets N ...] [--turns N] [--folder DIR]
"""

import argparse
import asyncio
import gc
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import NamedTuple

import structlog

from controller.core import events as e
from controller.core.decide.resettlements import work_out_event
from controller.core.house import House, Terms
from controller.core.position import Position
from controller.games import GAMES
from controller.journal import Journal, with_past
from controller.reports.preview_resettling import foresee_resettlement
from controller.table.loop import Table

from .bet_tables import CARDS

TIE, WON = ((e.Amendment("correct", 2, card),) for card in ("6D", "2D"))


EVERY = 0.001  # seconds


class ResettlingTimes(NamedTuple):
    """Seconds for reading the round, its preview, working it out, the first part, the longest later part."""

    read: float
    preview: float
    worked_out: float
    first: float
    longest: float
    held_by_reading: float  # how long a card could wait meanwhile
    held_by_preview: float
    held_by_working_out: float
    own_of_first: float
    own_of_longest: float


class LoopDelayMeter:
    """Task that turns the loop each millisecond and notes the largest delay of a turn."""

    def __init__(self) -> None:
        self._late = 0.0

    async def run(self) -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(EVERY)
            self._late = max(self._late, time.perf_counter() - began - EVERY)

    def latest(self) -> float:
        """Return the largest delay of a turn since the last call, in seconds."""
        late, self._late = self._late, 0.0
        return late


async def measured(table: Table, path: Path, beat: LoopDelayMeter, turn: int) -> ResettlingTimes:
    """Settle round 1 of the table again; return the measured times."""
    event = e.Resettle(1, WON if turn % 2 else TIE, "m", "misread", "n")
    await asyncio.sleep(2 * EVERY)  # let the turn pass that the last resettlement delayed
    beat.latest()
    began = time.perf_counter()
    event = await asyncio.to_thread(with_past, path, table.house, GAMES, table.state.revisions, event)
    read = time.perf_counter() - began
    held = beat.latest()
    began = time.perf_counter()
    await asyncio.to_thread(foresee_resettlement, table.house, table.state, event, table.now())
    preview = time.perf_counter() - began
    held_too = beat.latest()
    began = time.perf_counter()
    event, result = await asyncio.to_thread(
        lambda: (event, work_out_event(table.house, Position(GAMES), event, table.now()))
    )
    computation = time.perf_counter() - began
    held_then = beat.latest()
    table.prepare(event, result)
    slices = [timed(lambda: table.take(event))]
    assert table.state.revisions[1].number == turn + 1
    while table.state.is_unfinished:
        slices.append(timed(table._tick))
    (first, own), later = slices[0], slices[1:] or [(0.0, 0.0)]
    longest = max(wall for wall, _ in later), max(own for _, own in later)
    return ResettlingTimes(read, preview, computation, first, longest[0], held, held_too, held_then, own, longest[1])


def timed(do: Callable[[], None]) -> tuple[float, float]:
    """Return the wall time and the processor time of a call, in seconds."""
    began, own = time.perf_counter(), time.thread_time()
    do()
    return time.perf_counter() - began, time.thread_time() - own


async def run(path: Path, bets: int, turns: int) -> list[ResettlingTimes]:
    """Play a round with `bets` bets, open the next one, and settle the first again `turns` times."""
    game = GAMES["baccarat"]
    journal = Journal(path)
    table = Table(House(game, game.settings(), Terms(betting_seconds=36000)), journal)
    table.start("dealer")
    table.take(e.Open())
    for number in range(bets):
        table.take(e.PlaceBet(f"p{number}", ("player", "banker", "tie")[number % 3], 1000 + number))
    table.take(e.Close())
    for card in CARDS:
        table.take(e.CardOut(card))
    table.take(e.KeyPressed("finish"))
    await table.wait_until_paid()
    table.take(e.Open())
    gc.collect()
    gc.freeze()  # as `tablectl run` does
    beat = LoopDelayMeter()
    turning = asyncio.create_task(beat.run())
    found = [await measured(table, path, beat, turn) for turn in range(turns)]
    turning.cancel()
    table.stop()
    journal.close()
    return found


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--bets", type=int, nargs="+", default=[500, 20_000])
    words.add_argument("--turns", type=int, default=5)
    words.add_argument("--folder", type=Path, default=Path.cwd(), help="where to write; on the disk that is measured")
    given = words.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    for bets in given.bets:
        with tempfile.TemporaryDirectory(dir=given.folder) as own:
            found = asyncio.run(run(Path(own) / "t.journal", bets, given.turns))
        one = ResettlingTimes(*(median(values) * 1e3 for values in zip(*found, strict=True)))
        print(
            f"{bets:>7,} bets: read in {one.read:.0f} ms (a card could wait {one.held_by_reading:.0f} ms), previewed "
            f"in {one.preview:.0f} ms ({one.held_by_preview:.0f} ms), worked out in {one.worked_out:.0f} ms "
            f"({one.held_by_working_out:.0f} ms); a card waits for the first part {one.first:.0f} ms "
            f"[{one.own_of_first:.1f}], for a later one {one.longest:.0f} ms [{one.own_of_longest:.1f}]",
            flush=True,
        )


if __name__ == "__main__":
    main()
