"""The game at a table: all that must be true of every table is true of it, and it gives back what is published."""

import pytest
from three_card_poker import GAME, counted, strength

from controller.testing import check_game


def test_the_game_keeps_the_rules_of_a_table():
    check_game(GAME)


def test_the_returns_are_those_that_are_published():
    returned = {one.market: round(float(100 * one.returned), 2) for one in counted()}
    assert returned == {market.name: float(market.published) for market in GAME.markets}


@pytest.mark.parametrize(
    ("better", "worse"),
    [("AS 2S 3S", "KC KD KH"), ("2C 2D 2H", "AS KC QD"), ("4C 3D 2S", "AC 3D 2S"), ("AC 3D 2S", "AC KC JC"),
     ("3C 5C 2C", "AC AD KD"), ("2C 2D 3H", "AC KD JH"), ("QC 3D 2H", "JC TD 8H")],
)  # fmt: skip
def test_a_straight_beats_a_flush_and_an_ace_is_high_or_low(better, worse):
    assert strength(better.split()) > strength(worse.split())
