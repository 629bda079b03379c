"""Comparison of two figures of one return: which differences chance explains, and which not."""

from collections import Counter
from fractions import Fraction

import pytest

from controller.games import GAMES
from controller.lab.rtp import counted_returns
from controller.lab.rtp.comparison import BAND, Sample, highest_return, published_deviations
from controller.lab.rtp.rounds import decider, market_of
from controller.lab.rtp.simulate import Bettor
from controller.lab.rtp.small_walks import exact_returns
from controller.rules.returns import Exact

EVEN = Counter({Fraction(0): 5_000, Fraction(2): 5_000})  # one standard error is a hundredth


@pytest.mark.parametrize(("figure", "is_apart"), [("1.039", False), ("1.041", True), ("0.961", False), ("0.959", True)])
def test_a_figure_beyond_four_standard_errors_is_apart(figure, is_apart):
    assert Sample.of(EVEN, Fraction(2)).is_apart(Fraction(figure)) is is_apart


def test_a_missing_rare_prize_is_no_disagreement():
    """A prize of 1,000 that is due once in 5,000 rounds may be missing from 10,000 rounds by chance."""
    assert not Sample.of(EVEN, Fraction(1_000)).is_apart(Fraction("1.2"))
    often = EVEN + Counter({Fraction(1_000): 9})
    assert Sample.of(often, Fraction(1_000)).is_apart(Fraction("0.4"))


@pytest.mark.parametrize(
    ("off", "is_right"), [([0], True), ([1], True), (["1.01"], False), ([-1, 9], True), ([9, 0], True), ([8, 9], False)]
)
def test_one_counted_return_has_to_be_the_published_one(off, is_right):
    """`off`: differences from it in hundredths of a percent, at several stakes."""
    sheet = GAMES["thirty_two"]
    market = market_of(sheet, "player8")
    returns = [(market.published + BAND * Fraction(each)) / 100 for each in off]
    counted = [Exact(market=market.name, returned=each, over="") for each in returns]
    assert [one.name for one, _ in published_deviations(sheet, counted)] == ([] if is_right else ["player8"])


@pytest.mark.parametrize(
    ("game", "market", "stake", "highest"),
    [
        ("thirty_two", "player8", 1, 13),
        ("casino_holdem", "bonus", 1, 101),
        ("casino_holdem", "ante", 1, 3 * 101),  # with the call, of two units
        ("rhum32", "insurance", 5, 100_001),
    ],
)
def test_the_highest_return_is_found_in_pay_tables_and_odds(game, market, stake, highest):
    sheet = GAMES[game]
    assert highest_return(sheet, market_of(sheet, market), Bettor(Fraction(stake))) == highest


def test_a_walk_of_a_large_game_is_not_begun():
    game = GAMES["thirty_two"]
    assert exact_returns(game, decider(game)) is None


def test_insurance_is_simulated_as_counted_for_seats_that_raise(monkeypatch):
    monkeypatch.setattr(counted_returns.hands, "insurance", Counter)  # to count all hands takes ten seconds
    assert {exact.decision for exact in counted_returns.rhum32()} == {"raise"}
