"""Regression tests of the core's edge cases, each by the shortest script that once failed."""

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core import records as r
from controller.core.fold import apply, fold
from controller.core.position import Position
from controller.core.records.journal import SLIDING
from controller.core.state import State
from controller.core.views import view
from controller.games import GAMES
from controller.text.records import sentence

from .bench import Bench
from .test_rulings import NATURAL, PLAYER_DUE
from .test_views import HIDDEN, OTHERS

RESUME = "rule resume by manager because ok"
CARRY = "rule carry seen no by manager because surplus"


# ── no crash ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_carried_joker_cannot_open_a_round():
    table = Bench(carry=True)
    table.says(f"{NATURAL}; card JOKER; {CARRY}; open; close; card 2D; card 3C; card 3D")
    assert "JOKER" not in table.cards_on("player")


def test_burning_the_first_card_clears_a_further_windows_deadline():
    table = Bench("baccarat", {"betting_windows": 3})
    table.says("open; close; card 9C")
    table.do(e.ShoeFails(5, "pulled back midway"))
    table.says("rule burn 1 by manager because bent")
    assert table.life == "dealing"
    assert table.wait(20) == []


def test_nothing_is_due_in_a_round_that_cannot_be_rebuilt():
    table = Bench()
    table.says(PLAYER_DUE)
    table.state = replace(table.state, round=replace(table.state.round, version="0"))
    table.position = Position(GAMES)
    table.do(e.ProgramBack())
    assert table.fault == "replay_failed"
    assert table.due is None


def test_a_player_name_that_is_not_unicode_still_settles():
    table = Bench()
    table.says("open")
    table.do(e.PlaceBet("p\ud800", "player", 100))
    table.says("close; card 9C; card 2D; card KC; card 3D")
    assert table.life == "settled"


# ── money ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_decision_stake_does_not_replace_another_players_stake():
    table = Bench("casino_holdem")
    table.says("shuffled; open; bet p1 ante 1.00")
    table.do(e.PlaceBet("p2", "ante", 5000))
    table.says("close; card AC; card 7D; card KS; card QS; card 2H; card 3H; card 4S; decide p1 call; press manager")
    table.says("rule cancel by manager because void")
    assert sorted(refund.stake for refund in table.facts("refunded")) == [100, 200, 5000]


def test_a_second_bet_on_the_same_market_is_refused():
    table = Bench()
    table.says("open")
    _, second = table.do(e.PlaceBet("p1", "tie", 100), e.PlaceBet("p1", "tie", 100))
    assert second.kind == "bet_refused"


def test_a_bet_can_be_withdrawn():
    table = Bench()
    table.says("open")
    table.do(e.PlaceBet("p1", "tie", 100), e.WithdrawBet("p1", "tie"))
    assert table.state.round.bets == {}


def test_a_player_cut_off_before_the_close_is_not_charged():
    table = Bench()
    table.says("open")
    table.do(e.PlaceBet("p1", "tie", 100), e.LineCut("p1"), e.Close())
    assert table.state.round.bets == {}
    assert table.state.round.joined.players == ()


# ── hidden cards ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("audience", ["manager", "dealer", "server"])
def test_a_loose_card_that_goes_face_down_was_never_named(audience):
    table = Bench("casino_holdem")
    table.says("shuffled; open; close; card AC; press manager; card 7D; card KS")
    table.says(RESUME)
    assert table.cards_on("dealer") == ["KS"]
    assert not [record for record in table.records if "KS" in str(view(record, audience))]


@pytest.mark.parametrize("audience", ["manager", "dealer", "server"])
def test_the_corrected_value_of_a_face_down_card_stays_hidden(audience):
    table = Bench("casino_holdem")
    table.says("shuffled; open; close; card AC; card 7D; card 7D at board")
    table.says("rule correct 3 KS by manager because misread; rule move 3 dealer by manager")
    assert table.cards_on("dealer") == ["KS"]
    assert not [record for record in table.records if "KS" in str(view(record, audience))]


@pytest.mark.parametrize("audience", OTHERS)
def test_a_failed_replay_does_not_name_a_hidden_card(audience):
    table = Bench("casino_holdem")
    table.says(HIDDEN)
    draws = [replace(draw, place="board") if draw.card == "KS" else draw for draw in table.state.round.draws]
    table.state = replace(table.state, round=replace(table.state.round, draws=tuple(draws)))
    table.position = Position(GAMES)
    _, failed = table.do(e.ProgramBack())
    assert failed.what.code == "replay_failed"
    assert "KS" not in str(view(failed, audience))


def test_players_learn_what_a_face_up_card_was_corrected_to():
    table = Bench("casino_holdem")
    table.says(f"{HIDDEN}; press manager; rule correct 2 KS by manager because misread")
    table.says("rule correct 3 7H by manager because misread")
    assert (table.cards_on("player"), table.life) == (["AC", "KS"], "dealing")
    assert [record for record in table.records if "KS" in str(view(record, "player"))]


@pytest.mark.parametrize("audience", ["auditor", *OTHERS])
def test_every_event_of_every_audience_can_be_put_in_words(audience):
    table = Bench()
    table.says(f"{PLAYER_DUE}; unread; rule burn by manager because bent")
    assert all(sentence(view(record, audience)) for record in table.records)


# ── the round ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_settled_rounds_own_cards_cannot_be_burnt():
    table = Bench()
    table.says(f"{NATURAL}; card 7H; rule burn 1 by manager because wrong")
    assert table.fates == ["placed"] * 4 + ["loose"]
    assert table.facts("ruling_refused")[0].reason == "bad_draw"


def test_a_card_beyond_the_deck_cannot_be_carried():
    table = Bench("baccarat", {"decks": 1, "change_below": 6}, carry=True)
    table.says(f"{NATURAL}; card 9C; {CARRY}")
    assert table.facts("ruling_refused")[0].reason == "not_allowed"


def test_a_shoe_lost_before_the_close_faults_the_next_deal():
    table = Bench()
    table.says(f"open; press manager; lost shoe; {RESUME}; close")
    assert table.fault == "device_lost"


def test_a_shoe_still_lost_after_decisions_faults_the_next_deal():
    table = Bench("casino_holdem")
    table.says(f"{HIDDEN}; card 2H; card 3H; lost shoe; rule enter 4S by manager because manual")
    assert table.life == "deciding"
    table.says("decide p1 call")
    assert table.fault == "device_lost"


def test_a_reopened_further_betting_window_has_a_deadline():
    table = Bench("baccarat", {"betting_windows": 3})
    table.says("open; close; card 9C; close; card 2D; card 3C; rule burn 1 by manager because bent")
    table.says("rule move 2 player by manager because moved")
    assert (table.life, table.state.round.window) == ("betting", 3)
    assert table.state.deadline is not None


def test_draw_0_is_no_draw():
    table = Bench()
    table.says("open; card 9C")
    assert table.do(e.Rule("burn", "manager", "x", 0))[0].what.reason == "bad_draw"


def test_a_move_without_a_place_is_refused():
    table = Bench()
    table.says(f"{PLAYER_DUE}; card 3C at banker")
    assert table.do(e.Rule("move", "manager", "x", 3))[0].kind == "ruling_refused"


def test_a_card_slid_three_times_counts_as_one_card():
    table = Bench()
    table.says(f"{PLAYER_DUE}; unread; unread; card 3C; rule rescan by manager because slid")
    assert table.fates == ["placed", "placed", "void", "void", "placed"]
    assert table.state.shoe.out == 3


def test_a_card_slid_twice_and_not_read_is_entered():
    table = Bench()
    table.says(f"{PLAYER_DUE}; unread; unread; rule enter 3C by manager because seen")
    assert table.fates == ["placed", "placed", "placed", "void"]
    assert (table.state.fault, table.state.shoe.out, table.state.round.draws[2].card) == (None, 3, "3C")


def test_an_earlier_version_enters_no_card_slid_twice():
    table = Bench()
    table.house = replace(table.house, deciding=SLIDING - 1)
    table.says(f"{PLAYER_DUE}; unread; unread; rule enter 3C by manager because seen")
    assert table.facts("ruling_refused")[0].reason == "does_not_fit"


@pytest.mark.parametrize(("deciding", "offered"), [(SLIDING - 1, False), (SLIDING, True)])
def test_a_fault_records_entering_as_its_version_offers_it(deciding, offered):
    table = Bench()
    table.house = replace(table.house, deciding=deciding)
    table.says(f"{PLAYER_DUE}; press manager; unread; unread; rule resume by manager because looked")
    fault = table.facts("faulted")[-1]
    assert (fault.code, "enter" in fault.rulings, "enter" in fault.not_now) == ("unread_card", offered, not offered)


def test_shuffling_during_a_shoe_change_does_not_end_it():
    table = Bench("casino_holdem")
    table.says("shoe change; shuffled")
    assert table.state.shoe.changing


def test_a_dealer_cannot_acknowledge_a_fault_of_their_own_round():
    table = Bench()
    (refused,) = table.says(f"{PLAYER_DUE}; unread; ack by dealer")[-1:]
    assert isinstance(refused.what, r.RulingRefused)


# ── other versions ───────────────────────────────────────────────────────────────────────────────────────────────


def restarted_with(**changes):
    table = Bench()
    table.says(PLAYER_DUE)
    table.state = replace(table.state, round=replace(table.state.round, **changes))
    table.position = Position(GAMES)
    table.do(e.ProgramBack())
    return table


def test_an_unknown_setting_pauses_the_round_and_allows_cancel():
    table = restarted_with(settings={"decks": 6, "change_below": 40, "betting_windows": 1, "colour": "blue"})
    assert table.fault == "replay_failed"
    table.says("rule cancel by manager because upgraded")
    assert table.life == "cancelled"


def test_a_term_missing_from_an_old_record_has_its_default():
    table = Bench(confirm="dealer")
    table.says("open")
    (opened,) = table.facts("opened")
    terms = {name: value for name, value in opened.terms.items() if name != "confirm"}
    record = next(one for one in table.records if one.kind == "opened")
    state = fold(State(), table.records[: record.seq - 1])
    assert apply(state, replace(record, what=replace(opened, terms=terms))).round.terms.confirm == "auto"


# ── who rules, and on what ───────────────────────────────────────────────────────────────────────────────────────


def test_a_replaced_dealer_does_not_rule_on_their_round():
    table = Bench()
    table.says(f"{NATURAL}; dealer d2; card 4D; rule burn by dealer because mine")
    assert table.facts("ruling_refused")[0].reason == "own_round"


def test_the_new_dealer_does_not_rule_on_an_earlier_round():
    table = Bench()
    table.says(f"{NATURAL}; dealer d2; card 4D; ack by d2; rule burn by d2 because stray")
    assert [refused.reason for refused in table.facts("ruling_refused")] == ["own_round"] * 2
    assert (table.fault, table.state.fault.seen_by) == ("extra_card", None)


def test_a_card_read_on_the_second_slide_cannot_be_entered():
    table = Bench()
    table.says(f"{PLAYER_DUE}; unread; card 2D; rule enter 2D by manager because seen")
    assert table.facts("ruling_refused")[0].reason == "does_not_fit"


def test_a_second_reading_with_another_place_can_be_rescanned():
    table = Bench()
    table.says(f"{PLAYER_DUE}; unread; card 2D at banker; rule rescan by manager because again")
    assert (table.life, table.cards_on("player")[-1]) == ("dealing", "2D")


def test_a_correction_to_the_same_card_is_refused():
    table = Bench(confirm="dealer")
    table.says("open; close; card 9C; card 2D; card KC; card 3D; press manager")
    table.says("rule correct 4 3D by manager because sure")
    assert table.facts("ruling_refused")[0].reason == "no_change"
    assert not table.facts("settled")


@pytest.mark.parametrize("seat", ["''", "' '", "seat1", "player"])
def test_a_seat_in_a_game_without_seats_names_no_market(seat):
    table = Bench()
    table.says(f"open; bet p1 {seat} player 10.00")
    assert [what.reason for what in table.facts("bet_refused")] == ["unknown_market"]
