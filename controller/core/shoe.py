"""Shoe on the table, and the past of the decks that the table has played with."""

from msgspec import Struct

from ..rules.cards import Card


class Shoe(Struct, frozen=True, omit_defaults=True):
    """Cards that are still to come, as far as known from those that came."""

    id: str = ""  # empty: no shoe yet, or it is being changed
    game: str = ""  # game that it was loaded for
    size: int = 0  # cards of the full shoe
    seen: dict[Card, int] = {}  # copies of each card that came from it before the present round
    out: int = 0  # cards that have left it
    since: int = 0  # draws of the present round that came from an earlier shoe
    cut: bool = False
    shuffled: bool = False
    changing: bool = False
    advisory: bool = False  # after a ruling: the places and results of a shoe are not believed until it stands by
    burnt: int = 0  # of the cards that have left it
    reading: bool = False  # True: it was taken away, and its remaining cards are read out
    read_out: dict[str, int] = {}  # copies of each remaining card that was read out; "": cards that could not be read
    after_cut: int = 0  # rounds that were opened since the cut card came
    deck: str = ""  # id of a deck that is shuffled every round and watched; empty: not watched
    suspect: bool = False  # True: it cannot be complete
    new_cut: bool = False  # while it is being changed: the new shoe's cards were cut
    first_unread: bool = False  # while it is being changed: the first card burnt from the new shoe was not read
    uncut: str | None = None  # while it is being changed: why the new shoe's cards were not cut

    @property
    def cards_left(self) -> int:
        """Cards that are left in it; a card that was slid twice has left twice, until a ruling says otherwise."""
        return self.size - self.out

    @property
    def shown_cards_left(self) -> int:
        """Cards that are left in it, as shown to people and programs: never below 0.

        `cards_left` is below 0 while cards are burnt from a new shoe; the account of the shoe needs that difference.
        """
        return max(0, self.cards_left)


class DeckPast(Struct, frozen=True, omit_defaults=True):
    """Observed past of a deck that is shuffled anew every round."""

    rounds: int = 0
    weight: int = 0  # sum of the rounds' weights; see `deck_account`
    last: tuple[tuple[int, tuple[Card, ...]], ...] = ()  # cards by the weight at which they came last
    suspect: bool = False
