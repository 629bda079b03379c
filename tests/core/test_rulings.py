"""Each fault with each ruling it allows: what causes it and how it ends; and the reasons of refusals."""

from functools import partial

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core.fault_catalogue import CATALOGUE
from controller.core.notation import cause_text, due_text
from controller.core.position import Position
from controller.games import GAMES

from .bench import Bench, kinds

BETS = "open; bet p1 player 10.00; bet p2 tie 1.00"
NATURAL = f"{BETS}; close; card 9C; card 2D; card KC; card 3D"  # player 9, banker 5: done after four cards
PLAYER_DUE = f"{BETS}; close; card 2C; card 2D"  # player has a two, a second card is due
THIRD_DUE = f"{BETS}; close; card 2C; card 2D; card 3C; card 5D"  # player 5 draws, banker 7 stands
ONE_DECK = {"decks": 1, "change_below": 6}
HOLDEM = "shuffled; open; bet p1 ante 1.00; close; card AC; card 7D"  # player's two cards lie; next: the dealer's two
FLOP = f"{HOLDEM}; card KS; card QS; card 2H; card 3H; card 4S"  # p1 has to decide


def bench(says, game="baccarat", settings=None, **terms):
    table = Bench(game, settings, **terms)
    table.says(says)
    return table


def refused(table, says):
    """Give a ruling that must be refused and change nothing; return the reason."""
    (record,) = table.says(says)
    assert (record.kind, table.life) == ("ruling_refused", "paused")
    return record.what.reason


holdem = partial(bench, game="casino_holdem")


def rule(table, ruling, *more):
    return table.says(f'rule {" ".join((ruling, *more))} by manager because "seen on camera"')


# ── card_before_close ────────────────────────────────────────────────────────────────────────────────────────────


def test_burning_an_early_card_reopens_betting_with_the_time_left():
    table = bench("open; wait 6s; card 9C")
    assert (table.fault, table.state.fault.rulings) == ("card_before_close", ("burn", "void", "cancel"))
    table.wait(100)
    rule(table, "burn")
    assert (table.life, table.fates) == ("betting", ["burnt"])
    assert table.state.deadline - table.now == 9_000_000


def test_burning_an_early_card_reopens_the_further_betting_window():
    table = bench("open; close; card 9C; wait 5s; card 2D", settings={"betting_windows": 3})
    assert table.fault == "card_before_close"
    rule(table, "burn")
    assert (table.life, table.state.round.window) == ("betting", 2)
    assert table.state.deadline - table.now == 15_000_000


# ── extra_card ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_burning_an_extra_card_confirms_the_complete_round():
    table = bench(f"{NATURAL}; card 7H", confirm="dealer")
    assert (table.fault, table.state.paused_from) == ("extra_card", "complete")
    rule(table, "burn")
    assert (table.life, table.fates[-1]) == ("settled", "burnt")
    assert table.facts("settled")[0].by == "manager"


def test_a_carried_card_is_the_first_of_the_next_round():
    table = bench(f"{NATURAL}; card 7H", confirm="dealer", carry=True)
    rule(table, "carry", "seen", "no")
    assert (table.life, table.fates[-1]) == ("settled", "carried")
    table.says("open; close")
    assert table.cards_on("player") == ["7H"]
    assert table.state.carried is None
    assert table.facts("dealt")[-1].source == "carried"


def test_a_card_is_carried_only_if_declared_unseen():
    table = bench(f"{NATURAL}; card 9H", carry=True)
    assert reason(table, "carry") == "not_allowed"
    rule(table, "carry", "seen", "yes")
    assert (table.life, table.fates[-1], table.state.carried) == ("settled", "burnt", None)
    table.says("open; close")
    assert table.cards_on("player") == []


def test_a_table_without_carry_refuses_to_carry_a_card():
    assert reason(bench(f"{NATURAL}; card 9H"), "carry", "seen", "no") == "not_allowed"


def test_correcting_a_card_makes_the_extra_one_the_third():
    table = bench(f"{NATURAL}; card 7H", confirm="dealer")
    rule(table, "correct", "1", "3C")  # player had 3, not 9
    assert table.cards_on("player") == ["3C", "KC", "7H"]
    assert (table.life, table.due.to) == ("dealing", "banker")  # the banker's 5 draws on a seven


def test_burning_an_extra_card_during_decisions_keeps_the_time_left():
    table = holdem(f"{FLOP}; wait 5s; card 9S")
    assert (table.fault, table.state.fault.rulings) == ("extra_card", ("burn", "correct", "void", "cancel"))
    table.wait(60)
    rule(table, "burn")
    assert table.life == "deciding"
    assert table.state.deadline - table.now == 10_000_000


@pytest.mark.parametrize(
    ("ruling", "fate"), [("burn", "burnt"), ("carry seen no", "carried"), ("carry seen yes", "burnt")]
)
def test_a_card_after_settlement_does_not_settle_again(ruling, fate):
    table = bench(f"{NATURAL}; card 7H", carry=True)
    assert (table.fault, table.state.fault.rulings) == ("extra_card", ("burn", "carry", "void"))
    rule(table, ruling)
    assert (table.life, table.fates[-1]) == ("settled", fate)
    assert len(table.facts("settled")) == 1
    assert len(table.facts("paid")) == 2


def test_burning_a_card_without_a_round_makes_the_table_idle():
    table = bench("card 7H", carry=True)
    assert (table.fault, table.state.fault.rulings) == ("extra_card", ("burn", "carry", "void"))
    rule(table, "burn")
    assert (table.life, table.fates) == ("idle", ["burnt"])


def test_a_card_after_a_cancelled_round_is_burnt():
    table = bench(f"{PLAYER_DUE}; press manager; rule cancel by manager because void; card 7H")
    assert table.fault == "extra_card"
    rule(table, "burn")
    assert table.life == "cancelled"
    assert len(table.facts("refunded")) == 2


# ── unread_card ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_rescanned_card_takes_the_unread_cards_place():
    table = bench(f"{PLAYER_DUE}; unread; card 3C")
    assert (table.fault, table.fates) == ("unread_card", ["placed", "placed", "loose", "loose"])
    rule(table, "rescan")
    assert (table.life, table.cards_on("player")) == ("dealing", ["2C", "3C"])
    assert table.fates == ["placed", "placed", "void", "placed"]
    assert table.state.shoe.out == 3  # one card, read twice


def test_an_entered_unread_card_marks_the_result_as_manual():
    table = bench(f"{PLAYER_DUE}; unread")
    rule(table, "enter", "7C")
    assert (table.life, table.cards_on("player")) == ("dealing", ["2C", "7C"])
    table.says("card 3D")
    assert table.facts("settled")[0].manual


def test_the_next_card_replaces_a_burnt_unread_card():
    table = bench(f"{PLAYER_DUE}; unread")
    rule(table, "burn")
    table.says("card 3C")
    assert (table.cards_on("player"), table.fates[2]) == (["2C", "3C"], "burnt")


def test_an_unread_hidden_card_is_entered_face_down():
    table = holdem(f"{HOLDEM}; unread")
    rule(table, "enter", "KS")
    assert table.cards_on("dealer") == ["KS"]
    assert not table.facts("dealt")[-1].face_up


# ── foreign_card ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_next_card_replaces_a_burnt_foreign_card():
    table = bench(f"{PLAYER_DUE}; card JOKER")
    assert table.fault == "foreign_card"
    rule(table, "burn")
    table.says("card 3C")
    assert table.cards_on("player") == ["2C", "3C"]


@pytest.mark.parametrize(
    ("came", "source"), [("card 3C", "reader"), ("unread; rule enter 3C by anna because x", "manual")]
)
def test_a_corrected_card_is_dealt_anew_with_its_original_source(came, source):
    table = bench(f"{PLAYER_DUE}; {came}; press manager")
    rule(table, "correct", "3", "4C")
    assert [(dealt.card, dealt.source) for dealt in table.facts("dealt") if dealt.draw == 3][1:] == [("4C", source)]


def test_a_card_misread_as_foreign_is_corrected():
    table = bench(f"{PLAYER_DUE}; card JOKER")
    rule(table, "correct", "3", "3C")
    assert (table.life, table.cards_on("player")) == ("dealing", ["2C", "3C"])
    assert table.state.round.manual


# ── duplicate_card ───────────────────────────────────────────────────────────────────────────────────────────────


def test_correcting_the_second_copy_continues_the_round():
    table = bench(f"{PLAYER_DUE}; card 2C", settings=ONE_DECK)
    assert (table.fault, table.state.fault.rulings) == ("duplicate_card", ("void", "correct", "burn", "cancel"))
    rule(table, "correct", "3", "AD")
    assert (table.life, table.cards_on("player")) == ("dealing", ["2C", "AD"])


def test_correcting_the_first_copy_keeps_the_second():
    table = bench(f"{PLAYER_DUE}; card 2C", settings=ONE_DECK)
    rule(table, "correct", "1", "AD")
    assert table.cards_on("player") == ["AD", "2C"]


def test_as_many_copies_as_there_are_decks_are_no_fault():
    table = bench("open; close; card 2C; card 2C; card 2C; card 2C", settings={"decks": 4, "change_below": 6})
    assert table.fault is None
    table.says("card 2C")
    assert table.fault == "duplicate_card"


# ── wrong_place ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_card_in_the_wrong_place_can_be_moved():
    table = bench(f"{PLAYER_DUE}; card 3C at banker")
    assert (table.fault, cause_text(table.state.fault.came)) == ("wrong_place", "3C at banker")
    rule(table, "move", "3", "player")
    assert (table.life, table.cards_on("player")) == ("dealing", ["2C", "3C"])


def test_a_card_on_the_wrong_place_is_burnt():
    table = bench(f"{PLAYER_DUE}; card 3C at banker")
    rule(table, "burn")
    assert (table.life, table.fates[2]) == ("dealing", "burnt")


def test_correcting_a_misplaced_card_leaves_the_place_fault():
    table = bench(f"{PLAYER_DUE}; card 3C at banker")
    rule(table, "correct", "3", "4C")
    assert (table.fault, cause_text(table.state.fault.came)) == ("wrong_place", "4C at banker")


def test_correcting_an_earlier_card_can_make_the_wrong_place_right():
    table = bench(f"{THIRD_DUE}; card 8S at banker")
    rule(table, "correct", "1", "4C")  # player 7 stands, banker 7 stands: nothing is due
    assert table.fault == "extra_card"


# ── missing_card ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("says", ["press finish", "result player"])
def test_a_missing_card_is_dealt_after_all(says):
    table = bench(f"{THIRD_DUE}; {says}")
    assert (table.fault, due_text(table.state.fault.due)) == ("missing_card", "card to player")
    rule(table, "deal")
    assert table.life == "dealing"
    table.says("card KH")
    assert table.life == "settled"


def test_correcting_a_card_shows_that_none_was_missing():
    table = bench(f"{THIRD_DUE}; press finish", confirm="dealer")
    rule(table, "correct", "1", "4C")  # player 7 stands
    assert (table.life, table.facts("settled")[0].outcome["cards"]) == ("settled", 4)


# ── result_mismatch ──────────────────────────────────────────────────────────────────────────────────────────────


def test_on_resume_the_tables_own_result_counts():
    table = bench(f"{NATURAL}; result banker", confirm="shoe")
    assert (table.fault, cause_text(table.state.fault.came)) == ("result_mismatch", "result banker")
    rule(table, "resume")
    assert (table.life, table.facts("settled")[0].outcome["winner"]) == ("settled", "player")


def test_correcting_a_card_after_result_mismatch_deals_the_third_card():
    table = bench(f"{NATURAL}; result banker", confirm="shoe")
    rule(table, "correct", "1", "5C")  # player 5, as banker, and then a third card is due
    assert (table.life, table.due.to) == ("dealing", "player")
    table.says("card KS")
    assert (table.life, table.state.round.outcome["winner"]) == ("complete", "tie")


# ── shoe_error, device_lost, dealer_call, restarted, journal_failed ──────────────────────────────────────────────


def test_a_shoe_error_is_over_when_the_manager_resumes():
    table = bench(PLAYER_DUE)
    table.do(e.ShoeFails(7, "draw time-out"))
    assert (table.fault, cause_text(table.state.fault.came)) == ("shoe_error", "error 7: draw time-out")
    rule(table, "resume")
    assert table.life == "dealing"


def test_after_a_shoe_error_the_card_is_entered_by_hand():
    table = bench(PLAYER_DUE)
    table.do(e.ShoeFails(1, "cannot read"))
    rule(table, "enter", "3C")
    assert (table.life, table.cards_on("player"), table.state.shoe.out) == ("dealing", ["2C", "3C"], 3)


def test_a_card_that_came_during_a_shoe_error_is_burnt():
    table = bench(PLAYER_DUE)
    table.do(e.ShoeFails(2, "overdraw"))
    table.says("card 3C")
    rule(table, "burn")
    assert (table.life, table.fates) == ("dealing", ["placed", "placed", "burnt"])


def test_a_round_continues_after_its_lost_shoe_is_found():
    table = bench(f"{PLAYER_DUE}; lost shoe")
    assert (table.fault, cause_text(table.state.fault.came)) == ("device_lost", "shoe lost")
    table.says("found shoe")
    assert table.life == "paused"  # a device that is found again does not resume the round
    rule(table, "resume")
    assert table.life == "dealing"


def test_with_the_shoe_lost_every_card_is_entered_by_hand():
    table = bench(f"{PLAYER_DUE}; lost shoe")
    rule(table, "enter", "7C")
    assert (table.fault, table.cards_on("player")) == ("device_lost", ["2C", "7C"])
    rule(table, "enter", "3D")
    assert (table.life, table.facts("settled")[0].manual) == ("settled", True)


def test_a_lost_panel_faults_only_with_panel_loss_set():
    assert bench(f"{PLAYER_DUE}; lost panel").life == "dealing"
    table = bench(f"{PLAYER_DUE}; lost panel", panel_loss="fault")
    assert (table.fault, cause_text(table.state.fault.came)) == ("device_lost", "panel lost")
    assert rule(table, "resume")[0].what.reason == "device_still_lost"


def test_a_call_of_the_dealer_ends_when_the_manager_resumes():
    table = bench(f"{PLAYER_DUE}; press manager")
    assert (table.fault, table.state.fault.rulings) == ("dealer_call", ("resume", "correct", "burn", "void", "cancel"))
    rule(table, "resume")
    assert table.life == "dealing"


def test_a_card_is_corrected_after_the_dealer_called():
    table = bench(f"{PLAYER_DUE}; press manager")
    rule(table, "correct", "1", "9C")
    assert table.cards_on("player") == ["9C"]
    ruled = table.facts("ruled")[0]
    assert (ruled.before["card"], ruled.after["card"]) == ("2C", "9C")


def test_a_dealer_call_between_rounds_allows_only_resume():
    table = bench(f"{NATURAL}; press manager")
    assert table.state.fault.rulings == ("resume",)
    rule(table, "resume")
    assert table.life == "settled"


def test_after_a_restart_the_round_continues_where_it_was():
    table = bench(f"{PLAYER_DUE}; restart")
    assert (table.fault, cause_text(table.state.fault.came)) == ("restarted", "restart")
    rule(table, "resume")
    table.says("card 7C; card 3D")
    assert table.life == "settled"


def test_a_card_drawn_during_a_restart_is_entered_by_hand():
    table = bench(f"{PLAYER_DUE}; restart")
    rule(table, "enter", "7C")
    assert (table.life, table.cards_on("player"), table.state.shoe.out) == ("dealing", ["2C", "7C"], 3)


def test_a_card_is_corrected_after_a_restart():
    table = bench(f"{PLAYER_DUE}; restart")
    rule(table, "correct", "2", "7D")
    assert (table.life, table.cards_on("banker")) == ("dealing", ["7D"])


def test_a_restart_keeps_the_windows_decisions_and_time_left():
    table = holdem("shuffled; open; bet p1 ante 1.00; bet p2 ante 2.00; close; card AC; card 7D; card KS; card QS")
    table.says("card 2H; card 3H; card 4S; wait 5s; decide p2 call; restart; wait 60s")
    rule(table, "resume")
    assert (table.life, table.state.round.asking.decided) == ("deciding", {"p2": "call"})
    assert table.state.deadline - table.now == 10_000_000


def test_a_restart_between_rounds_is_no_fault():
    table = bench(f"{NATURAL}; restart")
    assert table.life == "settled"


def test_after_a_journal_failure_the_round_continues():
    table = bench(PLAYER_DUE)
    table.do(e.JournalBack("disk full"))
    assert (table.fault, table.state.fault.rulings) == ("journal_failed", ("resume", "burn", "void", "cancel"))
    rule(table, "resume")
    assert table.life == "dealing"


# ── replay_failed ────────────────────────────────────────────────────────────────────────────────────────────────


def unplayable():
    """Return a table with a live round of a rule sheet's version that this program no longer has."""
    table = bench(PLAYER_DUE)
    table.state = replace(table.state, round=replace(table.state.round, version="0"))
    table.position = Position(GAMES)
    table.do(e.ProgramBack())
    return table


def test_a_round_that_cannot_be_rebuilt_allows_only_cancel():
    table = unplayable()
    assert (table.fault, table.state.fault.rulings) == ("replay_failed", ("cancel",))
    rule(table, "cancel")
    assert table.life == "cancelled"
    assert {refund.stake for refund in table.facts("refunded")} == {1000, 100}


def test_cards_are_recorded_while_the_round_cannot_be_rebuilt():
    table = unplayable()
    table.says("card 9H")
    assert table.fates[-1] == "loose"
    rule(table, "cancel")
    assert table.fates[-1] == "void"


# ── cancel ───────────────────────────────────────────────────────────────────────────────────────────────────────

RAISED = {
    "card_before_close": f"{BETS}; card 9C",
    "extra_card": f"{NATURAL}; card 7H",
    "unread_card": f"{PLAYER_DUE}; unread",
    "foreign_card": f"{PLAYER_DUE}; card JOKER",
    "duplicate_card": f"{PLAYER_DUE}; card 2C",
    "wrong_place": f"{PLAYER_DUE}; card 3C at banker",
    "missing_card": f"{THIRD_DUE}; press finish",
    "result_mismatch": f"{NATURAL}; result banker",
    "shoe_error": PLAYER_DUE,
    "device_lost": f"{PLAYER_DUE}; lost shoe",
    "shoe_exhausted": PLAYER_DUE,
    "stalled": f"{PLAYER_DUE}; wait 30s",
    "telegram_lost": f"{PLAYER_DUE}; gap 2 4",
    "card_dropped": f"{PLAYER_DUE}; press dropped",
    "server_lost": f"{BETS}; lost server",
    "dealer_call": f"{PLAYER_DUE}; press manager",
    "restarted": f"{PLAYER_DUE}; restart",
    "journal_failed": PLAYER_DUE,
}
UNWRITTEN = {"shoe_error": e.ShoeFails(7, "time-out"), "journal_failed": e.JournalBack("disk full")}


def raised(code):
    terms = {"confirm": "shoe", "telegram_loss": "fault"}
    table = bench(RAISED[code], settings={"decks": 1, "change_below": 6}, **terms)
    if code == "shoe_exhausted":
        table.state = replace(table.state, shoe=replace(table.state.shoe, size=table.state.shoe.out + 1))
        table.says("card 4C")
    if code in UNWRITTEN:
        table.do(UNWRITTEN[code])
    assert table.fault == code
    return table


def test_every_fault_of_the_catalogue_is_raised_here():
    assert {*RAISED, "replay_failed", "hidden_card_exposed"} == set(CATALOGUE)


@pytest.mark.parametrize("code", RAISED)
def test_cancelling_refunds_every_stake_and_voids_loose_cards(code):
    table = raised(code)
    records = rule(table, "cancel")
    assert table.life == "cancelled"
    assert sorted(refund.stake for refund in table.facts("refunded")) == [100, 1000]
    assert not table.facts("paid")
    assert "loose" not in table.fates
    assert kinds(records)[-1] == "checkpoint"


WORDS = {ruling for entry in CATALOGUE.values() for ruling in entry.rulings}
FORBIDDEN = [(code, ruling) for code in RAISED for ruling in sorted(WORDS - set(CATALOGUE[code].rulings))]


@pytest.mark.parametrize(("code", "ruling"), FORBIDDEN)
def test_a_ruling_that_the_fault_does_not_allow_is_refused(code, ruling):
    table = raised(code)
    (refused,) = table.do(e.Rule(ruling, "manager", "", 1, "9H", "player"))
    assert refused.what.reason == "not_allowed"
    assert table.fault == code


def test_cancelling_after_decisions_refunds_the_call_stakes_too():
    table = holdem(f"{FLOP}; decide p1 call; press manager")
    rule(table, "cancel")
    assert {(refund.market, refund.stake) for refund in table.facts("refunded")} == {("ante", 100), ("call", 200)}


def test_a_correction_that_undoes_the_flop_withdraws_the_call():
    table = holdem(f"{FLOP}; decide p1 call; press manager")
    rule(table, "correct", "7", "AC")
    assert table.fault == "duplicate_card"
    assert [(back.market, back.stake) for back in table.facts("bet_withdrawn")] == [("call", 200)]
    rule(table, "correct", "7", "4S")
    assert table.life == "deciding"
    assert table.state.round.asking.decided == {}


# ── refusals ─────────────────────────────────────────────────────────────────────────────────────────────────────


def reason(table, *words, by="manager"):
    (refused,) = table.says(f"rule {' '.join(words)} by {by} because x")
    return refused.what.reason


def test_a_ruling_without_a_fault_is_refused_not_paused():
    assert reason(bench(PLAYER_DUE), "resume") == "not_paused"


@pytest.mark.parametrize("fault", [0, -1, 1, 8, 10**9])
def test_a_ruling_on_another_fault_is_refused_stale_fault(fault):
    table = bench(f"{PLAYER_DUE}; press manager; rule resume by manager because ok; press manager")
    assert table.state.fault.seq != fault
    (refused,) = table.do(e.Rule("cancel", "manager", "x", fault=fault))
    assert (refused.what.reason, table.life) == ("stale_fault", "paused")


def test_a_dealer_cannot_rule_on_their_own_round():
    assert reason(bench(f"{PLAYER_DUE}; unread"), "burn", by="dealer") == "own_round"


@pytest.mark.parametrize("card", ["JOKER", "XX", "", None])
def test_entering_a_card_outside_the_deck_is_refused_bad_card(card):
    table = bench(f"{PLAYER_DUE}; unread")
    (refused,) = table.do(e.Rule("enter", "manager", "x", card=card))
    assert refused.what.reason == "bad_card"


def test_entering_a_card_with_no_copy_left_is_refused():
    assert reason(bench(f"{PLAYER_DUE}; unread", settings=ONE_DECK), "enter", "2C") == "bad_card"


def test_correcting_to_a_foreign_card_is_refused_bad_card():
    assert reason(bench(f"{PLAYER_DUE}; press manager"), "correct", "1", "JOKER") == "bad_card"


@pytest.mark.parametrize("draw", [None, -1, 3, 999])
def test_a_draw_that_is_not_there_is_refused_bad_draw(draw):
    table = bench(f"{PLAYER_DUE}; press manager")
    (refused,) = table.do(e.Rule("correct", "manager", "x", draw, "9H"))
    assert refused.what.reason == "bad_draw"


def test_a_burnt_card_cannot_be_corrected():
    table = bench(f"{PLAYER_DUE}; unread; rule burn by manager because x; press manager")
    assert reason(table, "correct", "3", "9H") == "bad_draw"


def test_resuming_without_the_shoe_is_refused_device_still_lost():
    assert reason(bench(f"{PLAYER_DUE}; lost shoe"), "resume") == "device_still_lost"


def test_moving_to_a_place_not_due_does_not_fit():
    assert reason(bench(f"{PLAYER_DUE}; card 3C at banker"), "move", "3", "banker") == "does_not_fit"


def test_rescan_without_a_second_reading_is_refused_does_not_fit():
    assert reason(bench(f"{PLAYER_DUE}; unread"), "rescan") == "does_not_fit"


def test_entering_a_card_when_none_is_due_is_refused():
    assert reason(bench("open; restart"), "enter", "9H") == "does_not_fit"


def test_a_second_card_cannot_be_carried():
    table = bench(f"{NATURAL}; card 7H; card 8H; rule carry seen no by manager because x", carry=True)
    assert table.fault == "extra_card"
    assert "carry" not in table.state.fault.rulings
    assert reason(table, "carry") == "not_allowed"
    rule(table, "burn")
    assert (table.life, table.fates[-2:]) == ("settled", ["carried", "burnt"])
