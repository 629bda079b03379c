"""What a ruling changes, as it is recorded: the difference between the round before it and the round after it.

It names draws and bets, never a card, so that every record may have it. `core.difference` computes it.
"""

from msgspec import Struct


class Made(Struct, frozen=True):
    """A decision, and what was staked with it."""

    who: str
    decision: str
    stake: int = 0


class Price(Struct, frozen=True):
    """Bets of one betting window on one market, at odds that were computed from cards which were others. `right`: what
    the odds should have been; null: the market would not have been on offer, or the cards lie elsewhere."""

    window: int
    market: str
    was: str
    right: str | None
    bets: tuple[str, ...]  # their ids
    total: int


class Total(Struct, frozen=True):
    """What the open cards of a place came to, and what they come to now. `right` is empty where none are left."""

    place: str
    was: str
    right: str


class DrawShift(Struct, frozen=True):
    """A draw that leaves its place or gets one. `was`, `now`: the place, or what else became of it; null: no card."""

    draw: int
    was: str | None
    now: str


class Worth(Struct, frozen=True):
    """What goes back for a bet; null: it has no result yet."""

    bet: str
    was: int | None
    now: int | None


class RoundDifference(Struct, frozen=True, omit_defaults=True):
    """The round after a ruling, compared with the round before. Empty where the ruling changes nothing."""

    decisions: tuple[Made, ...] = ()  # that do not stand by themselves: the first that is affected, and all since
    answers: int | None = None  # of the round's script, before the first of these
    cards: tuple[int, ...] = ()  # draws that followed from them
    odds: tuple[Price, ...] = ()
    totals: tuple[Total, ...] = ()
    stands: int = 0  # decisions that are not affected
    asked: tuple[str, ...] = ()  # who is asked now, and was not before
    shifts: tuple[DrawShift, ...] = ()
    covered: tuple[int, ...] = ()  # draws that lay open, and that the sheet has lie face down now
    seen: tuple[int, ...] = ()  # draws that lie face down, and that somebody has seen
    worth: tuple[Worth, ...] = ()  # bets for which another sum goes back; not recorded: the bets' own records follow
    moved: int = 0  # the sum of what changes for each bet, in minor units; recorded as `ruled.moved`

    @property
    def staked(self) -> int:
        """With the decisions, in minor units."""
        return sum(made.stake for made in self.decisions)

    @property
    def bets(self) -> int:
        """How many bets were taken at wrong odds."""
        return sum(len(price.bets) for price in self.odds)

    @property
    def bet(self) -> int:
        """Their sum, in minor units."""
        return sum(price.total for price in self.odds)
