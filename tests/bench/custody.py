"""Measure the time that anchoring and verification of the whole record add to each card.

The time runs from the last byte of a card's frame to its durable record and views. Turns with anchor and verification
alternate with turns without them, in one run.

The anchor is written after every round, here several times a second. The verification starts again as soon as it has
ended. In turns without them, neither has a thread.

    python -m tests.bench.custody [--cards N] [--folder DIR] [--anchor DIR]
"""

import argparse
import asyncio
import statistics
import tempfile
from pathlib import Path

import structlog

from controller.config.table_file import JournalSection
from controller.core import events as e
from controller.journal import begin, mark_of, new_anchor
from controller.station import verifying
from controller.station.custody import Custody

from .latency import BLOCK, FrameLine, MeasuredTable, ShoeFrames, percentile

RUNS = 5
AIM = 1.05


async def run(folder: Path, section: JournalSection, cards: int) -> tuple[list[float], list[float], int]:
    """Return the times of cards without and with custody, and the number of the last anchored record."""
    alone = MeasuredTable(_rig(folder / "alone"), folder / "alone" / "t.journal")
    beside = MeasuredTable(_rig(folder / "kept"), folder / "kept" / "t.journal")
    streams = ShoeFrames(), ShoeFrames()
    for bench in (alone, beside):
        await bench.start()
    begun = new_anchor(Path(section.anchor or ""), folder / "kept" / "t.journal")
    beside.table.take(e.BeginAnchor("bench", "measured", begun.id, begun.apart))
    begin(Path(section.anchor or ""), mark_of(beside.table.state, beside.table.journal.head), begun.id)
    for _ in range(cards // BLOCK):
        await alone.deal(BLOCK, streams[0])
        custody = Custody(section, folder / "kept" / "t.journal", beside.table)
        custody.start()
        await beside.deal(BLOCK, streams[1])
        await custody.stop()
    for bench in (alone, beside):
        await bench.link.stop()
        bench.rig.close()
        bench.table.journal.close()
    return alone.rig.times, beside.rig.times, custody.progress.anchored or 0


def _rig(folder: Path) -> FrameLine:
    folder.mkdir()
    return FrameLine()


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--cards", type=int, default=1000, help="on each side, in each of five runs")
    words.add_argument("--folder", type=Path, help="where to write; on the disk that is to be measured")
    words.add_argument("--anchor", type=Path, help="where the anchor is; by default in memory, as on another disk")
    given = words.parse_args()
    if given.cards < BLOCK:
        words.error(f"--cards: expected at least {BLOCK}, which are dealt in one turn; got {given.cards}")
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    verifying.DAILY = 0.0
    ratios = []
    for number in range(1, RUNS + 1):
        memory = Path("/dev/shm") if Path("/dev/shm").is_dir() else None
        with (
            tempfile.TemporaryDirectory(dir=given.folder or Path.cwd()) as name,
            tempfile.TemporaryDirectory(dir=given.anchor or memory) as elsewhere,  # removed together with its record
        ):
            section = JournalSection(anchor=str(Path(elsewhere) / "bench.anchor"))
            alone, beside, anchored = asyncio.run(run(Path(name), section, given.cards))
        (half, other), most = ([percentile(times, share) for times in (alone, beside)] for share in (50, 99))
        ratios.append(other / half)
        text = f"{half:.0f} µs alone, {other:.0f} µs with both; p99 {most[0]:.0f} and {most[1]:.0f} µs"
        print(f"run {number}: p50 {text}; anchored up to record {anchored}")
    print(f"ratio of the medians, median of {RUNS} runs: {statistics.median(ratios):.3f} (aim: at most {AIM})")


if __name__ == "__main__":
    main()
