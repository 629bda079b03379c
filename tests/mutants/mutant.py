"""Mutants and their random sample. Needs no mutmut."""

import hashlib
import heapq
from collections.abc import Iterable, Iterator
from pathlib import PurePath
from typing import NamedTuple


class Mutant(NamedTuple):
    """Module with one change. `was` and `now`: the lines that differ, without their indentation."""

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


class MutantPlace(NamedTuple):
    """Mutant that is not made yet: its key, module, and number within the module."""

    key: str
    path: str
    number: int


def room_of(path: str) -> str:
    """Return the room of a module: its folder below controller/ or drivers/, else that folder itself."""
    folders = PurePath(path).parent.parts
    return "/".join(folders[:2])


def keys(path: str, changes: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield a key for each change (text before, text after); other changes of the module keep it the same."""
    counts: dict[str, int] = {}
    for was, now in changes:
        digest = hashlib.sha256("\0".join((path, was, now)).encode()).hexdigest()[:16]
        counts[digest] = counts.get(digest, 0) + 1
        yield f"{digest}-{counts[digest]}"


def draw(places: Iterable[MutantPlace], seed: int, count: int) -> list[MutantPlace]:
    """Return a uniform sample in random order; a seed draws the same mutants from unchanged code."""

    def lot(place: MutantPlace) -> bytes:
        return hashlib.sha256(f"{seed} {place.key}".encode()).digest()

    return heapq.nsmallest(count, places, key=lot)


def mutant_at(place: MutantPlace, was: str, now: str) -> Mutant:
    """Return the mutant at a place, from the module's text before (`was`) and after (`now`)."""
    before, after = was.splitlines(), now.splitlines()
    same = _common(before, after)
    end = _common(before[same:][::-1], after[same:][::-1])
    sides = (" ".join(line.strip() for line in lines[same : len(lines) - end]) for lines in (before, after))
    return Mutant(place.key, place.path, now, same + 1, *sides)


def _common(some: list[str], others: list[str]) -> int:
    """Return how many lines are equal from the start."""
    pairs = zip(some, others, strict=False)
    return next((number for number, (one, other) in enumerate(pairs) if one != other), min(len(some), len(others)))
