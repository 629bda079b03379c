"""Cards and decks. A card is its name, rank then suit: `AS TD 9H KC`.

A card has no other properties. Text from outside becomes a card only through `parse_card`.
"""

from msgspec import Struct

Card = str  # a name that `parse_card` has let through

RANKS = "23456789TJQKA"
SUITS = "CDHS"
JOKER: Card = "JOKER"  # read by card readers, but in no deck of the built-in games
FULL_DECK: tuple[Card, ...] = tuple(rank + suit for rank in RANKS for suit in SUITS)

_KNOWN = {card: card for card in (*FULL_DECK, JOKER)}


class BadCard(ValueError):
    """A text that names no card."""

    def __init__(self, text: str) -> None:
        super().__init__(f"expected a card such as 9H, TD or AS, got {text!r:.40}")


class Deck(Struct, frozen=True):
    """Deck of a game: its cards, number of copies, and when to change it."""

    cards: tuple[Card, ...]  # the different cards of one deck
    copies: int = 1  # how many decks are in play
    change_below: int = 0  # no round starts with fewer cards left than this
    every_round: bool = False  # shuffled (or changed) before every round

    @property
    def size(self) -> int:
        """Number of cards in a full shoe."""
        return len(self.cards) * self.copies


def parse_card(text: str) -> Card:
    """Parse the name of a card from a person or a device: `9H`, also `9h` and `10H`. Raises BadCard."""
    name = text.strip().upper()
    if name.startswith("10"):
        name = "T" + name[2:]
    if name not in _KNOWN:
        raise BadCard(text)
    return _KNOWN[name]
