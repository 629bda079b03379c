"""Long computations in pieces: a generator that yields behind each piece, so that a card can come in between."""

from collections.abc import Generator, Iterable, Iterator
from itertools import islice
from typing import TypeVar

PIECE = 1000  # bets

T = TypeVar("T")


def pieces(whole: Iterable[T]) -> Iterator[list[T]]:
    """Split into lists of PIECE at most."""
    rest = iter(whole)
    while piece := list(islice(rest, PIECE)):
        yield piece


def finished(computation: Generator[None, None, T]) -> T:
    """Result of a computation, run to its end."""
    while True:
        try:
            next(computation)
        except StopIteration as end:
            result: T = end.value
            return result
