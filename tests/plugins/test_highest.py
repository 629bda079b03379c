"""Tests that no game pays more than its `highest`, and that a higher payment is reported."""

import pytest
from msgspec.structs import replace

from controller.games import GAMES
from controller.lab.testing.highest_returns import check_highest
from controller.rules.game import Prize

from .plants import assert_reported, report_of


@pytest.mark.parametrize("game", GAMES)
def test_our_games_return_no_more_than_their_highest(game):
    check_highest(GAMES[game], 60)


def test_a_prize_above_the_highest_is_reported():
    game = GAMES["rhum32"]
    game = replace(game, highest={**game.highest, "insurance": (Prize(1),)})
    report = report_of(check_highest, game, 200)
    expected = "expected insurance to return no more than 1 (GAME.highest), pay returned "
    assert_reported(report, expected, "write into highest the most that pay returns for insurance")


@pytest.mark.parametrize(("game", "market"), [("rhum32", "play"), ("casino_holdem", "call")])
def test_a_stake_of_a_decision_is_held_against_the_highest(game, market):
    of = GAMES[game]
    report = report_of(check_highest, replace(of, highest={**of.highest, market: (Prize(1),)}), 200)
    assert report.startswith(f"expected {market} to return no more than 1 (GAME.highest), pay returned ")
