"""Cards for emulated shoes, by their names.

The same seed gives the same order.
"""

import random
from collections.abc import Sequence

RANKS, SUITS = "A23456789TJQK", "CDHS"
FULL_DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)


def shuffled_cards(deck: Sequence[str], decks: int, seed: int | None) -> list[str]:
    """Shuffle `decks` copies of the cards of `deck`."""
    cards = list(deck) * decks
    random.Random(seed).shuffle(cards)  # noqa: S311 - a demo's cards, no one's money
    return cards


def other_suit(card: str) -> str:
    """Card that a reader takes this one for by mistake: same rank, next suit."""
    return card[0] + SUITS[(SUITS.index(card[1]) + 1) % len(SUITS)]
