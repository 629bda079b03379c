"""Poker hands: names and order, compared with an independent evaluator in this file."""

import random
from collections import Counter
from itertools import combinations

import pytest

from controller.rules.cards import FULL_DECK
from controller.rules.poker import HANDS, best_five, hand_name, ranked, strength
from controller.text.faults import Words
from controller.text.naming import phrase
from tests.chance import SEED

ORDER = "23456789TJQKA"
NAMES = [
    "High Card", "1 Pair", "2 Pairs", "3 of a Kind", "Straight", "Flush", "Full House", "4 of a Kind",
    "Straight Flush", "Royal Flush",
]  # fmt: skip
SHAPES = {(1, 1, 1, 1, 1): 0, (2, 1, 1, 1): 1, (2, 2, 1): 2, (3, 1, 1): 3, (3, 2): 6, (4, 1): 7}


def worth(five: tuple[str, ...]) -> tuple[int, list[int]]:
    """Return five cards as a comparable value: rank in NAMES, then the deciding cards, highest first."""
    ranks = sorted((ORDER.index(card[0]) for card in five), reverse=True)
    counts = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    deciding = [rank for rank, _ in counts]
    kind = SHAPES[tuple(count for _, count in counts)]
    suited = len({card[1] for card in five}) == 1
    if deciding == [12, 3, 2, 1, 0]:  # an ace may stand for a one
        deciding = [3, 2, 1, 0, -1]
    straight = len(deciding) == 5 and deciding[0] - deciding[4] == 4
    if straight and suited:
        kind = 9 if deciding[0] == 12 else 8
    elif suited:
        kind = max(kind, 5)
    elif straight:
        kind = 4
    return kind, deciding


def best(cards: list[str]) -> tuple[int, list[int]]:
    return max(worth(five) for five in combinations(cards, 5))


def sign(number: object, other: object) -> int:
    return (number > other) - (number < other)


EDGE = {
    "AS 2D 3C 4H 5S KD KH": "Straight",  # the wheel
    "AS KD QC JH TS 2D 2H": "Straight",
    "KS AD 2C 3H 4S 9D 9H": "1 Pair",  # no straight from king over ace to two
    "2C 2D 2H 3C 3D 3H 9S": "Full House",  # from two threes of a kind
    "2C 2D 3H 3C 4D 4H 9S": "2 Pairs",  # from three pairs
    "2C 2D 2H 2S 3C 3D 3H": "4 of a Kind",
    "2H 4H 6H 8H TH TC TD": "Flush",
    "5H 6H 7H 8H 9H TC JC": "Straight Flush",
    "9H 8H 7H 6H 5H AH 2C": "Straight Flush",  # not the flush with the ace
    "AH 2H 3H 4H 5H KC KD": "Straight Flush",  # the suited wheel
    "TH JH QH KH AH 9H 8H": "Royal Flush",
    "9H TH JH QH KH AC AD": "Straight Flush",
    "TH JH QH KH AC 2H 3C": "Flush",  # a straight and a flush, of different cards
    "AS AD 2C 3H 5S 8D 9C": "1 Pair",
    "2C 4D 6H 8S TC QD AH": "High Card",
    "TC TD TH 2S 3D 5C 7H": "3 of a Kind",
}


@pytest.mark.parametrize(("cards", "name"), EDGE.items())
def test_hand_name_of_edge_hands(cards, name):
    assert hand_name(cards.split()) == name
    assert NAMES[best(cards.split())[0]] == name


BETTER = [
    ("AS AD KC QH JS", "AS AD KC QH TS", "the fourth kicker"),
    ("AS AD KC QH JS", "KS KD AC QH JS", "the higher pair"),
    ("3S 3D 2C 2H 4S", "2S 2D AC AH 3S", None),
    ("3C 3D 3H 2S 2C", "2H 2D 2S AS AC", "full house: the threesome first"),
    ("3C 3D 3H KS KC", "3C 3D 3H QS QC", "full house: then the pair"),
    ("6C 5D 4H 3S 2C", "5D 4H 3S 2C AH", "the wheel is the lowest straight"),
    ("AC 9C 8C 7C 2C", "AC 9C 8C 6C 5C", "flush by the fourth card"),
    ("2H 3H 4H 5H AH", "AS AD AC AH KS", "straight flush over four of a kind"),
    ("AS AD AC AH 3S", "AS AD AC AH 2S", "four of a kind: the kicker"),
]


@pytest.mark.parametrize(("better", "worse", "why"), BETTER)
def test_the_better_hand_is_stronger(better, worse, why):
    ours, theirs = strength(better.split()), strength(worse.split())
    assert sign(ours, theirs) == sign(worth(tuple(better.split())), worth(tuple(worse.split())))
    if why:
        assert ours > theirs, why


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("AS KD QC JH 9S 3D 2C", "AS KD QC JH 9S 4D 5C"),  # sixth and seventh card do not play
        ("AC KC QC JC 9C 2H 3H", "AD KD QD JD 9D 4H 3H"),  # no suit is better than another
        ("2C 2D 2H 2S AC 5D 6D", "2C 2D 2H 2S AD KD QD"),
    ],
)
def test_hands_of_the_same_five_ranks_are_equal(one, other):
    assert strength(one.split()) == strength(other.split())


def test_hands_are_named_from_the_lowest_to_the_highest():
    assert list(HANDS) == NAMES


def compare(hands: int, seed: int) -> None:
    dice = random.Random(seed)
    board: list[str] = []
    for _ in range(hands):
        size = dice.choice((5, 6, 7))
        suits = dice.choice(("CDHS", "CDHS", "CD", "H"))  # fewer suits: more flushes and straight flushes
        low = dice.choice((0, 0, 8))  # fewer ranks: more full houses
        deck = [
            card for card in FULL_DECK if card[1] in suits and ORDER.index(card[0]) >= (0 if len(suits) < 3 else low)
        ]
        cards = dice.sample(deck, 2 * size - 3)
        board, one, other = cards[: size - 2], cards[size - 2 : size], cards[size : size + 2]
        while len(other) < 2:
            other.append(dice.choice([card for card in deck if card not in cards + other]))
        first, second = [*board, *one], [*board, *other]
        assert NAMES[best(first)[0]] == hand_name(first), first
        assert sign(best(first), best(second)) == sign(strength(first), strength(second)), (first, second)


def test_random_hands_match_the_independent_evaluator():
    compare(1200, seed=1)


@pytest.mark.proof
def test_many_random_hands_match_the_independent_evaluator():
    compare(60_000, seed=SEED)


@pytest.mark.proof
@pytest.mark.timeout(600)
def test_the_count_of_each_five_card_hand_name_is_exact():
    assert Counter(hand_name(list(five)) for five in combinations(FULL_DECK, 5)) == {
        "Royal Flush": 4, "Straight Flush": 36, "4 of a Kind": 624, "Full House": 3744, "Flush": 5108,
        "Straight": 10200, "3 of a Kind": 54912, "2 Pairs": 123552, "1 Pair": 1098240, "High Card": 1302540,
    }  # fmt: skip


@pytest.mark.parametrize("size", [5, 6, 7])
def test_cards_with_too_many_copies_still_have_a_hand_name(size):
    """If more copies of a card lie open than exist, a ruling says so and the round continues."""
    dice = random.Random(size)
    for few in range(1, 8):
        cards = dice.sample(FULL_DECK, few)
        assert hand_name(dice.choices(cards, k=size)) in HANDS
    assert hand_name(["9C"] * size) in HANDS
    assert hand_name(["9C", "9D"] * 2 + ["9H"] * (size - 4)) == "4 of a Kind"


@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("AC 7D 2C 7H TH AD KD", "aces and sevens"),
        ("KS QS 2C 7H TH AD KD", "pair of kings"),
        ("9S 9D 9C 2H 4H", "three nines"),
        ("9S 9D 9C 2H 2S KH KD", "nines full of kings"),
        ("9S 9D 9C 9H 2S KH KD", "four nines"),
        ("2S 3S 4S 5S 7S", None),
        ("AS KD 9C 4H 2S", None),
    ],
)
def test_a_hand_is_called_by_its_ranks(cards, said):
    hand = cards.split()
    called = ranked(hand_name(hand), best_five(hand))
    assert (called and phrase(called, Words("en"))) == said
