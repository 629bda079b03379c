"""What a strategy is: how the player decides where a sheet leaves it to him.

The one rule: a strategy sees what lies face up and nothing else.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import mul

from msgspec import Struct

from ..rules.procedure import Ask
from .rounds import Seen


class Chart(Struct, frozen=True):
    """Tables of what to do."""

    words: str
    decide: Callable[[Ask, Seen], Mapping[str, str]]


class Count(Struct, frozen=True):
    """Points for the signs that are seen: yes from 0 on. Its numbers can be found by search."""

    words: str
    market: str  # whose return it is for
    yes: str  # the option taken from 0 points on
    no: str
    numbers: Mapping[str, int]  # points for each sign; the first sets the scale, and a search leaves it as it is
    signs: Callable[[Seen], Sequence[int]]  # how often each sign is there, in the order of the numbers

    def decide(self, ask: Ask, seen: Seen) -> dict[str, str]:
        """For the one hand at the table."""
        return dict.fromkeys(ask.who, self.yes if self.points(self.signs(seen)) >= 0 else self.no)

    def points(self, signs: Sequence[int]) -> int:
        """What the signs come to."""
        return sum(map(mul, self.numbers.values(), signs))


Strategy = Chart | Count
