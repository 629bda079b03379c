"""A mutant, and how a sample of them is drawn. Needs no mutmut."""

import hashlib
import heapq
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import NamedTuple


class Mutant(NamedTuple):
    """One changed module. `was` and `now`: the lines that differ, without what they are indented by."""

    key: str
    path: str
    code: str
    line: int
    was: str
    now: str

    @property
    def room(self) -> str:
        return room_of(self.path)

    def __str__(self) -> str:
        return "\n".join([f"{self.path}:{self.line}", f"  - {self.was}", f"  + {self.now}"])


class Place(NamedTuple):
    """A mutant that is not made yet: its key, and its number within its module."""

    key: str
    path: str
    number: int


def room_of(path: str) -> str:
    """The room of a module: its folder below controller/ or drivers/, else that folder itself."""
    folders = PurePath(path).parent.parts
    return "/".join(folders[:2])


def keys(path: str, changes: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Names for a module's changes (text before, text after), which stay the same when lines around them change."""
    seen: dict[str, int] = {}
    for was, now in changes:
        digest = hashlib.sha256("\0".join((path, was, now)).encode()).hexdigest()[:16]
        seen[digest] = seen.get(digest, 0) + 1
        yield f"{digest}-{seen[digest]}"


def draw(places: Iterable[Place], seed: int, count: int) -> list[Place]:
    """A uniform sample, in random order. The same seed draws the same mutants where the code has not changed."""

    def lot(place: Place) -> bytes:
        return hashlib.sha256(f"{seed} {place.key}".encode()).digest()

    return heapq.nsmallest(count, places, key=lot)


def made(place: Place, was: str, now: str) -> Mutant:
    """The mutant at a place, whose module's text WAS and is NOW."""
    before, after = was.splitlines(), now.splitlines()
    same = _common(before, after)
    end = _common(before[same:][::-1], after[same:][::-1])
    sides = (" ".join(line.strip() for line in lines[same : len(lines) - end]) for lines in (before, after))
    return Mutant(place.key, place.path, now, same + 1, *sides)


def _common(some: list[str], others: list[str]) -> int:
    """How many lines are equal from the start."""
    pairs = zip(some, others, strict=False)
    return next((number for number, (one, other) in enumerate(pairs) if one != other), min(len(some), len(others)))
