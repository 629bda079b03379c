"""Player with a cut line: the stake is returned or kept at the close, and decisions still count."""

import pytest

from .bench import Bench
from .test_rulings import holdem

CUT = "open; bet p1 player 10.00; bet p2 tie 1.00; gone p1; close"


def test_a_player_cut_off_at_close_gets_the_stake_back():
    table = Bench()
    table.says(CUT)
    assert [(back.player, back.stake) for back in table.facts("bet_withdrawn")] == [("p1", 1000)]


def test_with_gone_keep_a_cut_off_players_bet_stays():
    table = Bench(gone="keep")
    table.says(f"{CUT}; card 9C; card 2D; card KC; card 3D")
    assert table.facts("bet_withdrawn") == []
    assert {(paid.player, paid.returned) for paid in table.facts("paid")} == {("p1", 2000), ("p2", 0)}


@pytest.mark.parametrize("gone", ["return", "keep"])
def test_nobody_bets_while_their_line_is_cut(gone):
    table = Bench(gone=gone)
    table.says("open; gone p1; bet p1 player 10.00")
    assert [one.reason for one in table.facts("bet_refused")] == ["player_gone"]


ASKED = "shuffled; open; bet p1 ante 1.00; close; card AC; card 7D; card KS; card QS; card 2H; card 3H; card 4S"


def test_a_decision_sent_for_a_cut_off_player_counts():
    table = holdem(f"{ASKED}; gone p1; decide p1 call")
    assert [(one.who, one.decision, one.by) for one in table.facts("decided")] == [("p1", "call", "player")]


def test_a_cut_off_player_gets_the_whole_window_then_default():
    table = holdem(f"{ASKED}; gone p1; wait 14s")
    assert table.life == "deciding"
    table.says("wait 1s")
    assert [(one.who, one.decision, one.by) for one in table.facts("decided")] == [("p1", "fold", "table")]
