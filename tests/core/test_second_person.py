"""Above the table's limit, a ruling that voids a round needs a second shift manager."""

import pytest

from controller.core import events as e
from controller.reports.preview import PreviewRefused, foresee
from controller.script.lines import event_of, words_of

from .bench import Bench, kinds
from .test_rulings import PLAYER_DUE, bench, refused
from .test_touched import UP

ABOVE = 1099  # cents; 11.00 is staked in the rounds here
ALONE = "rule cancel by anna because x"
BOTH = "rule cancel with bea by anna because x"


def paused(says=f"{PLAYER_DUE}; press manager", **terms):
    return bench(says, **{"second_above": ABOVE, **terms})


def test_a_cancel_above_the_amount_needs_and_records_two_people():
    table = paused()
    assert refused(table, ALONE) == "needs_second"
    ruled, cancelled, *_ = table.says(BOTH)
    assert (ruled.what.by, ruled.what.second, cancelled.kind) == ("anna", "bea", "cancelled")


@pytest.mark.parametrize("limit", [1100, None])
def test_a_cancel_up_to_the_amount_needs_one_person(limit):
    assert kinds(paused(second_above=limit).says(ALONE))[1] == "cancelled"


def test_a_ruling_that_keeps_the_round_needs_one_person():
    assert kinds(paused().says("rule resume by anna because x"))[0] == "ruled"


def test_a_correction_that_voids_the_round_needs_a_second_person():
    table = Bench("blackjack", second_above=1000)
    table.says(f"{UP}; press manager")
    void = "rule correct 7 9S touched cancel"
    assert refused(table, f"{void} by anna because x") == "needs_second"
    table.says(f"{void} with bea by anna because x")
    assert (table.life, table.facts("ruled")[-1].second) == ("cancelled", "bea")


@pytest.mark.parametrize(("second", "why"), [
    ("anna", "same_person"), ("ANNA", "same_person"), ("\u0430nna", "same_person"), ("dealer", "own_round"),
])  # fmt: skip
def test_the_second_person_cannot_be_the_first_or_the_dealer(second, why):
    assert refused(paused(), f"rule cancel with {second} by anna because x") == why


def test_two_names_with_one_badge_number_are_one_person():
    table = paused()
    (record,) = table.do(e.Rule("cancel", "Maria", "x", second="Maria P", second_id="103", person="103"))
    assert record.what.reason == "same_person"


def test_the_amount_compared_is_the_stake_at_the_ruling():
    early = "open; bet p1 player 10.00; bet p2 tie 1.00{}; card 9C"
    assert refused(paused(early.format("")), ALONE) == "needs_second"
    assert kinds(paused(early.format("; unbet p2 tie")).says(ALONE))[1] == "cancelled"
    split = "shuffled; open; bet p1 ante 5.00; close; card AC; card 7D; card KS; card QS; card 2H; card 3H; card 4S"
    table = bench(f"{split}; press manager", "casino_holdem", second_above=500)
    assert kinds(table.says(ALONE))[1] == "cancelled"
    table = bench(f"{split}; decide p1 call; press manager", "casino_holdem", second_above=500)  # 10.00 more
    assert refused(table, ALONE) == "needs_second"


def test_a_second_person_is_needed_after_restart_and_correction():
    table = paused()
    table.says("rule correct 2 8H by anna because misread; press manager")
    table.restart()
    assert refused(table, ALONE) == "needs_second"
    table.says(BOTH)
    assert table.life == "cancelled"
    (late,) = table.says("rule cancel with carl by bea because x")
    assert late.what.reason == "not_paused"


@pytest.mark.parametrize(("limit", "life"), [(ABOVE, "paused"), (1100, "cancelled"), (None, "cancelled")])
def test_the_clock_cancels_no_round_that_one_person_may_not(limit, life):
    table = paused(unruled="cancel", second_above=limit)
    table.wait(180)
    assert (table.life, len(table.facts("escalated")) > 0) == (life, True)


def test_the_look_ahead_shows_the_second_person_and_the_outcome():
    table = paused()
    alone, both = (event_of(line.split()) for line in (ALONE, BOTH))
    end = foresee(table.house, table.state, alone, table.now)
    assert (end.life, end.second, end.refunds.total) == ("cancelled", True, 1100)
    assert not foresee(table.house, table.state, both, table.now).second
    dealer = e.Rule("cancel", "dealer", "x")
    assert foresee(table.house, table.state, dealer, table.now) == PreviewRefused("own_round")


def test_a_script_says_the_second_person_and_their_number():
    event = e.Rule("cancel", "Maria", "x y", second="Livia", second_id="106", person="103")
    words = words_of(event, "EUR")
    assert " ".join(words) == "rule cancel with Livia badge 106 person 103 by Maria because x y"
    assert event_of(words) == event
