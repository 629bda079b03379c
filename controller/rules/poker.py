"""Poker hands: the name of the best five of up to seven cards, and which of two hands is better.

The evaluation itself is eval7's; this file only gives it our cards and the rule sheets' names.
"""

from collections.abc import Sequence
from itertools import combinations

import eval7

from .cards import FULL_DECK, Card

HANDS = (
    "High Card", "1 Pair", "2 Pairs", "3 of a Kind", "Straight",
    "Flush", "Full House", "4 of a Kind", "Straight Flush", "Royal Flush",
)  # fmt: skip

_CARDS = {card: eval7.Card(card[0] + card[1].lower()) for card in FULL_DECK}
_NAMES = dict(
    zip(
        (
            "High Card",
            "Pair",
            "Two Pair",
            "Trips",
            "Straight",
            "Flush",
            "Full House",
            "Quads",
            "Straight Flush",
        ),
        HANDS,
        strict=False,
    )
)
_ROYAL = eval7.evaluate([_CARDS[card] for card in ("AS", "KS", "QS", "JS", "TS")])


def strength(cards: list[Card]) -> int:
    """A number that is higher for the better hand and equal for equal hands. Five to seven cards."""
    return int(eval7.evaluate([_CARDS[card] for card in cards]))


def best_five(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Five of these cards that are as strong as all of them; fewer than five make no hand."""
    return max(combinations(cards, 5), key=lambda five: strength(list(five)), default=())


def hand_name(cards: list[Card]) -> str:
    """What the best five of these cards are called, one of HANDS."""
    value = strength(cards)
    return "Royal Flush" if value == _ROYAL else _NAMES[eval7.handtype(value)]
