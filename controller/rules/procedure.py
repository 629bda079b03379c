"""Steps of a rule sheet, in which its procedure is written.

A procedure is a generator. It yields the next step of its sheet, receives the answer, and returns the outcome:

    step                               answer that comes back
    Deal(to, face_up)                  the card, as its name
    Ask(who, options, default)         {who: option} for everybody asked
    Reveal(place)                      None
    Bets(window)                       None, once the window has closed

Invariant: a procedure says what must come next and nothing else. It knows no clock, device, pause or stake, so it
can be driven live, again after a ruling, one card further to look ahead, or along every possible path.
"""

from collections.abc import Generator, Mapping, Sequence
from typing import Any, ClassVar

import msgspec
from msgspec import Struct

from .cards import Card

SECOND = ".2"  # what the second hand of a split adds to its seat


class Bets(Struct, frozen=True, tag_field="step", tag="bets"):
    """A further betting window: dealing waits until it has closed. The first one precedes the procedure."""

    window: int


class Deal(Struct, frozen=True, tag_field="step", tag="deal"):
    """One card is due to a place."""

    to: str
    face_up: bool = True


class Ask(Struct, frozen=True, tag_field="step", tag="ask"):
    """Players or seats decide; the default counts for those who have not decided at the deadline."""

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
    """Convert a struct to plain JSON values: dicts, lists, text, numbers."""
    fields: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value))
    return fields


class Outcome(Struct, frozen=True):
    """Outcome of a round; each game adds its own fields."""

    kept: ClassVar[tuple[str, ...]] = ()  # fields for `pay` alone, which are not recorded

    def record(self) -> dict[str, Any]:
        """The outcome as it is recorded and announced."""
        return {name: value for name, value in plain(self).items() if name not in self.kept}


Procedure = Generator[Step, Any, Outcome]
Part = Generator[Step, Any, None]


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """The house options of a game. Each game adds its own, with its rule sheet's reading as default."""


class Hand:
    """Cards of one place, in the order in which they were dealt."""

    __slots__ = ("cards", "place")

    def __init__(self, place: str) -> None:
        self.place = place
        self.cards: list[Card] = []


class Participants(Struct, frozen=True):
    """Participants of the round, known when betting has closed."""

    players: tuple[str, ...] = ()  # in the order of their first bet
    seats: tuple[str, ...] = ()  # of a seated game, in the order of dealing
    void: tuple[str, ...] = ()  # seats that a ruling made void

    def is_void(self, hand: Hand) -> bool:
        """True if a ruling made the hand void: it keeps its cards, and nobody plays against it."""
        return seat_of(hand.place) in self.void


def deal(*hands: Hand, face_up: bool = True) -> Part:
    """Deal one card to each hand, in turn."""
    for hand in hands:
        hand.cards.append((yield Deal(hand.place, face_up)))


def ask(who: Sequence[str], *options: str, default: str) -> Generator[Step, Any, Mapping[str, str]]:
    """Ask for decisions and return those of each participant; if there is none, nothing is asked."""
    decisions: Mapping[str, str] = (yield Ask(tuple(who), options, default)) if who else {}
    return decisions


def reveal(hand: Hand) -> Part:
    """Turn over the face-down cards of a hand."""
    yield Reveal(hand.place)


def bets(window: int) -> Part:
    """Open a further betting window and wait until it has closed."""
    yield Bets(window)


def seat_of(place: str) -> str:
    """Seat to which a hand belongs: the second hand of a split to the seat that split. Other places are unchanged."""
    return place.removesuffix(SECOND)
