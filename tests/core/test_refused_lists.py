"""A refused all-or-none list names limit, window and odds as they are after the earlier events in it."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from controller.core import events as e
from controller.core import records as r
from controller.core.decide import decide_all
from controller.core.decide.input_groups import GroupPart
from controller.core.encoding import decode_input, encode_input
from controller.core.house import Limits
from controller.core.records.journal import TELLING
from controller.core.views import view
from controller.script.reader import parse, write_line
from tests.core.bench import Bench
from tests.core.test_stake_limits import limited_table
from tests.script.test_script_export import same_again

RAISED = e.WithdrawBet("p1", "banker"), e.PlaceBet("p1", "banker", 15000)
NATURAL = "card 9C; card 2D; card KH; card 3S"


def together(table, *events):
    """Give this list to the table; return its records as a game server sees them."""
    parts = [GroupPart(event) for event in events]
    drafts = decide_all(table.house, table.position, table.state, parts, table.now)
    table.records += [record for draft in drafts for record in draft.records]
    table.state = drafts[-1].state
    return [view(draft.records[0], "server") for draft in drafts]


def staked(**limits):
    table = limited_table(player=10000, **limits)
    table.says("open; bet p1 banker 80.00")
    return table


def seated():
    table = limited_table("blackjack", player=1500)
    table.says("shuffled; open; bet p1 seat1 main 10.00; close; card 5C; card 6D; card 9C; card 9D")
    return table


# ── limits ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_raise_above_the_limit_says_what_is_left():
    table = staked()
    _, refused = together(table, *RAISED)
    assert (refused["reason"], refused["limit"]["left"]) == ("limit_reached", 10000)
    events = together(table, RAISED[0], e.PlaceBet("p1", "banker", 10000))
    assert [one["kind"] for one in events] == ["bet_withdrawn", "bet_accepted"]


def test_a_raise_above_the_maximum_says_what_is_left():
    _, refused = together(staked(limits={"banker": Limits(50, 9000)}), *RAISED)
    assert (refused["reason"], refused["limit"]["left"]) == ("above_maximum", 9000)


def test_two_bets_above_the_limit_name_it():
    table = limited_table(player=10000)
    table.says("open")
    other, refused = together(table, e.PlaceBet("p1", "banker", 6000), e.PlaceBet("p1", "tie", 6000))
    assert (refused["reason"], refused["limit"]["left"]) == ("limit_reached", 4000)
    assert (other["reason"], other["odds"], "limit" in other) == ("not_all", "1.95", False)


def test_a_decision_in_a_refused_list_names_the_limit():
    table = seated()
    (alone,) = table.do(e.Choose("seat1", "double"))
    assert (alone.what.reason, alone.what.limit.left) == ("limit_reached", 500)
    refused, _ = together(seated(), e.Choose("seat1", "double"), e.LineCut("p1"))
    assert (refused["reason"], refused["limit"]["left"]) == ("limit_reached", 500)


def test_a_refused_list_that_opens_names_that_rounds_limit():
    table = limited_table(player=10000, limits={"banker": Limits(50, 9000)})
    _, refused = together(table, e.Open(), e.PlaceBet("p1", "banker", 9001))
    assert (refused["reason"], refused["limit"]["maximum"], refused["limit"]["left"]) == ("above_maximum", 9000, 9000)


@pytest.mark.parametrize("first", ["stand", "double", "hit"])
def test_a_refused_list_names_no_hidden_card(first):
    table = seated()
    assert [draw.card for draw in table.state.round.draws if draw.hidden] == ["9D"]
    answers = together(table, e.Choose("seat1", first), e.Choose("seat1", "stand"), e.PlaceBet("p1", "seat1 main", 500))
    assert "9D" not in str(answers)
    assert {one["reason"] for one in answers} <= {"not_all", "not_asked", "limit_reached"}


# ── window and odds ──────────────────────────────────────────────────────────────────────────────────────────────


def test_a_refused_list_that_opens_names_that_rounds_odds():
    _, refused = together(limited_table(), e.Open(), e.PlaceBet("p1", "banker", 500, odds="9.99"))
    assert (refused["reason"], refused["window"], refused["odds"]) == ("odds_changed", 1, "1.95")


def test_a_bet_behind_a_close_has_no_odds():
    table = limited_table()
    table.says("open")
    _, refused = together(table, e.Close("server"), e.PlaceBet("p1", "banker", 500))
    assert (refused["reason"], refused["window"], refused["odds"]) == ("betting_closed", None, None)
    assert table.life == "betting"


def test_a_list_in_a_pause_is_refused_without_odds():
    table = staked()
    table.says("press manager")
    bet, _ = together(table, RAISED[1], RAISED[0])
    assert (bet["reason"], bet["window"], bet["odds"]) == ("betting_closed", None, None)


def test_the_same_list_refused_twice_gives_the_same_answer():
    table = staked()
    first, again = together(table, *RAISED)[1], together(table, *RAISED)[1]
    assert {**first, "seq": 0} == {**again, "seq": 0}


def test_the_next_windows_odds_count_in_a_later_list():
    table = limited_table(settings={"betting_windows": 3}, player=10000)
    table.says("open; bet p1 banker 80.00; close; card 9C")
    odds = table.state.round.odds["banker"]
    events = e.PlaceBet("p1", "tie", 1000), e.PlaceBet("p1", "banker", 1001)
    _, refused = together(table, *events)
    assert (refused["window"], refused["odds"], refused["limit"]["left"]) == (2, odds, 1000)


# ── decided again ────────────────────────────────────────────────────────────────────────────────────────────────


def again(table, record):
    """Decide the input of a refusal again, on the table's state; return the contents of the new record."""
    bench = Bench(table.house.game)
    bench.house, bench.state, bench.now = table.house, table.state, table.now
    (found,) = bench.do(record.input.event)
    return found.what


@pytest.mark.parametrize("table", [staked, lambda: limited_table(player=10000)])
def test_each_refused_input_leads_to_its_record_again(table):
    bench = table()
    together(bench, *(RAISED if bench.life == "betting" else (e.Open(), RAISED[1])))
    for record in bench.records[-2:]:
        given = decode_input(encode_input(record.input))
        assert given == record.input
        assert again(bench, record) == record.what


def test_an_older_input_is_decided_as_it_was():
    table = staked()
    together(table, *RAISED)
    given = table.records[-1].input
    old = e.NotAll(given.event.said, given.event.why)
    assert b"window" not in encode_input(replace(given, event=old))
    (refused,) = table.do(old)
    assert (refused.what.window, refused.what.odds, refused.what.limit.left) == (1, "1.95", 2000)
    (decision,) = seated().do(e.NotAll(e.Choose("seat1", "double"), "limit_reached"))
    assert decision.what.limit is UNSET


def test_refused_lists_of_older_records_name_no_window_or_limit():
    table = staked()
    table.house = replace(table.house, deciding=TELLING - 1)
    _, refused = together(table, *RAISED)
    assert (refused["reason"], "window" in refused, "limit" in refused) == ("limit_reached", False, False)
    assert table.records[-1].input.event == e.NotAll(RAISED[1], "limit_reached")


def test_a_script_repeats_what_a_refused_list_said():
    table = staked()
    for events in (RAISED, (e.Close("server"), RAISED[1]), (RAISED[1], e.LineCut("p1"))):
        together(table, *events)
    table.says(f"close; {NATURAL}")
    together(table, e.Open(), e.PlaceBet("p1", "banker", 20000))
    table.says("open; press manager; rule cancel by m because x")
    events = [one.input.event for one in table.records if one.input and isinstance(one.input.event, e.NotAll)]
    assert [parse(write_line(event))[0][1] for event in events] == events
    assert len({event.window for event in events}) == 3
    same_again(table.records)


def test_a_script_line_says_window_odds_and_limit():
    limit = r.ReachedLimit("player", None, 10000, 4000)
    line = write_line(e.NotAll(e.LineCut("p1"), "limit_reached", None, "1.95", limit))
    assert line.startswith('refused because limit_reached window - odds 1.95 limit \'{"of":"player",')
