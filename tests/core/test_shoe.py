"""Messages of a shoe beside its cards: its result, the cut card, and its count when it is loaded."""

import pytest

from controller.core import events as e

from .bench import Bench
from .test_rulings import NATURAL, bench

PAIR = "open; close; card 9C; card 2D; card 9H; card 3D"  # player 8 with a pair, banker 5: done after four cards


# ── the shoe's result ────────────────────────────────────────────────────────────────────────────────────────────


def test_with_dealer_confirmation_the_shoes_result_settles_nothing():
    table = bench(f"{NATURAL}; result player", confirm="dealer")
    assert (table.life, table.facts("settled")) == ("complete", [])
    table.says("press finish")
    assert [settled.by for settled in table.facts("settled")] == ["dealer"]


@pytest.mark.parametrize("said", [(), ("banker",), ("player", "banker")])
def test_a_shoe_result_with_other_pairs_is_a_mismatch(said):
    table = bench(PAIR, confirm="shoe")
    table.do(e.ShoeSays("player", said))
    assert (table.fault, table.facts("settled")) == ("result_mismatch", [])


@pytest.mark.parametrize("said", [("player",), None])
def test_a_shoe_result_with_our_pairs_or_none_settles(said):
    table = bench(PAIR, confirm="shoe")
    table.do(e.ShoeSays("player", said))
    assert [settled.by for settled in table.facts("settled")] == ["shoe"]


def test_other_pairs_in_a_result_after_settlement_are_disputed():
    table = bench(PAIR)
    table.do(e.ShoeSays("player", ()))
    assert (table.life, len(table.facts("disputed"))) == ("settled", 1)


# ── counted cards and the cut card ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("counted", [0, 311, 313])
def test_a_counted_shoe_that_is_not_full_is_refused(counted):
    table = Bench()
    table.says(f"shoe change; shoe ready S17 {counted}; open")
    assert (table.state.shoe.changing, table.state.shoe.id) == (True, "")
    assert [refused.reason for refused in table.facts("start_refused")] == ["shoe_missing"]
    table.says("shoe ready S17 312; open")
    assert (table.state.shoe.id, table.life) == ("S17", "betting")


def test_a_cut_card_in_a_shoe_change_is_ignored():
    table = Bench()
    table.says("shoe change; cut; card 9H; shoe ready; open")
    assert (table.facts("cut_card"), table.life) == ([], "betting")


def test_a_cut_card_is_recorded_once_and_the_round_ends():
    table = Bench()
    table.says("open; close; cut; cut; card 9C; card 2D; card KC; card 3D; open")
    assert (len(table.facts("cut_card")), table.life) == (1, "settled")
    assert [refused.reason for refused in table.facts("start_refused")] == ["cut_card_out"]
