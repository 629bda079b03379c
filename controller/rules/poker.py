"""Poker hands: the name of the best five of up to seven cards, and which of two hands is better.

Written here because no library does it on every processor: eval7 is compiled and has no wheels for arm64, phevaluator
has them for x86-64 alone and is in plain Python four times slower, treys takes ten times as long for seven cards.
The tests compare each number with eval7's: all hands of five cards and a million of seven.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache
from itertools import combinations
from typing import Final

from .cards import FULL_DECK, SUITS, Card
from .face import Phrase

HANDS = (
    "High Card", "1 Pair", "2 Pairs", "3 of a Kind", "Straight",
    "Flush", "Full House", "4 of a Kind", "Straight Flush", "Royal Flush",
)  # fmt: skip

LOW_TO_HIGH = "23456789TJQKA"
RANKS = {
    "2": "twos", "3": "threes", "4": "fours", "5": "fives", "6": "sixes", "7": "sevens", "8": "eights",
    "9": "nines", "T": "tens", "J": "jacks", "Q": "queens", "K": "kings", "A": "aces",
}  # fmt: skip
RANKED = {
    "1 Pair": "pair of {ranks}", "2 Pairs": "{ranks} and {others}", "3 of a Kind": "three {ranks}",
    "Full House": "{ranks} full of {others}", "4 of a Kind": "four {ranks}",
}  # fmt: skip
FIVE, ACE = LOW_TO_HIGH.index("5"), LOW_TO_HIGH.index("A")
STRAIGHT, FLUSH, STRAIGHT_FLUSH = HANDS.index("Straight"), HANDS.index("Flush"), HANDS.index("Straight Flush")
# Key: cards of the most frequent rank, and of the second one. Value: position of the hand in HANDS, number of ranks
# that make it, number of ranks that count beside it.
KINDS: Final = {
    (4, 3): (7, 1, 1), (4, 2): (7, 1, 1), (4, 1): (7, 1, 1), (3, 3): (6, 2, 0), (3, 2): (6, 2, 0),
    (3, 1): (3, 1, 2), (2, 2): (2, 2, 1), (2, 1): (1, 1, 3), (1, 1): (0, 0, 5), (4, 0): (7, 1, 0),
}  # fmt: skip

# A hand is the sum of its cards: three bits for each rank count its cards, then four bits for each suit count them from
# 3 on, so that the fifth card of a suit sets the highest bit.
SUITS_AT = 3 * len(LOW_TO_HIGH)
RANK_BITS = (1 << SUITS_AT) - 1
NO_CARDS = sum(3 << SUITS_AT + 4 * suit for suit in range(len(SUITS)))
FLUSHES = {suit: 8 << SUITS_AT + 4 * number for number, suit in enumerate(SUITS)}
ANY_FLUSH = sum(FLUSHES.values())
_CARDS = {
    card: (1 << 3 * LOW_TO_HIGH.index(card[0])) + (1 << SUITS_AT + 4 * SUITS.index(card[1])) for card in FULL_DECK
}


def strength(cards: Sequence[Card]) -> int:
    """A number that is higher for the better hand and equal for equal hands. Five to seven cards."""
    hand = NO_CARDS
    for card in cards:
        hand += _CARDS[card]
    return _flush(cards, hand) if hand & ANY_FLUSH else _rank_value(hand & RANK_BITS)


def best_five(cards: Sequence[Card]) -> tuple[Card, ...]:
    """Five of these cards that are as strong as all of them; fewer than five make no hand."""
    return max(combinations(cards, 5), key=strength, default=())


def hand_name(cards: Sequence[Card]) -> str:
    """Name of the best hand of five among these cards, one of HANDS."""
    value = strength(cards)
    return "Royal Flush" if value == ROYAL else HANDS[value >> 24]


def ranked(name: str, five: Sequence[Card]) -> Phrase | None:
    """Name of a hand with its ranks, such as `aces and sevens`; None if such hands have no such name."""
    if name not in RANKED:
        return None
    often = Counter(card[0] for card in five)
    ranks, others = sorted(often, key=lambda rank: (often[rank], LOW_TO_HIGH.index(rank)), reverse=True)[:2]
    return Phrase(RANKED[name], {"ranks": Phrase(RANKS[ranks]), "others": Phrase(RANKS[others])})


def _flush(cards: Sequence[Card], hand: int) -> int:
    """Value of a hand with five cards of a suit; of seven cards no other hand is better."""
    suit = next(suit for suit, bit in FLUSHES.items() if hand & bit)
    ranks = sorted((LOW_TO_HIGH.index(card[0]) for card in cards if card[1] == suit), reverse=True)
    top = _straight(ranks)
    return _value(FLUSH, ranks[:5]) if top is None else _value(STRAIGHT_FLUSH, [top])


@cache
def _rank_value(hand: int) -> int:
    """Value of a hand without a flush. There are 73,775 such hands of five to seven cards."""
    counts = {rank: often for rank in range(len(LOW_TO_HIGH)) if (often := hand >> 3 * rank & 7)}
    ranks = sorted(counts, key=lambda rank: (counts[rank], rank), reverse=True)
    most, second = [*(min(counts[rank], 4) for rank in ranks), 0][
        :2
    ]  # at most 4: a misread card may be the fifth of its rank
    kind, alike, beside = KINDS[most, second]
    top = _straight(ranks)
    if kind < STRAIGHT and top is not None:
        return _value(STRAIGHT, [top])
    return _value(kind, ranks[:alike] + sorted(ranks[alike:], reverse=True)[:beside])


def _straight(ranks: Collection[int]) -> int | None:
    """Highest rank of the best straight; None if there is none. An ace also counts below the two."""
    low = ACE if ACE in ranks else None
    rows = ((top, [*range(top - 3, top + 1), low if top == FIVE else top - 4]) for top in range(ACE, FIVE - 1, -1))
    return next((top for top, row in rows if all(rank in ranks for rank in row)), None)


def _value(kind: int, ranks: Sequence[int]) -> int:
    """Combine the kind of hand and up to five deciding ranks into one comparable number."""
    return kind << 24 | sum(rank << 16 - 4 * number for number, rank in enumerate(ranks))


ROYAL: Final = strength(["AS", "KS", "QS", "JS", "TS"])
