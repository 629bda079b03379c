"""How the emulated players decide."""

import random

import pytest

from controller.demo.strategy import Seen, choose
from controller.games import GAMES

HIT = ("hit", "stand")
FIRST = ("hit", "stand", "double")
PAIR = ("hit", "stand", "double", "split")


def decided(game: str, own: str, dealers: str, options: tuple[str, ...]) -> set[str]:
    """All that may be decided."""
    seen = Seen(GAMES[game], own.split(), dealers.split())
    return {choose(seen, options, random.Random(seed)) for seed in range(40)}


@pytest.mark.parametrize(
    ("own", "dealers", "options", "decision"),
    [("9C 5D", "KC", FIRST, "hit"), ("9C 7D", "KC", FIRST, "hit"), ("TC 7D", "KC", FIRST, "stand"),
     ("9C 5D", "6C", FIRST, "stand"), ("9C 3D", "6C", FIRST, "hit"), ("6C 5D", "KC", FIRST, "double"),
     ("6C 3D 2D", "KC", HIT, "hit"), ("8C 8D", "KC", PAIR, "split"), ("AC AD", "6C", PAIR, "split"),
     ("TC KD", "6C", PAIR, "stand"), ("5C 5D", "6C", PAIR, "double")],
)  # fmt: skip
def test_at_blackjack_a_player_hits_under_17_or_13_against_a_weak_dealer(own, dealers, options, decision):
    assert decided("blackjack", own, dealers, options) == {decision}


def test_at_holdem_a_player_calls_but_for_low_cards():
    assert decided("casino_holdem", "2C 2D 5H 9C JD", "", ("call", "fold")) == {"call"}
    assert decided("casino_holdem", "KC 3D 5H 9C JD", "", ("call", "fold")) == {"call"}
    assert decided("casino_holdem", "2C 3D 5H 9C AD", "", ("call", "fold")) == {"call", "fold"}


def test_at_rhum_a_player_raises_with_few_points():
    assert decided("rhum32", "2C 3D 5H 9C", "KC", ("raise", "fold")) == {"raise"}
    assert decided("rhum32", "TC JD QH 9C", "KC", ("raise", "fold")) == {"fold"}


def test_insurance_is_taken_now_and_then():
    assert decided("blackjack", "2C 3D", "AC", ("insure", "decline")) == {"insure", "decline"}


def test_of_options_nobody_has_a_habit_for_any_is_taken():
    assert decided("baccarat", "2C", "", ("left", "right")) == {"left", "right"}
