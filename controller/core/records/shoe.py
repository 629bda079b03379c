"""The shoe and its cards, from one change to the next."""

from collections.abc import Mapping
from typing import Literal

from msgspec import UNSET, UnsetType

from ...rules.cards import Card
from .fact import Fact, OfRound


class ShoeChange(Fact, frozen=True, tag="shoe_change"):
    """The shoe is being changed: cards are recorded and fault nothing."""

    by: str
    retired: str | None = None  # the shoe that is taken away
    reading: bool = False  # and what is left in it is read out


class ReadOut(Fact, frozen=True, tag="read_out"):
    """A card that was left in a shoe when it was taken away."""

    card: Card | None


def is_rest_known(left: int | None, read_out: int, missing: Mapping[Card, int], unaccounted: int) -> bool:
    """Whether it is known how many cards a shoe still held: counted, read out, or more had come than it held."""
    return left is not None or read_out > 0 or bool(missing) or unaccounted < 0


class ShoeEnded(Fact, frozen=True, tag="shoe_ended"):
    """Account of the cards of a shoe that is taken away."""

    cards: int  # that it came with
    dealt: int
    burnt: int
    read_out: int  # of the rest
    left: int | None  # counted, not read; null: nobody counted
    missing: dict[Card, int]  # by the faces, where all of the rest was read
    surplus: dict[Card, int]
    unaccounted: int  # cards; below zero: more than it came with

    @property
    def is_counted(self) -> bool:
        """True if it is known how many cards were left."""
        return is_rest_known(self.left, self.read_out, self.missing, self.unaccounted)


class DeckSuspect(Fact, frozen=True, tag="deck_suspect"):
    """A deck or shoe cannot be whole: no round starts with it any more."""

    deck: str
    double: tuple[Card, ...] = ()  # of which more lay open than it holds
    missing: tuple[Card, ...] = ()  # that have not come for so long that it cannot be chance
    rounds: int = 0  # in which it was watched


class ShoeCut(Fact, frozen=True, tag="shoe_cut"):
    """The shuffled cards were cut."""

    by: str
    of_new: bool | UnsetType = UNSET  # while the shoe was being changed: the new one's cards; older records do not say


class CutSkipped(Fact, frozen=True, tag="cut_skipped"):
    """The cards of the new shoe are not cut, and why."""

    by: str
    because: str


class ShoeReady(Fact, frozen=True, tag="shoe_ready"):
    """A full shoe is in place."""

    by: str
    id: str
    cards: int
    counted: int | None = None  # null: nobody counted them
    receipt: str | None = None  # of the machine that did
    witness: str | None = None  # the second person who saw it done
    deck: str | None = None  # of a deck that is dealt anew every round: its id, new from here on
    uncut: str | UnsetType = UNSET  # why the new shoe was not cut, empty: nobody said; unset: it was, or nobody asked


class Shuffled(Fact, frozen=True, tag="shuffled"):
    """A new or freshly shuffled deck, for a game that wants one every round."""

    by: str
    id: str
    deck: str | None = None  # whose cards were shuffled


class CutCardDrawn(Fact, frozen=True, tag="cut_card"):
    """The cut card came out: this round is played to its end, then the shoe is changed."""


class Disagreed(OfRound, frozen=True, tag="disagreed"):
    """A shoe that counts for itself, and that a ruling went past, says otherwise than the table."""

    about: Literal["place", "result"]
    theirs: str
    ours: str
    draw: int | None = None


class ShoeStoodBy(Fact, frozen=True, tag="shoe_stood_by"):
    """The shoe is between rounds again: its own places and results count again."""
