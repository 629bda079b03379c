"""Whether a program grows: its memory, threads and descriptors, looked at again and again while it works.

Memory is judged by its slope, KiB a round, with the error of that slope, by linear regression over all looks after the
first 1,000 rounds: until then caches fill. A leak of one object a round is seen long before it is 5 % of the program.

The largest step between two looks counts as an ordinary one. Python keeps a table of interned strings, in which the
names of ports come and go while a plug is pulled; once in a run that table doubles, which is 1 MB.
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
LEAST = 6  # looks after that, for a slope with an error that says something
ALLOWED = 0.05  # KiB a round: 200 rounds a shift are 10 KiB
SURE = 2.0  # errors above that, to be no chance
GROWTH = 1.05  # of all memory, in a run too short for a slope


class Use(NamedTuple):
    """What a program has taken of its PC."""

    memory: int  # KiB that are its own
    threads: int
    files: int


class Slope(NamedTuple):
    """KiB a round, and the standard error of that."""

    rate: float
    error: float

    def __str__(self) -> str:
        return f"{self.rate:+.3f} ± {self.error:.3f} KiB a round"

    @property
    def grows(self) -> bool:
        """Whether that is more than is allowed, beyond chance."""
        return self.rate - SURE * self.error > ALLOWED


def use(pid: int, *, mocked: bool) -> Use:
    """Of a process, now. `mocked`: by umockdev."""
    own = Path(f"/proc/{pid}")
    words = dict(line.split(":", 1) for line in (own / "smaps_rollup").read_text().splitlines()[1:])
    threads = sum(1 for _ in (own / "task").iterdir())
    return Use(int(words["Pss_Anon"].split()[0]), threads, len(files_of(own, mocked=mocked)))


def files_of(process: Path, *, mocked: bool) -> list[str]:
    """What it has open. umockdev loses sockets (which have no name) where one thread opens what another one closes:
    these are left out where it is there."""
    rows = Path("/proc/net/unix").read_text().splitlines()[1:] if mocked else []
    nameless = {f"socket:[{row.split()[6]}]" for row in rows if len(row.split()) == 7}
    opened = list[str]()
    for one in (process / "fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            opened.append(str(one.readlink()))
    return [one for one in opened if one not in nameless]


def slope(uses: Sequence[tuple[int, Use]]) -> Slope | None:
    """Slope of memory over the rounds after the first 1,000; None if there are too few looks."""
    points = [(number, taken.memory) for number, taken in uses if number >= WARM]
    if len(points) < LEAST:
        return None
    points = level(points)
    rounds, memory = zip(*points, strict=True)
    rate, start = statistics.linear_regression(rounds, memory)
    left = sum((taken - start - rate * number) ** 2 for number, taken in points)
    spread = sum((number - statistics.fmean(rounds)) ** 2 for number in rounds)
    return Slope(rate, math.sqrt(left / (len(points) - 2) / spread))


def level(points: Sequence[tuple[int, int]]) -> list[tuple[int, float]]:
    """The same points, with the largest step between two of them as high as the median one."""
    steps = [after - before for (_, before), (_, after) in pairwise(points)]
    largest = max(range(len(steps)), key=steps.__getitem__)
    over = steps[largest] - statistics.median(steps)
    return [(number, memory - over * (at > largest)) for at, (number, memory) in enumerate(points)]


def grown(uses: Sequence[tuple[int, Use]]) -> list[str]:
    """What grows. Memory by its slope; in a run too short for one, by what it is more than after the first part."""
    (_, first), (_, last), found = uses[0], uses[-1], slope(uses)
    said = list[str]()
    if found is not None and found.grows:
        said.append(f"memory grows by {found}")
    if found is None and last.memory > first.memory * GROWTH:
        said.append(f"memory grew from {first.memory} to {last.memory} KiB")
    threads = max(first.threads, 4 + min(32, (os.cpu_count() or 1) + 4))  # four of its own, the rest its executor's
    said += [f"threads grew from {first.threads} to {last.threads}"] if last.threads > threads else []
    return said + ([f"descriptors grew from {first.files} to {last.files}"] if last.files > first.files else [])
