"""A shoe that names places and counts the cards there is checked against our own count."""

from controller.core import events as e
from controller.core.notation import got

from .bench import Bench
from .test_rulings import PLAYER_DUE


def read(card, place, position):
    return e.CardOut(card, place, position)


def test_a_card_whose_place_and_position_are_ours_is_dealt():
    table = Bench()
    table.says("open; close")
    table.do(read("9C", "player", 1), read("2D", "banker", 1), read("KC", "player", 2))
    assert table.on("player") == ["9C", "KC"]


def test_a_position_that_is_not_ours_is_a_fault_that_names_it():
    table = Bench()
    table.says("open; close")
    table.do(read("9C", "player", 2))
    assert (table.fault, got(table.state.fault.came)) == ("wrong_place", "9C at player 2")


def test_a_reader_that_tells_a_position_twice_is_not_believed():
    table = Bench()
    table.says("open; close")
    table.do(read("9C", "player", 1), read("2D", "banker", 1), read("KC", "player", 1))
    assert (table.fault, got(table.state.fault.came)) == ("wrong_place", "KC at player 1")


def test_after_a_ruling_the_shoe_cannot_know_of_its_count_is_advisory_until_it_stands_by():
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


def test_a_plain_reader_says_no_place_and_is_not_asked_for_one():
    table = Bench()
    table.says("open; close; card 9C; card 2D; card KC; card 3D")
    assert table.life == "settled"
