"""Strategies of emulated players for their decisions, in demos and simulations.

A strategy sees only cards that lie face up.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import mul

from msgspec import Struct

from .cards import Card
from .procedure import Ask

Seen = Mapping[str, Sequence[Card]]  # face-up cards by place, in the order in which they were dealt


ROUNDS = 2_000_000  # of a simulation of returns, if the strategy names no number


class Chart(Struct, frozen=True):
    """Strategy as a chart or function that gives the option for each player."""

    words: str
    decide: Callable[[Ask, Seen], Mapping[str, str]]
    rounds: int = ROUNDS


class Count(Struct, frozen=True):
    """Strategy that adds points for signs in the face-up cards; it takes option `yes` from 0 points on, else `no`.

    `tablectl rtp --search` can find its numbers.
    """

    words: str
    market: str  # market for whose return the strategy is made
    yes: str  # the option taken from 0 points on
    no: str
    numbers: Mapping[str, int]  # points for each sign; the first sets the scale, and a search leaves it as it is
    signs: Callable[
        [str, Seen], Sequence[int]
    ]  # how often a player or seat sees each sign, in the order of the numbers
    rounds: int = ROUNDS

    def decide(self, ask: Ask, open_cards: Seen) -> dict[str, str]:
        """Choose an option for each player who is asked."""
        return {who: self.yes if self.points(self.signs(who, open_cards)) >= 0 else self.no for who in ask.who}

    def points(self, signs: Sequence[int]) -> int:
        """Sum of the signs' points, by the count's numbers."""
        return sum(map(mul, self.numbers.values(), signs))


Strategy = Chart | Count
