"""Where the time of a card goes: each stage on its way from the frame to the views, by itself, and the rest.

The whole is what `tests.bench.latency` measures; the rest of it is the line, the loop and what the system takes to wake
the reader.

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

from .latency import BLOCK, Bench, Frames, Rig, percentile

STAGES = (
    ("codec", AngelEye, "feed"),
    ("decide", deciding, "decide_all"),
    ("is the journal there", JournalConnection, "see"),
    ("insert and commit", Journal, "_insert"),
    ("encode and hash", Journal, "append"),  # less the two above
    ("views", Bench, "_push"),
    ("next deadline", loop.Table, "_set_timer"),
)
WITHIN = {"encode and hash": ("is the journal there", "insert and commit")}

Times = dict[str, list[float]]


def timed(call: Callable[..., Any], name: str, taken: dict[str, float]) -> Callable[..., Any]:
    """The same function; what it takes is added up."""

    def measured(*args: object, **words: object) -> Any:
        began = time.perf_counter_ns()
        try:
            return call(*args, **words)
        finally:
            taken[name] += (time.perf_counter_ns() - began) / 1000

    return measured


@contextmanager
def stages(taken: dict[str, float]) -> Iterator[None]:
    """Every stage is timed."""
    patches = [patch.object(owner, name, timed(getattr(owner, name), title, taken)) for title, owner, name in STAGES]
    for one in patches:
        one.start()
    yield
    for one in patches:
        one.stop()


async def deal(cards: int, folder: Path) -> tuple[Times, list[float]]:
    """The times of each stage, card by card, and of the whole."""
    rig, taken, times = Rig(), defaultdict[str, float](float), defaultdict[str, list[float]](list)
    with stages(taken):
        bench, stream = Bench(rig, folder / "bench.journal"), Frames()
        await bench.start()
        for _ in range(cards):
            taken.clear()
            await bench.deal(1, stream)
            await asyncio.sleep(0)  # what follows a card, too
            for title, *_ in STAGES:
                times[title].append(taken[title] - sum(taken[part] for part in WITHIN.get(title, ())))
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
    before = sum(took for title, took in medians.items() if title != "next deadline")  # that is after the views
    for title, took in [*medians.items(), ("the line and the loop", half - before), ("the whole", half)]:
        print(f"{title:24}{took:>7.0f} µs{took / half:>8.0%}")


if __name__ == "__main__":
    main()
