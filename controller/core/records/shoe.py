"""Records of the shoe and its cards, from one change of the shoe to the next."""

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, UnsetType

from ...rules.cards import Card
from .fact import Fact, OfRound


class ShoeChange(Fact, frozen=True, tag="shoe_change"):
    """A shoe change has begun: cards are recorded and cause no faults."""

    by: str
    retired: str | None = None  # id of the shoe that is taken away
    reading: bool = False  # True: its remaining cards are read out


class ReadOut(Fact, frozen=True, tag="read_out"):
    """A remaining card of a shoe that was taken away was read out."""

    card: Card | None


def is_rest_known(left: int | None, read_out: int, missing: Mapping[Card, int], unaccounted: int) -> bool:
    """Whether it is known how many cards a shoe still held: counted, read out, or more had come than it held."""
    return left is not None or read_out > 0 or bool(missing) or unaccounted < 0


class ShoeEnded(Fact, frozen=True, tag="shoe_ended"):
    """Account of the cards of a shoe that is taken away."""

    cards: int  # number of cards at the start
    dealt: int
    burnt: int
    read_out: int  # number of remaining cards that were read
    left: int | None  # number counted by a person; null: not counted
    missing: dict[Card, int]  # number by face, if all remaining cards were read
    surplus: dict[Card, int]
    unaccounted: int  # number of cards; below zero: there were more than at the start

    @property
    def is_counted(self) -> bool:
        """True if it is known how many cards were left."""
        return is_rest_known(self.left, self.read_out, self.missing, self.unaccounted)


class DeckSuspect(Fact, frozen=True, tag="deck_suspect"):
    """A deck or shoe cannot be complete: no further round starts with it."""

    deck: str
    double: tuple[Card, ...] = ()  # cards with more open copies than the deck holds
    missing: tuple[Card, ...] = ()  # cards missing for so many rounds that it cannot be chance
    rounds: int = 0  # number of rounds in which the deck was watched


class ShoeCut(Fact, frozen=True, tag="shoe_cut"):
    """The shuffled cards were cut."""

    by: str
    of_new: bool | UnsetType = UNSET  # True: the new cards of a shoe change; unset in older records


class CutSkipped(Fact, frozen=True, tag="cut_skipped"):
    """The cards of the new shoe are not cut, for this reason."""

    by: str
    because: str


class ShoeReady(Fact, frozen=True, tag="shoe_ready"):
    """A full shoe is in place."""

    by: str
    id: str
    cards: int
    counted: int | None = None  # null: not counted
    receipt: str | None = None  # of the machine that counted them
    witness: str | None = None  # second person, who saw the count
    deck: str | None = None  # new id of the deck, in a game that uses one deck in every round
    uncut: str | UnsetType = UNSET  # why the new shoe was not cut, empty: no reason; unset: it was, or not required


class Shuffled(Fact, frozen=True, tag="shuffled"):
    """A new or freshly shuffled deck, for a game that needs one every round."""

    by: str
    id: str
    deck: str | None = None  # deck that was shuffled


class CutCardDrawn(Fact, frozen=True, tag="cut_card"):
    """The cut card came out: the shoe is changed after this round, or after one more (`[table] cut_card`)."""


class Disagreed(OfRound, frozen=True, tag="disagreed"):
    """A shoe that counts its own places and results differs from the table after a ruling."""

    about: Literal["place", "result"]
    theirs: str
    ours: str
    draw: int | None = None


class ShoeStoodBy(Fact, frozen=True, tag="shoe_stood_by"):
    """The shoe is between rounds again: its own places and results count again."""
