"""Measure the time of each stage of a card, from its frame to the views, and of the rest.

The whole is the time that `tests.bench.latency` measures. The rest is the line, the loop and the time in which the
system wakes the reader.

    python -m tests.bench.stages [--cards N] [--folder DIR]
"""

import argparse
import asyncio
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import structlog

from controller.journal.connection import JournalConnection
from controller.journal.writer import Journal
from controller.table import deciding, loop
from drivers.shoes.angel_eye import AngelEye

from .latency import BLOCK, FrameLine, MeasuredTable, ShoeFrames, percentile

STAGES = (
    ("codec", AngelEye, "feed"),
    ("decide", deciding, "decide_all"),
    ("is the journal there", JournalConnection, "see"),
    ("insert and commit", Journal, "_insert"),
    ("encode and hash", Journal, "append"),  # without the two above
    ("views", MeasuredTable, "_push"),
    ("next deadline", loop.Table, "_set_timer"),
)
WITHIN = {"encode and hash": ("is the journal there", "insert and commit")}

Times = dict[str, list[float]]


def timed(call: Callable[..., Any], name: str, sums: dict[str, float]) -> Callable[..., Any]:
    """Return the function with its times added up in `sums`, in microseconds."""

    def measured(*args: object, **words: object) -> Any:
        began = time.perf_counter_ns()
        try:
            return call(*args, **words)
        finally:
            sums[name] += (time.perf_counter_ns() - began) / 1000

    return measured


@contextmanager
def stages(sums: dict[str, float]) -> Iterator[None]:
    """Time every stage inside the block."""
    patches = [patch.object(owner, name, timed(getattr(owner, name), title, sums)) for title, owner, name in STAGES]
    for one in patches:
        one.start()
    yield
    for one in patches:
        one.stop()


async def deal(cards: int, folder: Path) -> tuple[Times, list[float]]:
    """Deal cards; return the times of each stage and of the whole, card by card, in microseconds."""
    rig, sums, times = FrameLine(), defaultdict[str, float](float), defaultdict[str, list[float]](list)
    with stages(sums):
        bench, stream = MeasuredTable(rig, folder / "bench.journal"), ShoeFrames()
        await bench.start()
        for _ in range(cards):
            sums.clear()
            await bench.deal(1, stream)
            await asyncio.sleep(0)  # include the work after a card
            for title, *_ in STAGES:
                times[title].append(sums[title] - sum(sums[part] for part in WITHIN.get(title, ())))
        await bench.link.stop()
    rig.close()
    return times, rig.times


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--cards", type=int, default=20 * BLOCK)
    words.add_argument("--folder", type=Path, help="where to write; on the disk that is to be measured")
    given = words.parse_args()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    with tempfile.TemporaryDirectory(dir=given.folder or Path.cwd()) as folder:
        times, whole = asyncio.run(deal(given.cards, Path(folder)))
    half = percentile(whole, 50)
    medians = {title: statistics.median(each) for title, each in times.items()}
    before = sum(took for title, took in medians.items() if title != "next deadline")  # which runs after the views
    for title, took in [*medians.items(), ("the line and the loop", half - before), ("the whole", half)]:
        print(f"{title:24}{took:>7.0f} µs{took / half:>8.0%}")


if __name__ == "__main__":
    main()
