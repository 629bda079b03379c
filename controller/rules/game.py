"""Game: its procedure, markets and pay tables, its presentation and its strategy."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from msgspec import Struct

from .cards import Card, Deck
from .face import Face
from .procedure import Outcome, Participants, Procedure, Settings
from .returns import Counted
from .strategy import Strategy

SMALLEST = 1  # amount in a sheet that means the smallest amount of the table's currency


class Market(Struct, frozen=True):
    """One thing a player can bet on."""

    name: str
    odds: Decimal | None = None  # decimal odds, stake included, if the sheet fixes them
    needs: str | None = None  # only together with a bet on this market
    minimum: int = SMALLEST  # of a stake, in hundredths of the table's currency, where the table sets none
    floor: int = SMALLEST  # the same: under a smaller minimum the house would pay back more than it takes
    published: Fraction | None = None  # the return to player, in percent, where the sheet states one


class Stake(Struct, frozen=True):
    """A bet as the rule sheet sees it."""

    player: str
    market: str
    odds: Decimal | None = None
    seat: str | None = None  # in a seated game; the second hand of a split has its own, `seat2.2`


class Prize(Struct, frozen=True):
    """A fixed amount in table currency (10 is 10.00), paid on top of the stake that comes back."""

    amount: int


class FollowOn(Struct, frozen=True):
    """Stake that a decision adds: `times` the bet on the market `of`, on the market `market`."""

    market: str
    of: str
    times: Fraction


class Chance(Struct, frozen=True):
    """Exact probability that a bet wins, and that its stake is returned."""

    won: Fraction
    stake_back: Fraction = Fraction(0)


class Pricing(Struct, frozen=True):
    """Pricing of markets whose odds change with each betting window.

    `chances`: chance of each market, from the copies left of each card and the cards on the table in their order.
    """

    windows: int
    margin: Fraction  # of each stake: what the table keeps on average
    chances: Callable[[Mapping[Card, int], Sequence[Card]], Mapping[str, Chance]]


class Game(Struct, frozen=True, eq=False):
    """Rule sheet of one game. `pay`: return for each unit staked, stake included; 0 if lost."""

    name: str
    version: str  # of our reading of the sheet: pinned in every round that is played under it
    places: tuple[str, ...]
    settings: type[Settings]
    deck: Callable[[Any], Deck]
    procedure: Callable[[Any, Participants], Procedure]
    outcome: type[Outcome]  # that the procedure returns
    markets: tuple[Market, ...]
    pay: Callable[[Any, Stake], Fraction | Prize]
    face: Face = Face()
    strategy: Strategy | None = None  # for a game that asks: decides in demos and simulations of returns
    counted: Counted | None = None  # the markets whose return is exact; that of the others is simulated
    score: Callable[[str, Sequence[Card]], str] = lambda _, __: ""  # score of a place's cards, for people
    joins: str | None = None  # the market whose bet makes a participant
    follow_ons: Mapping[str, FollowOn] = {}  # by decision
    refusable: tuple[str, ...] = ()  # of these, those that a limit of stakes may refuse: the player has other choices
    highest: Mapping[str, tuple[Fraction | Prize, ...]] = {}  # most that `pay` gives, by market; else its odds are
    exclusive: tuple[tuple[str, ...], ...] = ()  # groups of markets of which at most one wins in a round
    seats: tuple[str, ...] = ()  # of a seated game: every bet names one
    pricing: Callable[[Any], Pricing | None] = lambda _: None  # None: the odds are those of the markets
    family: str = ""  # of games that may follow one another at a table; on its own, where none is named
    tables: Mapping[str, Any] = {}  # all that `pay` reads: it is recorded, and part of the sheet's digest

    @property
    def family_name(self) -> str:
        """Family of the game; the game's own name if it has none."""
        return self.family or self.name
