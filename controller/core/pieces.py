"""Long computations as generators that yield after each piece, so that a card can come in between."""

from collections.abc import Generator, Iterable, Iterator
from itertools import islice
from typing import TypeVar

PIECE = 1000  # bets

T = TypeVar("T")


def pieces(whole: Iterable[T]) -> Iterator[list[T]]:
    """Split into lists of at most PIECE elements."""
    rest = iter(whole)
    while piece := list(islice(rest, PIECE)):
        yield piece


def run_to_end(computation: Generator[None, None, T]) -> T:
    """Run a computation to its end and return its result."""
    while True:
        try:
            next(computation)
        except StopIteration as end:
            result: T = end.value
            return result
