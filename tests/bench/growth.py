"""Judge whether a program's memory, threads or descriptors grow, from samples taken while it works.

Memory is judged by its slope in KiB a round and the error of the slope: linear regression over all samples after the
first 1,000 rounds, as caches fill until then. A leak of one object a round shows long before it is 5 % of the program.

The largest step between two samples is replaced by the median step. Python keeps a table of interned strings, to which
names of ports are added when a plug is pulled; once in a run that table doubles, which is 1 MB.
"""

import math
import os
import statistics
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

WARM = 1000  # rounds until the caches are full
LEAST = 6  # samples after that, for a slope with a useful error
ALLOWED = 0.05  # KiB a round: 200 rounds a shift are 10 KiB
SURE = 2.0  # standard errors above that: no chance
GROWTH = 1.05  # factor of all memory, in a run too short for a slope


class Use(NamedTuple):
    """Memory, threads and open files of a program."""

    memory: int  # KiB that are its own
    threads: int
    files: int


class Slope(NamedTuple):
    """Growth of memory in KiB a round, and its standard error."""

    rate: float
    error: float

    def __str__(self) -> str:
        return f"{self.rate:+.3f} ± {self.error:.3f} KiB a round"

    @property
    def grows(self) -> bool:
        """Whether memory grows by more than ALLOWED, and not by chance."""
        return self.rate - SURE * self.error > ALLOWED


def use(pid: int, *, mocked: bool) -> Use:
    """Return what a process uses now. `mocked`: the process runs under umockdev."""
    own = Path(f"/proc/{pid}")
    words = dict(line.split(":", 1) for line in (own / "smaps_rollup").read_text().splitlines()[1:])
    threads = sum(1 for _ in (own / "task").iterdir())
    return Use(int(words["Pss_Anon"].split()[0]), threads, len(files_of(own, mocked=mocked)))


def files_of(process: Path, *, mocked: bool) -> list[str]:
    """Return the open files of a process (its folder in /proc).

    umockdev loses sockets without a name if one thread opens and another one closes them: `mocked` leaves these out.
    """
    rows = Path("/proc/net/unix").read_text().splitlines()[1:] if mocked else []
    nameless = {f"socket:[{row.split()[6]}]" for row in rows if len(row.split()) == 7}
    opened = list[str]()
    for one in (process / "fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            opened.append(str(one.readlink()))
    return [one for one in opened if one not in nameless]


def slope(uses: Sequence[tuple[int, Use]]) -> Slope | None:
    """Return the slope of memory over the rounds after the first 1,000; None if there are too few samples."""
    points = [(number, sample.memory) for number, sample in uses if number >= WARM]
    if len(points) < LEAST:
        return None
    points = level(points)
    rounds, memory = zip(*points, strict=True)
    rate, start = statistics.linear_regression(rounds, memory)
    left = sum((sample - start - rate * number) ** 2 for number, sample in points)
    spread = sum((number - statistics.fmean(rounds)) ** 2 for number in rounds)
    return Slope(rate, math.sqrt(left / (len(points) - 2) / spread))


def level(points: Sequence[tuple[int, int]]) -> list[tuple[int, float]]:
    """Return the points with the largest step between two of them reduced to the median step."""
    steps = [after - before for (_, before), (_, after) in pairwise(points)]
    largest = max(range(len(steps)), key=steps.__getitem__)
    over = steps[largest] - statistics.median(steps)
    return [(number, memory - over * (at > largest)) for at, (number, memory) in enumerate(points)]


def grown(uses: Sequence[tuple[int, Use]]) -> list[str]:
    """Return a sentence for each resource that grows.

    Memory is judged by its slope; in a run too short for a slope, by its growth since the first sample.
    """
    (_, first), (_, last), found = uses[0], uses[-1], slope(uses)
    sentences = list[str]()
    if found is not None and found.grows:
        sentences.append(f"memory grows by {found}")
    if found is None and last.memory > first.memory * GROWTH:
        sentences.append(f"memory grew from {first.memory} to {last.memory} KiB")
    threads = max(first.threads, 4 + min(32, (os.cpu_count() or 1) + 4))  # four of its own, the rest its executor's
    sentences += [f"threads grew from {first.threads} to {last.threads}"] if last.threads > threads else []
    return sentences + ([f"descriptors grew from {first.files} to {last.files}"] if last.files > first.files else [])
