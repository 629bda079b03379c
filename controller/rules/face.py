"""Presentation of a game to people: title, words of decisions and results, layout of places.

A text is English with the names of its values in braces; another language has it by its English. What is given for a
value is a number, a text of its own, or a place, which is called what a screen calls it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from .cards import Card

Layout = Literal["sides", "row", "poker", "seats"]  # two sides, hands in a row, two hands and a board, seats


ROOM = 5  # cards; a place with room for more shows a stack: the newest cards, and how many there are


class PlaceName(Struct, frozen=True):
    """A place, by what a screen calls it."""

    place: str


class Phrase(Struct, frozen=True):
    """A sentence, or a part of one."""

    text: str
    values: Mapping[str, "int | str | PlaceName | Phrase"] = {}


def by_winner(outcome: Mapping[str, Any]) -> Phrase:
    """Phrase for a result, for a game that says no more than the winner."""
    winner = outcome.get("winner")
    if not isinstance(winner, str) or not winner:
        return Phrase("The round is over")
    return Phrase("{place} wins", {"place": PlaceName(winner)})


class Face(Struct, frozen=True):
    """Face of a game: what screens, reports and a demo show of it."""

    title: str = ""  # by default the game's name
    layout: Layout = "row"
    room: int | Mapping[str, int] = ROOM  # cards for which each place has room; by place, where they differ
    dealt: int = 2  # cards that a place is dealt at first: what it gets later it draws
    redraw_after: int | None = None  # cards of a place: what comes then is called a redraw
    roads: bool = False  # whether its results are drawn as roads
    shown: tuple[str, ...] = ()  # the places as they lie, from the dealer's side on; by default as the sheet has them
    markets: Mapping[str, str] = {}  # what a bet is called that is on no place of the same name
    decisions: Mapping[str, str] = {}  # what an option is called
    hands: Mapping[str, str] = {}  # what a hand is called within a sentence, by its score
    ranked: Callable[[Sequence[Card]], Phrase | None] = lambda _: None  # the same with its ranks: aces and sevens
    forms: Callable[[Sequence[Card]], Sequence[Card]] = lambda _: ()  # those of a place's cards that make its hand
    formed: str = ""  # and what these are called
    results: Mapping[str, str] = {}  # what a hand came to is called, where that is none of win, lose, push, fold
    wins: tuple[str, ...] = ()  # those of them that are won
    losses: tuple[str, ...] = ()  # and lost
    result: Callable[[Mapping[str, Any]], Phrase] = by_winner  # in one sentence, from the outcome as it is recorded
    remarks: Callable[[Mapping[str, Any]], tuple[Phrase, ...]] = lambda _: ()  # and what else is to be said of it
