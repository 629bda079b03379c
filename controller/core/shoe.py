"""Shoe on the table, and the past of the decks that the table has played with."""

from msgspec import Struct

from ..rules.cards import Card


class Shoe(Struct, frozen=True, omit_defaults=True):
    """Cards that are still to come, as far as known from those that came."""

    id: str = ""  # none yet, or it is being changed
    game: str = ""  # that it was loaded for
    size: int = 0
    seen: dict[Card, int] = {}  # in earlier rounds from this shoe
    out: int = 0  # cards that have left it
    since: int = 0  # draws of the present round that came from an earlier shoe
    cut: bool = False
    shuffled: bool = False
    changing: bool = False
    advisory: bool = False  # after a ruling: a shoe that counts for itself is not believed until it stands by
    burnt: int = 0  # of the cards that have left it
    reading: bool = False  # it was taken away, and the rest of it is read out
    read_out: dict[str, int] = {}  # of that rest; those that could not be read under ""
    after_cut: int = 0  # rounds that were opened since the cut card came
    deck: str = ""  # the id of one that is dealt anew every round and watched
    suspect: bool = False  # it cannot be whole
    new_cut: bool = False  # while it is being changed: the cards of the new one were cut
    first_unread: bool = False  # while it is being changed: the first card burnt from the new one was not read
    uncut: str | None = None  # while it is being changed: why the cards of the new one were not cut

    @property
    def cards_left(self) -> int:
        """Cards that are left in it; a card that was slid twice has left twice, until a ruling says otherwise."""
        return self.size - self.out

    @property
    def shown_cards_left(self) -> int:
        """Cards that are left in it, as shown to people and programs: never below 0.

        `left` is below 0 while cards are burnt from a new shoe; the account of the shoe needs that difference.
        """
        return max(0, self.cards_left)


class DeckPast(Struct, frozen=True, omit_defaults=True):
    """Observed past of a deck that is shuffled anew every round."""

    rounds: int = 0
    weight: int = 0  # of all of them; see `deck_account`
    last: tuple[tuple[int, tuple[Card, ...]], ...] = ()  # the cards by the weight at which they came last
    suspect: bool = False
