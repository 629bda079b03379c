"""Several betting windows in a round: a command that names a window acts in that one or in none."""

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core.clock import SECOND, from_text
from controller.core.state import State
from controller.core.windows import are_worse, has_several, windows_of
from controller.games.thirty_two import GAME as THIRTY_TWO
from controller.rules.procedure import bets

from .bench import Bench, kinds

THREE = {"betting_windows": 3}


def three(says="open"):
    table = Bench("baccarat", THREE)
    table.says(says)
    return table


def reasons(records):
    return [one.what.reason for one in records]


def second_window():
    """Return a table in the second window of round 1, where p9 has bet on banker."""
    return three("open; bet p1 banker 5.00; close; card 9H; bet p9 banker 1.00")


def test_a_bet_for_the_window_before_is_refused_stale_window():
    table = second_window()
    records = table.do(e.PlaceBet("p2", "banker", 500, 1, window=1))
    assert (kinds(records), reasons(records)) == (["bet_refused"], ["stale_window"])
    assert kinds(table.do(e.PlaceBet("p2", "banker", 500, 1, window=2))) == ["bet_accepted"]


def test_a_bet_for_the_window_to_come_is_stale():
    assert reasons(three().do(e.PlaceBet("p2", "banker", 500, 1, window=2))) == ["stale_window"]


def test_a_bet_for_the_window_just_closed_is_betting_closed():
    table = three("open; close")
    assert reasons(table.do(e.PlaceBet("p2", "banker", 500, 1, window=1))) == ["betting_closed"]


def test_a_bet_naming_another_round_is_refused_other_round_first():
    assert reasons(second_window().do(e.PlaceBet("p2", "banker", 500, 2, window=1))) == ["other_round"]


def test_a_late_close_leaves_the_next_window_open():
    table = second_window()
    records = table.do(e.Close("server", 1, window=1))
    assert (kinds(records), reasons(records), table.life) == (["ignored"], ["stale_window"], "betting")
    assert kinds(table.do(e.Close("server", 1, window=2))) == ["closed"]


def test_a_late_unbet_withdraws_no_stake_of_the_next_window():
    table = second_window()
    assert reasons(table.do(e.WithdrawBet("p9", "banker", 1, window=1))) == ["stale_window"]
    assert kinds(table.do(e.WithdrawBet("p9", "banker", 1, window=2))) == ["bet_withdrawn"]


def test_a_command_without_a_window_means_the_open_one():
    table = second_window()
    table.says("bet p2 banker 1.00; unbet p9 banker; press close; press close")
    assert [(bet.player, bet.window) for bet in table.facts("bet_accepted")] == [("p1", 1), ("p9", 2), ("p2", 2)]
    assert [closed.window for closed in table.facts("closed")] == [1, 2]


def test_the_only_window_of_a_game_may_be_named():
    table = Bench("casino_holdem")
    table.says("shuffled; open; bet p1 ante 10.00 window 1")
    assert reasons(table.do(e.PlaceBet("p2", "ante", 1000, window=2))) == ["stale_window"]
    assert kinds(table.do(e.WithdrawBet("p1", "ante", window=1))) == ["bet_withdrawn"]
    assert kinds(table.do(e.Close(window=1))) == ["closed"]


def test_a_window_held_by_a_pause_takes_its_bets_afterwards():
    table = second_window()
    table.says("press manager")
    bet = e.PlaceBet("p2", "tie", 500, 1, window=2)
    assert reasons(table.do(bet)) == ["betting_closed"]
    table.says("rule resume by m")
    assert kinds(table.do(bet)) == ["bet_accepted"]


# ── odds ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_bet_is_refused_odds_changed_where_less_is_paid():
    table = second_window()
    odds = table.state.round.odds["player"]
    (refused,) = table.do(e.PlaceBet("p2", "player", 500, odds="1.86"))
    assert (refused.what.reason, refused.what.odds, refused.what.window) == ("odds_changed", odds, 2)
    assert float(odds) < 1.86


@pytest.mark.parametrize("odds", ["1.95", "1.950", "1.94", "0"])
def test_a_bet_is_taken_at_the_named_odds_or_better(odds):
    table = Bench()
    table.says("open")
    (accepted,) = table.do(e.PlaceBet("p1", "banker", 500, odds=odds))
    assert (accepted.kind, accepted.what.odds) == ("bet_accepted", "1.95")


def test_odds_named_where_none_are_in_force_are_refused():
    table = Bench("casino_holdem")
    table.says("shuffled; open")
    (refused,) = table.do(e.PlaceBet("p1", "ante", 1000, odds="2.00"))
    assert (refused.what.reason, refused.what.odds) == ("odds_changed", None)


def test_odds_are_compared_as_numbers():
    assert not are_worse("10.00", "9.99")
    assert are_worse("9.99", "10")
    assert not are_worse(None, None)


# ── what is recorded ─────────────────────────────────────────────────────────────────────────────────────────────


def test_opened_and_window_opened_say_window_odds_and_deadline():
    table = second_window()
    (opened,), (further,) = table.facts("opened"), table.facts("window_opened")
    assert (opened.window, opened.odds["banker"], further.window) == (1, table.facts("bet_accepted")[0].odds, 2)
    assert from_text(opened.deadline) == table.records[-1].at + 15 * SECOND
    assert from_text(further.deadline) == table.state.deadline
    assert further.odds == table.state.round.odds


def test_a_window_opened_in_a_pause_has_no_deadline_yet():
    table = three("open; close; unread")
    assert kinds(table.says("rule enter 9H by m"))[-2:] == ["window_opened", "resumed"]
    assert table.facts("window_opened")[0].deadline is None


def test_a_refused_bet_says_the_open_window_and_its_odds():
    table = second_window()
    table.says("bet p9 banker 1.00; close; bet p2 banker 1.00")
    duplicate, closed = table.facts("bet_refused")
    assert (duplicate.window, duplicate.odds) == (2, table.facts("window_opened")[0].odds["banker"])
    assert (closed.window, closed.odds) == (None, None)


def test_the_number_of_windows_is_that_of_config_and_round():
    one, several = Bench().house, three().house
    assert not has_several(one, State())
    assert has_several(several, State())
    assert has_several(one, second_window().state)  # opened before the configuration was changed


def plays_with_a_pause(rules, joined):
    """Play thirty_two with a second betting window after the first card."""
    play = THIRTY_TWO.procedure(rules, joined)
    card = yield next(play)
    yield from bets(2)
    step = play.send(card)
    try:
        while True:
            step = play.send((yield step))
    except StopIteration as end:
        return end.value


def test_windows_of_a_sheet_with_fixed_odds_are_counted():
    house = Bench(replace(THIRTY_TWO, name="paused", procedure=plays_with_a_pause)).house
    assert (windows_of(house), windows_of(Bench("thirty_two").house)) == (2, 1)
    assert has_several(house, State())


# ── a line that is cut ───────────────────────────────────────────────────────────────────────────────────────────


def test_gone_and_back_of_another_round_are_refused():
    table = Bench()
    table.says("open; bet p1 tie 5.00; close; card 9C; card 2D; card KH; card 3S; open; bet p1 tie 5.00")
    assert reasons(table.do(e.LineCut("p1", 1))) == ["other_round"]
    assert kinds(table.do(e.LineCut("p1", 2))) == ["player_gone"]
    assert reasons(table.do(e.LineBack("p1", 1))) == ["other_round"]
    assert kinds(table.do(e.LineBack("p1", 2))) == ["player_back"]


def test_a_duplicate_gone_withdraws_no_stake_two_rounds_later():
    table = Bench()
    gone, dealt = e.LineCut("p1", 1), "close; card 9C; card 2D; card KH; card 3S; "
    table.says("open")
    table.do(gone)
    table.says(f"back p1; {dealt} open; {dealt} open; bet p1 tie 5.00")
    table.do(gone)
    table.says("close")
    assert not table.facts("bet_withdrawn")
