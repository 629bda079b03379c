"""Recorded effect of a ruling: the difference between the round before it and the round after it.

It names draws and bets, never a card, so that every record may have it. `core.difference` computes it.
"""

from msgspec import Struct


class DecisionMade(Struct, frozen=True):
    """Decision, with the stake that came with it in minor units."""

    who: str
    decision: str
    stake: int = 0


class Price(Struct, frozen=True):
    """Bets of one window on one market, at odds that were computed from other cards.

    `was`: the odds taken; `right`: the right odds; null: the market would not have been on offer, or the cards lie
    elsewhere. `total`: sum of the bets, in minor units.
    """

    window: int
    market: str
    was: str
    right: str | None
    bets: tuple[str, ...]  # their ids
    total: int


class Total(Struct, frozen=True):
    """Total of the open cards of a place before and after the ruling. `right` is empty if no card is left."""

    place: str
    was: str
    right: str


class DrawShift(Struct, frozen=True):
    """Draw that leaves its place or gets one.

    `was`, `now`: its place or its fate; null: there was no such card.
    """

    draw: int
    was: str | None
    now: str


class RoundDifference(Struct, frozen=True, omit_defaults=True):
    """Difference between the round after a ruling and the round before.

    Empty if the ruling changes nothing.
    """

    decisions: tuple[DecisionMade, ...] = ()  # affected decisions: the first one, and all later ones
    answers: int | None = None  # number of answered steps in the round's script before the first of these decisions
    cards: tuple[int, ...] = ()  # draws that followed from these decisions
    odds: tuple[Price, ...] = ()
    totals: tuple[Total, ...] = ()
    stands: int = 0  # decisions that are not affected
    asked: tuple[str, ...] = ()  # players or seats that are asked now and were not before
    shifts: tuple[DrawShift, ...] = ()
    covered: tuple[int, ...] = ()  # draws that were open and are face down after the ruling
    seen: tuple[int, ...] = ()  # face-down draws that somebody has seen
    moved: int = 0  # sum of the changes of all bets, in minor units; recorded as `ruled.moved`

    @property
    def total_stake(self) -> int:
        """Sum of the stakes of the affected decisions, in minor units."""
        return sum(decision.stake for decision in self.decisions)

    @property
    def bets(self) -> int:
        """Number of bets that were taken at wrong odds."""
        return sum(len(price.bets) for price in self.odds)

    @property
    def bet(self) -> int:
        """Sum of the bets at wrong odds, in minor units."""
        return sum(price.total for price in self.odds)
