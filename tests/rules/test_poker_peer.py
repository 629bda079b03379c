"""Poker hands get eval7's strength numbers; where eval7 has no wheels, conftest.py leaves them out."""

import random
from collections.abc import Iterable
from itertools import combinations

import eval7
import pytest

from controller.rules.cards import FULL_DECK
from controller.rules.poker import strength
from tests.chance import SEED

THEIRS = {card: eval7.Card(card[0] + card[1].lower()) for card in FULL_DECK}


def otherwise(hands: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the hands for which eval7 has another number."""
    return [hand for hand in hands if strength(hand) != eval7.evaluate([THEIRS[card] for card in hand])]


def at_random(number: int, size: int, seed: int) -> Iterable[tuple[str, ...]]:
    dice = random.Random(seed)
    return (tuple(dice.sample(FULL_DECK, size)) for _ in range(number))


@pytest.mark.parametrize("size", [5, 6, 7])
def test_hands_have_the_strength_that_eval7_gives(size):
    assert otherwise(at_random(10_000, size, seed=size)) == []


@pytest.mark.proof
def test_all_five_card_hands_have_the_strength_of_eval7():
    assert otherwise(combinations(FULL_DECK, 5)) == []


@pytest.mark.proof
def test_a_million_seven_card_hands_rank_as_in_eval7():
    assert otherwise(at_random(1_000_000, 7, seed=SEED)) == []
