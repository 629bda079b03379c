"""The vocabulary of a rule sheet: what a game file is written in.

A procedure is a generator. It yields the next step of its sheet, receives the answer, and returns the outcome:

    step                               answer that comes back
    Deal(to, face_up)                  the card, as its name
    Ask(who, options, default)         {who: option} for everybody asked
    Reveal(place)                      None
    Bets(window)                       None, once the window has closed

The one rule: a procedure says what must come next and nothing else. It knows no clock, device, pause or purse, so it
can be driven live, again after a ruling, one card further to look ahead, or along every path there is.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import msgspec
from msgspec import Struct

from .cards import Card, Deck


class Bets(Struct, frozen=True, tag_field="step", tag="bets"):
    """A further betting window: dealing waits until it has closed. The first one precedes the procedure."""

    window: int


class Deal(Struct, frozen=True, tag_field="step", tag="deal"):
    """One card is due to a place."""

    to: str
    face_up: bool = True


class Ask(Struct, frozen=True, tag_field="step", tag="ask"):
    """People decide; who stays silent until the deadline takes the default."""

    who: tuple[str, ...]
    options: tuple[str, ...]
    default: str
    seconds: int | None = None  # None: the table's own limit


class Reveal(Struct, frozen=True, tag_field="step", tag="reveal"):
    """The face-down cards of a place are turned over."""

    place: str


SEATS = tuple(f"seat{number}" for number in range(1, 8))  # of a seated game: as many as the sheets have

Step = Bets | Deal | Ask | Reveal


def plain(value: Struct) -> dict[str, Any]:
    """A struct as JSON would give it back: dicts, lists, text, numbers."""
    fields: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value))
    return fields


class Outcome(Struct, frozen=True):
    """What a round came to. Each game adds its own fields."""

    def record(self) -> dict[str, Any]:
        """The outcome as it is recorded and announced."""
        return plain(self)


Procedure = Generator[Step, Any, Outcome]
Part = Generator[Step, Any, None]


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The house options of a game. Each game adds its own, with its rule sheet's reading as default."""


class Participants(Struct, frozen=True):
    """Who takes part in the round, known when betting has closed."""

    players: tuple[str, ...] = ()  # in the order of their first bet
    seats: tuple[str, ...] = ()  # of a seated game, in the order of dealing


class Hand:
    """The cards of one place, in the order they came."""

    __slots__ = ("cards", "place")

    def __init__(self, place: str) -> None:
        self.place = place
        self.cards: list[Card] = []


class Market(Struct, frozen=True):
    """One thing a player can bet on."""

    name: str
    odds: Decimal | None = None  # decimal odds, stake included, where the sheet fixes them
    needs: str | None = None  # only together with a bet on this market
    minimum: int = 1  # of a stake, in minor units, where the table sets none
    floor: int = 1  # under a smaller minimum the house would pay back more than it takes
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
    """A stake that comes with a decision: so many times the bet on another market."""

    market: str
    of: str
    times: Fraction


class Chance(Struct, frozen=True):
    """What may become of a bet, exactly: it is won, or no more than the stake comes back."""

    won: Fraction
    stake_back: Fraction = Fraction(0)


class Pricing(Struct, frozen=True):
    """How odds are found that change with each betting window. `chances` gives them for each market, from the copies
    left of each card and the cards that lie, in their order."""

    windows: int
    margin: Fraction  # of each stake: what the table keeps on average
    chances: Callable[[Mapping[Card, int], Sequence[Card]], Mapping[str, Chance]]


class Game(Struct, frozen=True, eq=False):
    """One rule sheet. `pay` gives what comes back for each unit staked, the stake included: 0 for a lost bet."""

    name: str
    version: str  # of our reading of the sheet: pinned in every round that is played under it
    places: tuple[str, ...]
    settings: type[Settings]
    deck: Callable[[Any], Deck]
    procedure: Callable[[Any, Participants], Procedure]
    markets: tuple[Market, ...]
    pay: Callable[[Any, Stake], Fraction | Prize]
    score: Callable[[Sequence[Card]], str] = lambda _: ""  # what the cards of a place come to, for people
    joins: str | None = None  # the market whose bet makes a participant
    follow_ons: Mapping[str, FollowOn] = {}  # by decision
    seats: tuple[str, ...] = ()  # of a seated game: every bet names one
    pricing: Callable[[Any], Pricing | None] = lambda _: None  # null: the odds are those of the markets
    family: str = ""  # of games that may follow one another at a table; on its own, where none is named
    tables: Mapping[str, Any] = {}  # all that `pay` reads: it is recorded, and part of the sheet's digest

    @property
    def family_name(self) -> str:
        """The family, or the game that is one by itself."""
        return self.family or self.name


def deal(*hands: Hand, face_up: bool = True) -> Part:
    """One card to each hand, in turn."""
    for hand in hands:
        hand.cards.append((yield Deal(hand.place, face_up)))


def ask(who: Sequence[str], *options: str, default: str) -> Generator[Step, Any, Mapping[str, str]]:
    """What each of them decided."""
    decisions: Mapping[str, str] = yield Ask(tuple(who), options, default)
    return decisions


def reveal(hand: Hand) -> Part:
    """The hand is turned over."""
    yield Reveal(hand.place)


def bets(window: int) -> Part:
    """A further betting window opens, and closes."""
    yield Bets(window)
