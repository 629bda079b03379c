"""Presentation of a game to people: title, words of decisions and results, layout of places.

A text is English with the names of its values in braces; other languages translate the English text. A value is a
number, a text with values of its own, or a place, for which each screen has its name.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from msgspec import Struct

from .cards import Card

Layout = Literal["sides", "row", "poker", "seats"]  # two sides, hands in a row, two hands and a board, seats


ROOM = 5  # cards; a place with room for more shows a stack: the newest cards, and how many there are


class PlaceName(Struct, frozen=True):
    """Place within a sentence, written with the name that the screen has for it."""

    place: str


class CardName(Struct, frozen=True):
    """A card within a sentence, written with its sign (8♠)."""

    card: Card


class HandName(Struct, frozen=True):
    """Hand of a place within a sentence: written as `called`, or with its ranks if the cards are known."""

    place: str
    called: str


class Phrase(Struct, frozen=True):
    """A sentence, or a part of one."""

    text: str
    values: Mapping[str, "Value"] = {}


Value: TypeAlias = int | str | PlaceName | CardName | HandName | Phrase
Values: TypeAlias = dict[str, Value]


class RuleReason(Struct, frozen=True):
    """Reason of the rule sheet for a card or a payment: a sentence, and the clause or heading that it follows."""

    clause: str
    said: Phrase


class DrawReason(Struct, frozen=True):
    """Reason why a card came to a place, or why none did.

    `card`: number of the card on its place, from 1; 0: no further card comes to the place.
    """

    place: str
    card: int
    reason: RuleReason


class DealtRound(Struct, frozen=True):
    """Cards and decisions of a round that is over, from which its game explains draws and payments.

    `hands`: cards by place, in the order dealt; `decisions`: by player or seat, in the order made.
    """

    settings: Any
    hands: Mapping[str, Sequence[Card]]
    decisions: Mapping[str, Sequence[str]] = {}
    outcome: Mapping[str, Any] | None = None  # as it is recorded; None: the round is void


def by_winner(outcome: Mapping[str, Any]) -> Phrase:
    """Phrase for the result of a game that names only the winner."""
    winner = outcome.get("winner")
    if not isinstance(winner, str) or not winner:
        return Phrase("The round is over")
    return Phrase("{place} wins", {"place": PlaceName(winner)})


class BetPlace(Struct, frozen=True):
    """Player, market and seat of a bet in a finished round, for the reason of its payment."""

    player: str
    market: str
    seat: str | None = None  # in a seated game


@runtime_checkable
class Reasons(Protocol):
    """Reasons that a game gives for the draws and payments of a round that is over."""

    def draws(self, dealt: DealtRound) -> Iterable[DrawReason]:
        """Reason for each card that was dealt, in order, and for places that got no further card."""

    def payment(self, dealt: DealtRound, bet: BetPlace) -> RuleReason | None:
        """Reason why a bet won, lost or came back; None if the game states none."""


class Face(Struct, frozen=True):
    """Presentation of a game on screens, in reports and in demos."""

    title: str = ""  # by default the game's name
    layout: Layout = "row"
    room: int | Mapping[str, int] = ROOM  # cards for which each place has room; by place, where they differ
    dealt: int = 2  # cards that a place is dealt at first: what it gets later it draws
    redraw_after: int | None = None  # cards of a place: what comes then is called a redraw
    roads: bool = False  # whether its results are drawn as roads
    shown: tuple[str, ...] = ()  # the places as they lie, from the dealer's side on; by default as the sheet has them
    markets: Mapping[str, str] = {}  # names of bets that are on no place of the same name
    decisions: Mapping[str, str] = {}  # names of the options
    hands: Mapping[str, str] = {}  # names of hands within a sentence, by their score
    ranked: Callable[[Sequence[Card]], Phrase | None] = lambda _: None  # name of a hand with its ranks: aces and sevens
    forms: Callable[[Sequence[Card]], Sequence[Card]] | None = None  # cards of a place that make its hand
    formed: str = ""  # name of the cards that make a hand
    results: Mapping[str, str] = {}  # names of results of a hand other than win, lose, push, fold
    wins: tuple[str, ...] = ()  # which of these results win
    losses: tuple[str, ...] = ()  # which of these results lose
    result: Callable[[Mapping[str, Any]], Phrase] = by_winner  # sentence from the recorded outcome
    remarks: Callable[[Mapping[str, Any]], tuple[Phrase, ...]] = lambda _: ()  # further phrases
    reasons: Reasons | None = None  # for each draw and payment, with their clauses, where the game states them
