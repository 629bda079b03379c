"""`void N` removes a reading that was no card: a card read twice, or a reading without a card."""

import pytest

from controller.core.odds import count_unseen

from .test_rulings import HOLDEM, NATURAL, PLAYER_DUE, bench, holdem, reason, rule

DEALT = f"{HOLDEM}; card KS; card QS"
TWICE = f"{DEALT}; card 2H; card 2H"  # the first card of the flop, read twice
ONE_DECK = {"decks": 1, "change_below": 6}


@pytest.mark.parametrize(
    ("game", "says"),
    [
        ("casino_holdem", TWICE),
        ("thirty_two", "shuffled; open; bet p1 player8 1.00; close; card KC; card KC"),
        ("rhum32", "shuffled; open; bet p1 seat1 ante 1.00; close; card KC; card KC"),
    ],
)
def test_void_of_a_twice_read_card_lets_the_round_continue(game, says):
    table = bench(says, game)
    assert (table.fault, table.state.fault.rulings[0]) == ("duplicate_card", "void")
    rule(table, "void")
    assert (table.life, table.fates[-1]) == ("dealing", "void")
    assert table.state.shoe.out == len(table.fates) - 1


def test_a_void_reading_does_not_count_as_a_drawn_card():
    table = bench("open; close; card KC; card KC", settings=ONE_DECK)
    rule(table, "void")
    assert table.state.shoe.out == 1
    assert count_unseen(table.state, table.house.deck)["KC"] == 0


def test_cards_that_came_after_the_second_reading_keep_their_order():
    table = holdem(f"{TWICE}; card 3H; card 4D")
    rule(table, "void")
    assert (table.cards_on("dealer"), table.cards_on("board")) == (["KS", "QS"], ["2H", "3H", "4D"])


def test_voiding_an_earlier_reading_moves_the_later_cards_up():
    table = bench("open; close; card 9C; card 9C; card 2D; card KH; card 3S", confirm="dealer")
    assert table.fault == "extra_card"  # banker has 9C and KH: nothing is due any more
    rule(table, "void", "2")
    assert (table.cards_on("player"), table.cards_on("banker")) == (["9C", "KH"], ["2D", "3S"])
    assert table.life == "complete"  # the result differs from before: the dealer confirms it
    table.says("press finish")
    assert table.life == "settled"


def test_an_unread_card_that_never_came_is_void():
    table = bench(f"{PLAYER_DUE}; unread; rule void by manager because nothing")
    assert (table.life, table.fates, table.state.shoe.out) == ("dealing", ["placed", "placed", "void"], 2)


def test_a_card_after_settlement_that_was_read_twice_is_void():
    table = bench(f"{NATURAL}; card 3D")
    assert table.state.fault.rulings == ("burn", "void")
    rule(table, "void")
    assert (table.life, table.state.shoe.out) == ("settled", 4)
    table.says("open")
    assert table.state.shoe.seen["3D"] == 1


def test_the_cards_of_a_settled_round_cannot_be_void():
    assert reason(bench(f"{NATURAL}; card 3D"), "void", "4") == "bad_draw"


def test_a_void_card_cannot_be_ruled_on_again():
    table = bench(f"{PLAYER_DUE}; unread; rule void by manager because nothing; press manager")
    assert reason(table, "correct", "3", "9H") == "bad_draw"


def test_void_readings_of_cancelled_rounds_do_not_count_as_seen():
    table = bench("open; close; card KC; card KC; rule void by manager because twice", settings=ONE_DECK)
    table.says("press manager; card 5H; rule cancel by manager because enough; shoe standby; open")
    assert table.state.shoe.seen == {"KC": 1, "5H": 1}


def test_a_void_card_stays_void_after_a_restart():
    table = holdem(f"{TWICE}; rule void by manager because twice; restart; rule resume by manager because ok")
    assert (table.life, table.state.shoe.out, table.fates[-1]) == ("dealing", 5, "void")
