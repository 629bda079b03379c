"""What was made on a card that turned out wrong, or was seen: the contamination of a round, and what may become of it.

The one rule: it names no card, only draws by their numbers, so that it may be told wherever a fault is.
"""

from typing import Literal

from msgspec import Struct

Choice = Literal["anew", "withdraw", "stand", "cancel"]


class Made(Struct, frozen=True):
    """A decision, and what was staked with it."""

    who: str
    decision: str
    stake: int = 0


class Price(Struct, frozen=True):
    """Bets of one betting window on one market, at odds that were computed from the card. `right`: what they should
    have been; null: none, the market would not have been on offer, or the card lies elsewhere."""

    window: int
    market: str
    was: str
    right: str | None
    bets: tuple[str, ...]  # their ids
    total: int


class Total(Struct, frozen=True):
    """What the open cards of a place were said to come to, and what they do."""

    place: str
    was: str
    right: str


class Touched(Struct, frozen=True, omit_defaults=True):
    """All of it; nothing, where no decision, odds or total hangs on the card."""

    decisions: tuple[Made, ...] = ()  # the first that could be made on it, and all since
    answers: int | None = None  # of the round's script, before the first of these
    cards: tuple[int, ...] = ()  # draws that followed from them
    turned: bool = False  # face-down cards were turned over since
    odds: tuple[Price, ...] = ()
    totals: tuple[Total, ...] = ()

    @property
    def staked(self) -> int:
        """With the decisions, in minor units."""
        return sum(made.stake for made in self.decisions)

    @property
    def bets(self) -> int:
        """How many bets were taken at such odds."""
        return sum(len(price.bets) for price in self.odds)

    @property
    def bet(self) -> int:
        """Their sum, in minor units."""
        return sum(price.total for price in self.odds)


def choices(touched: Touched, wrong_odds: str, *, may_stand: bool) -> tuple[Choice, ...]:
    """What may become of it, what is done where nobody chooses first. `wrong_odds`: the table's setting, of bets.

    Who has seen what lay face down is not asked again. What stands of bets stands at the lower of both odds.
    `may_stand`: the card stays where it lies, so that what followed from it can.
    """
    stand: tuple[Choice, ...] = ("stand",) if may_stand else ()
    if touched.decisions:
        return ("cancel", *stand) if touched.turned else ("anew", *stand, "cancel")
    if touched.odds:
        return (*stand, "withdraw", "cancel") if wrong_odds == "lower" else ("withdraw", *stand, "cancel")
    return ()
