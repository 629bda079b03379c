"""Deadlines use each event's own time; what the clock does is recorded at the time it was due."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.core import events as e
from controller.core.causes import NoRuling
from controller.core.clock import SECOND
from controller.core.records.journal import NAMING
from controller.rules.procedure import Bets

from .bench import START, Bench, kinds

CLOSING = 15  # seconds from the opening
FLOP = "card AC; card 7D; card KS; card QS; card 2H; card 3H; card 4S"
EVE = 14.999999  # the last microsecond before a deadline


def deciding_table(*players):
    """Return a table where these players have to decide."""
    table = Bench("casino_holdem")
    table.says("shuffled; open")
    table.do(*(e.PlaceBet(player, "ante", 100) for player in players))
    table.says(f"close; {FLOP}")
    assert table.life == "deciding"
    return table


def betting():
    table = Bench()
    table.says("open")
    return table


def test_a_bet_in_the_last_microsecond_is_taken():
    assert kinds(betting().wait(EVE, e.PlaceBet("p1", "tie", 100))) == ["bet_accepted"]


def test_a_bet_at_the_deadline_is_too_late():
    closed, refused = betting().wait(CLOSING, e.PlaceBet("p1", "tie", 100))
    assert closed.what.by == "clock"
    assert refused.what.reason == "betting_closed"


def test_a_late_event_finds_betting_closed_at_its_due_time():
    table = betting()
    closed, refused = table.wait(CLOSING + 29, e.PlaceBet("p1", "tie", 100))
    assert closed.at == START + CLOSING * SECOND
    assert refused.at == START + (CLOSING + 29) * SECOND


def test_at_the_deadline_the_clock_comes_before_the_dealers_key():
    closed, ignored = betting().wait(CLOSING, e.KeyPressed("close"))
    assert (closed.what.by, ignored.what.came) == ("clock", e.Close())


def test_the_dealer_closes_before_the_clock():
    table = betting()
    table.wait(EVE, e.KeyPressed("close"))
    (closed,) = table.do(e.KeyPressed("close"))
    assert closed.what.by == "dealer"
    assert table.wait(29) == []


def test_a_card_at_the_deadline_is_dealt():
    assert kinds(betting().wait(CLOSING, e.CardOut("9H"))) == ["closed", "dealt"]


def test_a_card_in_the_last_microsecond_came_before_the_close():
    table = betting()
    table.wait(EVE, e.CardOut("9H"))
    assert table.fault == "card_before_close"


def test_a_player_cut_off_before_the_deadline_takes_no_part():
    table = betting()
    table.says("bet p1 tie 1.00")
    table.wait(EVE, e.LineCut("p1"))
    assert kinds(table.wait(1)) == ["bet_withdrawn", "closed"]
    assert table.state.round.joined.players == ()


def test_a_player_cut_off_at_the_deadline_stays_in():
    table = betting()
    table.says("bet p1 tie 1.00")
    assert kinds(table.wait(CLOSING, e.LineCut("p1"))) == ["closed", "player_gone"]
    assert table.state.round.joined.players == ("p1",)


def test_a_player_who_is_back_before_the_deadline_takes_part():
    table = betting()
    table.says("bet p1 tie 1.00; gone p1; wait 3s; back p1; wait 12s")
    assert table.state.round.joined.players == ("p1",)


def test_a_decision_in_the_last_microsecond_counts():
    table = deciding_table("p1")
    assert table.wait(EVE, e.Choose("p1", "call"))[0].what.by == "player"


def test_a_decision_at_the_deadline_is_too_late():
    table = deciding_table("p1")
    decided, *_, refused = table.wait(15, e.Choose("p1", "call"))
    assert (decided.what.decision, decided.what.by) == ("fold", "table")
    assert refused.what.reason == "too_late"


def test_at_the_deadline_the_table_decides_only_for_silent_players():
    table = deciding_table("p1", "p2", "p3")
    table.wait(5, e.Choose("p2", "call"))
    p1, p3 = (record for record in table.wait(100) if record.kind == "decided")
    assert [(one.what.who, one.what.decision, one.what.by) for one in (p1, p3)] == [
        ("p1", "fold", "table"),
        ("p3", "fold", "table"),
    ]
    assert p1.at == p3.at == START + 15 * SECOND
    assert [bet.spot.market for bet in table.state.round.bets.values() if bet.player == "p2"] == ["ante", "call"]


def test_a_second_decision_is_refused_as_not_asked():
    table = deciding_table("p1", "p2")
    table.says("decide p1 call; wait 15s")
    assert table.says("decide p1 fold")[0].what.reason == "not_asked"
    assert table.says("decide p2 call")[0].what.reason == "too_late"
    assert table.says("decide p9 call")[0].what.reason == "not_asked"


def test_when_all_have_decided_the_deadline_is_gone():
    table = deciding_table("p1")
    table.says("decide p1 call")
    assert table.state.deadline is None
    assert table.wait(29) == []


@pytest.mark.parametrize("pause", ["press manager", "lost shoe; found shoe", "restart"])
@pytest.mark.parametrize("table", [betting, lambda: deciding_table("p1")], ids=["betting", "deciding"])
def test_a_pause_freezes_the_time_left(table, pause):
    table = table()
    life = table.life
    table.says(f"wait 4s; {pause}; wait 1000s; rule resume by manager because done")
    assert (table.life, table.state.deadline - table.now) == (life, 11 * SECOND)
    assert table.wait(10.999999) == []
    assert table.wait(0.000001) != []


def test_two_pauses_do_not_add_time():
    table = betting()
    table.says("wait 4s; press manager; wait 9s; rule resume by manager because a; wait 4s; press manager; wait 9s")
    table.says("rule resume by manager because b")
    assert table.state.deadline - table.now == 7 * SECOND


def test_a_withdrawn_question_asked_anew_has_its_whole_time():
    table = deciding_table("p1")
    table.says("wait 4s; press manager; rule correct 7 AC by manager because misread")
    assert (table.fault, table.state.left) == ("duplicate_card", None)  # the last card of the flop is due again
    table.says("wait 9s; rule correct 7 4D by manager because misread")
    assert (table.life, table.state.deadline - table.now) == ("deciding", 15 * SECOND)


def test_a_decision_while_paused_is_refused_and_does_not_count():
    table = deciding_table("p1")
    table.says("press manager")
    assert kinds(table.says("decide p1 call")) == ["decision_refused"]
    table.says("rule resume by manager because done; decide p1 call")
    assert table.facts("decided")[0].decision == "call"


def test_a_deadline_passed_while_down_leaves_no_time_after_ruling():
    table = betting()
    table.now += 60 * SECOND
    table.restart()
    assert table.state.left == 0
    table.wait(60)
    table.says("rule resume by manager because back")
    assert kinds(table.says("bet p1 tie 1.00")) == ["closed", "bet_refused"]


def test_a_restart_before_the_deadline_keeps_the_time_left():
    table = betting()
    table.wait(5)
    table.restart()
    assert table.state.left == 10 * SECOND


def test_a_further_betting_window_has_its_own_time():
    table = Bench("baccarat", {"betting_windows": 3})
    table.says("open; close; wait 5s; card 9C")
    assert table.state.deadline - table.now == 15 * SECOND
    (closed,) = table.wait(15)
    assert (closed.what.by, closed.what.window) == ("clock", 2)


def test_betting_and_decision_windows_use_the_tables_own_limits():
    table = Bench("casino_holdem", betting_seconds=20, decision_seconds=7)
    table.says("shuffled; open")
    assert table.state.deadline - table.now == 20 * SECOND
    table.says(f"bet p1 ante 1.00; close; {FLOP}")
    assert table.state.deadline - table.now == 7 * SECOND
    assert table.facts("asked")[0].seconds == 7


moments = st.lists(st.tuples(st.integers(0, 20 * SECOND), st.sampled_from(["call", "fold", "tick"])), max_size=6)


@given(moments=moments, ticks=st.lists(st.integers(0, 20 * SECOND), max_size=4))
def test_ticks_in_between_change_nothing(moments, ticks):
    schedule = [(at, e.Choose("p1", what) if what != "tick" else e.Tick()) for at, what in moments]
    ticked = schedule + [(at, e.Tick()) for at in ticks]
    with_ticks, without = ([*_told(deciding_table("p1", "p2"), events)] for events in (ticked, schedule))
    assert with_ticks == without


def _told(table, events):
    for at, event in sorted([*events, (60 * SECOND, e.Tick())], key=lambda one: (one[0], isinstance(one[1], e.Tick))):
        table.now = START + at
        table.do(event)
    return [(record.at, record.what) for record in table.records]


# ── no card, no shift manager ────────────────────────────────────────────────────────────────────────────────────


def test_no_card_within_the_limit_stalls_at_the_due_time():
    table = bench_dealing()
    assert kinds(table.wait(29.999999)) == []
    (stalled,) = table.wait(5)
    assert (stalled.what.code, stalled.at) == ("stalled", START + 30 * SECOND)


def test_each_card_begins_the_limit_anew():
    table = bench_dealing()
    table.wait(29, e.CardOut("9C"))
    assert table.wait(29) == []
    assert kinds(table.wait(2)) == ["faulted"]


def test_a_stall_that_is_resumed_has_its_whole_time_again():
    table = bench_dealing()
    table.wait(40)
    table.do(e.Rule("resume", "manager", "the dealer was held up"))
    assert table.wait(29) == []
    assert [record.what.code for record in table.wait(1)] == ["stalled"]


def test_a_reveal_waiting_for_the_dealers_key_does_not_stall():
    table = Bench("casino_holdem", reveal="dealer")
    table.says("shuffled; open; bet p1 ante 1.00; close; card AC; card 7D; card KS; card QS; card 2H; card 3H; card 4S")
    table.says("decide p1 call; card 5D; card 9H")
    assert table.wait(300) == []


def test_an_unseen_fault_escalates_repeatedly_until_acknowledged():
    table = bench_dealing()
    table.says("press manager")
    assert [record.what.level for record in table.wait(65)] == [2, 3]
    table.do(e.Acknowledge("manager"))
    assert table.wait(100) == []


def test_a_fault_nobody_rules_on_is_offered_for_cancellation_once():
    table = bench_dealing()
    table.says("press manager; ack by manager")
    (offered,) = table.wait(180)
    assert (offered.what.level, offered.at) == (None, START + 180 * SECOND)
    assert table.wait(1000) == []
    assert table.life == "paused"


def test_with_unruled_cancel_a_fault_nobody_rules_on_cancels():
    table = bench_dealing(unruled="cancel")
    table.says("press manager; ack by manager")
    assert kinds(table.wait(180)) == ["cancelled", "refunded", "checkpoint"]
    assert table.facts("cancelled")[-1].why == NoRuling(180)


def test_the_limits_of_a_fault_run_anew_after_a_restart():
    table = bench_dealing()
    table.says("press manager")
    table.now += 25 * SECOND
    table.restart()
    assert table.wait(29) == []
    assert kinds(table.wait(1)) == ["escalated"]


def test_a_fault_between_rounds_escalates_and_is_never_cancelled():
    table = Bench(unruled="cancel")
    table.says("card 9C")
    table.says("ack by manager")
    assert table.wait(1000) == []


def test_betting_without_the_game_server_is_paused_then_cancelled():
    table = betting()
    assert [record.what.code for record in table.says("lost server")[1:]] == ["server_lost"]
    table.says("ack by manager")
    assert kinds(table.wait(60))[0] == "cancelled"
    assert table.says("open")[-1].what.reason == "server_lost"


def test_a_game_server_back_in_time_lets_the_manager_resume():
    table = betting()
    table.says("lost server; ack by manager")
    assert table.says("rule resume by manager")[-1].what.reason == "device_still_lost"
    table.says("found server")
    assert table.wait(61) == []
    table.says("rule resume by manager")
    assert table.life == "betting"


def test_after_the_close_a_round_ends_without_the_game_server():
    table = bench_dealing()
    table.says("lost server; card 9C; card 2D; card KH; card 3S")
    assert table.life == "settled"


THREE = "open; bet p1 player 1.00; close"  # in a round of three windows; the second one opens after the first card


@pytest.mark.parametrize("between", ["lost server; card 9C", "unread; lost server; rule enter 9C by m because x"])
@pytest.mark.parametrize("again", ["", "restart; rule resume by manager because back; "])
def test_a_window_that_opens_without_the_server_is_held(between, again):
    table = Bench("baccarat", {"betting_windows": 3})
    table.says(f"{THREE}; {again}{between}")
    assert (table.life, table.fault, table.state.round.window) == ("paused", "server_lost", 2)
    assert table.says("rule resume by manager because go")[-1].what.reason == "device_still_lost"
    table.says("ack by manager; found server; rule resume by manager because back")
    assert (table.life, table.due) == ("betting", Bets(2))


def test_a_later_window_without_the_server_cancels_in_time():
    table = Bench("baccarat", {"betting_windows": 3})
    table.says(f"{THREE}; lost server; card 9C; ack by manager")
    assert kinds(table.wait(60))[:2] == ["cancelled", "refunded"]


def test_older_records_opened_a_window_without_the_server():
    table = Bench("baccarat", {"betting_windows": 3})
    table.house = replace(table.house, deciding=NAMING - 1)
    table.says(f"restart; {THREE}; lost server; card 9C")
    assert (table.life, table.fault) == ("betting", None)


def bench_dealing(**terms):
    table = Bench(**terms)
    table.says("open; bet p1 player 1.00; close")
    return table
