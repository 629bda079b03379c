"""Plan of a demo: which game, how many rounds, how fast, and which errors the dealer makes in them."""

import random
from collections.abc import Iterator
from itertools import count

from msgspec import Struct

ERRORS = ("unread", "early", "misread", "overdraw")


class Plan(Struct, frozen=True):
    """Options of the demo, as the user chose them."""

    rounds: int | None = None  # None: no limit
    speed: float = 1.0
    seed: int | None = None
    faults: bool = False
    game: str = "baccarat"
    by_hand: bool = False  # only a person who signs in on the page rules
    attend: float = 2.5  # seconds until the scripted shift manager rules, unless a person has ruled before
    every: int | None = None  # an error in one of so many rounds; None: often
    first: int = 1  # round with the first of these errors

    @property
    def betting_seconds(self) -> int:
        """Length of a betting window: longer than needed, as the dealer closes it."""
        return max(15, round(15 / self.speed))

    @property
    def decision_seconds(self) -> int:
        """Length of a decision window in whole seconds; short, as a silent player must not delay the demo.

        Tables know whole seconds only.
        """
        return max(1, round(10 / self.speed))

    @property
    def patience(self) -> float:
        """Longest wait for the table, in seconds, before it counts as a bug; longer in a slow demo."""
        return self.decision_seconds + max(20, 20 / self.speed)

    def errors(self) -> Iterator[str | None]:
        """Yield the dealer's error in each round, or None.

        With faults, the first rounds contain one unread card and one card too early.
        """
        dice = random.Random(self.seed)  # noqa: S311 - a show, no game
        if self.faults and self.every:
            yield from self._regular_errors(self.every, dice)
        first: list[str | None] = ["unread", "early", *[None] * max(0, min(5, self.rounds or 5) - 2)]
        dice.shuffle(first)
        while self.faults:
            yield from first
            first = [dice.choice((None, None, *ERRORS))]
        while True:
            yield None

    def _regular_errors(self, every: int, dice: random.Random) -> Iterator[str | None]:
        for number in count(1):
            yield dice.choice(ERRORS) if number >= self.first and (number - self.first) % every == 0 else None
