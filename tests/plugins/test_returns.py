"""Tests that the returns stated by a game are compared with all its rounds, or with a sample."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from controller.core.bounds import MOST_STAKE
from controller.lab.rtp.rounds import decider
from controller.lab.rtp.small_walks import exact_returns
from controller.lab.testing.payments import check_payments
from controller.lab.testing.returns import check_returns
from controller.rules.procedure import Hand, ask, deal
from controller.rules.returns import Counted

from .plants import report_of
from .small_game import GAME, TIE, play


def test_all_rounds_of_a_small_game_are_dealt():
    side = (1 - TIE) + TIE / 2
    assert exact_returns(GAME, decider(GAME)) == {"dragon": side, "tiger": side, "tie": 9 * TIE}
    check_returns(GAME)


def test_a_count_of_a_small_game_is_exact():
    text = report_of(
        check_returns, replace(GAME, counted=Counted(("dragon", "tiger"), by="tests.plugins.small_game:miscounted"))
    )
    assert text.startswith(
        "expected the figures of dragon to agree, it is counted with 96.2647 %, and all possible rounds give 96.2651 %"
    )
    assert "\nto change: correct the function that counts, the procedure or pay" in text


@pytest.mark.parametrize(("figure", "is_told"), [("67.22", False), ("67.23", False), ("67.25", True), ("67.21", True)])
def test_a_published_figure_keeps_to_a_hundredth_of_a_percent(figure, is_told):
    dragon, tiger, tie = GAME.markets
    game = replace(GAME, markets=(dragon, tiger, replace(tie, published=Fraction(figure))))
    if not is_told:
        check_returns(game)
        return
    assert report_of(check_returns, game).startswith(
        f"expected the figures of tie to agree, it is published with {figure}00 %, and all possible rounds give 67.2289"
    )


def test_the_counted_markets_are_those_that_the_game_names():
    text = report_of(check_returns, replace(GAME, counted=Counted(("dragon",), by="tests.plugins.small_game:counted")))
    assert text.startswith("expected returns of dragon to be counted, got those of dragon, tiger")
    text = report_of(check_returns, replace(GAME, counted=Counted(("dragon",), by="tests.plugins.small_game:nothing")))
    assert text.startswith("expected the function of GAME.counted to count, it failed (AttributeError: ")


def asking(rules, joined):
    yield from deal(Hand("dragon"))
    yield from ask(joined.players, "stay", "go", default="go")
    return (yield from play(rules, joined))


def test_a_game_that_asks_and_states_returns_needs_a_strategy():
    text = report_of(check_returns, replace(GAME, procedure=asking))
    assert text.startswith("expected a strategy, as the game states returns; small_game asks its players (stay or go)")


def test_a_bet_that_no_table_takes_is_reported():
    dragon, *others = GAME.markets
    text = report_of(check_payments, replace(GAME, markets=(replace(dragon, minimum=10 * MOST_STAKE), *others)))
    assert text.startswith("expected the table to take a bet on dragon, it refuses it (")
    assert "\n    bet p1 dragon 100000000000.00\n" in text


def test_a_payment_that_fails_at_the_table_is_reported():
    text = report_of(check_payments, replace(GAME, pay=lambda outcome, stake: stake.nothing))
    assert text.startswith("expected pay to answer at every table, it fails (AttributeError in test_returns.py")
