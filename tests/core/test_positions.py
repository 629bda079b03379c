"""A shoe that names places and counts the cards there is checked against the table's own count."""

import pytest

from controller.core import events as e
from controller.core.notation import cause_text, due_text

from .bench import Bench
from .test_rulings import PLAYER_DUE


def read(card, place, position):
    return e.CardOut(card, place, position)


def test_a_card_read_at_the_expected_position_is_dealt():
    table = Bench()
    table.says("open; close")
    table.do(read("9C", "player", 1), read("2D", "banker", 1), read("KC", "player", 2))
    assert table.cards_on("player") == ["9C", "KC"]


def test_a_reading_at_another_position_faults_and_names_it():
    table = Bench()
    table.says("open; close")
    table.do(read("9C", "player", 2))
    assert (table.fault, cause_text(table.state.fault.came)) == ("wrong_place", "9C at player 2")


def test_a_position_read_twice_is_a_wrong_place():
    table = Bench()
    table.says("open; close")
    table.do(read("9C", "player", 1), read("2D", "banker", 1), read("KC", "player", 1))
    assert (table.fault, cause_text(table.state.fault.came)) == ("wrong_place", "KC at player 1")


def test_after_a_ruling_shoe_positions_are_advisory_until_standby():
    table = Bench()
    table.says(f"{PLAYER_DUE}; unread; rule burn by manager because bent")
    table.do(read("KC", "banker", 3))
    assert table.life == "dealing"
    table.says("card 3D; card 8H")
    assert table.life == "settled"
    table.do(e.ShoeStandsBy())
    table.says("open; close")
    table.do(read("9C", "player", 3))
    assert table.fault == "wrong_place"


def test_a_reader_that_names_no_place_is_accepted():
    table = Bench()
    table.says("open; close; card 9C; card 2D; card KC; card 3D")
    assert table.life == "settled"


SEAT = "shuffled; open; bet p1 seat1 ante 1.00; close; card 2C at seat1; card 3C at seat1; card 4C at seat1"


def test_a_place_read_after_a_ruling_is_still_checked():
    table = Bench("rhum32")
    table.says(f"{SEAT}; unread; rule enter 5C by manager because seen; card 9D at seat1")
    assert (table.fault, due_text(table.state.fault.due)) == ("wrong_place", "card to dealer")
    assert cause_text(table.state.fault.came) == "9D at seat1"


def test_a_wrong_place_read_in_a_pause_faults_after_resume():
    table = Bench()
    table.says(f"{PLAYER_DUE}; unread; rule burn by manager because bent; press manager; card 3C at banker")
    table.says("rule resume by manager because ok")
    assert table.fault == "wrong_place"


def test_a_different_position_after_a_ruling_is_recorded_as_disagreement():
    table = Bench()
    table.says(f"{PLAYER_DUE}; unread; rule burn by manager because bent")
    table.do(read("KC", "banker", 2), read("3D", "banker", 2))
    assert [(one.about, one.theirs, one.ours, one.draw) for one in table.facts("disagreed")] == [
        ("place", "banker 2", "player 2", 4)
    ]


def test_a_different_position_in_a_pause_is_recorded_after_resume():
    table = Bench()
    table.says(f"{PLAYER_DUE}; unread; rule burn by manager because bent; press manager")
    table.do(read("KC", "banker", 3))
    assert table.facts("disagreed") == []
    table.says("rule resume by manager because ok")
    assert [(one.theirs, one.ours) for one in table.facts("disagreed")] == [("banker 3", "player 2")]


def test_an_advisory_shoe_result_is_compared_and_recorded():
    table = Bench(confirm="dealer")
    table.says(f"{PLAYER_DUE}; press manager; rule correct 1 9C by manager because misread; card KC; result tie")
    table.says("card 3D; result player; result banker")
    disagreements = [(one.about, one.theirs, one.ours) for one in table.facts("disagreed")]
    assert disagreements == [("result", "tie", "card to banker"), ("result", "banker", "player")]
    assert (table.life, table.fault) == ("complete", None)


@pytest.mark.parametrize(("pairs", "ours"), [((), "player + player pair"), (None, "player")])
def test_an_advisory_shoe_result_is_compared_with_its_named_pairs(pairs, ours):
    table = Bench(confirm="dealer")
    table.says(f"{PLAYER_DUE}; press manager; rule correct 1 9C by manager because misread")
    table.says("card 9D; card 3D")
    table.do(e.ShoeSays("banker", pairs))
    assert table.facts("disagreed")[-1].ours == ours
