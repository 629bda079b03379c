"""Account of a shoe: the cards that left it, the deck it is compared with, the cards burnt from it."""

import pytest
from msgspec.structs import replace

from controller.core.decide.shoe_change import shoe_step
from controller.games import GAMES
from controller.rules.cards import FULL_DECK, Deck
from tests.core.bench import Bench, kinds

BEFORE = 10  # `deciding` of old records
ROUND = "open; close; card 9C; card 2D; card KC; card 3D"  # player 9, banker 5: done after four cards
CARRY = "rule carry seen no by m because surplus"
DEALT = ("9C", "2D", "KC", "3D", "7H")  # the last one is carried
ONE_DECK = {"decks": 1, "change_below": 6}


def carrying(deciding=None, then=""):
    """Return a table with a shoe of one deck, where 7H is carried over from the first round."""
    table = Bench("baccarat", ONE_DECK, carry=True)
    table.house = table.house if deciding is None else replace(table.house, deciding=deciding)
    table.says(f"{ROUND}; card 7H; {CARRY}; {then}")
    assert table.state.carried == "7H"
    return table


def ended(table):
    return table.facts("shoe_ended")[-1]


def read_out(*without):
    """Return lines that read out the rest of the deck, except the cards `without`, and end the shoe."""
    return "; ".join(["shoe readout", *(f"card {card}" for card in FULL_DECK if card not in without), "shoe change"])


@pytest.mark.parametrize("then", ["", "restart", "open; restart; rule cancel by m because x"])
@pytest.mark.parametrize(("deciding", "missing"), [(None, {}), (BEFORE, {"7H": 1})])
def test_a_carried_card_never_dealt_is_in_the_account(then, deciding, missing):
    table = carrying(deciding, then)
    table.says(read_out(*DEALT))
    assert (ended(table).missing, ended(table).surplus, ended(table).unaccounted) == (missing, {}, 0)
    assert table.state.carried is None


def test_a_restart_while_reading_out_keeps_the_carried_card():
    table = carrying()
    half, rest = FULL_DECK[:26], FULL_DECK[26:]
    lines = [[f"card {card}" for card in cards if card not in DEALT] for cards in (half, rest)]
    table.says("; ".join(["shoe readout", *lines[0], "restart", "shoe readout", *lines[1], "shoe ready"]))
    assert ended(table).missing == {}


def test_a_second_copy_of_a_carried_card_is_surplus():
    table = carrying()
    table.says(read_out(*DEALT[:4]))
    assert (ended(table).missing, ended(table).surplus, ended(table).unaccounted) == ({}, {"7H": 1}, -1)


def test_a_carried_card_that_was_dealt_counts_once():
    table = carrying(then="open")
    table.says("close; card 9S; card 2S; card 3S")  # the seven of hearts is dealt first: player 9, banker 5
    assert table.state.carried is None
    table.says(read_out(*DEALT, "9S", "2S", "3S"))
    assert (ended(table).missing, ended(table).surplus, ended(table).unaccounted) == ({}, {}, 0)


def test_a_carried_card_does_not_count_for_the_next_shoe():
    table = carrying()
    table.says("shoe change; shoe ready")
    first = ended(table)
    table.says(read_out())
    assert (first.dealt, ended(table).dealt, ended(table).missing) == (5, 0, {})


@pytest.mark.parametrize(("deciding", "suspect"), [(None, True), (BEFORE, False)])
def test_a_second_copy_of_a_waiting_card_is_suspect(deciding, suspect):
    table = carrying(deciding, "card 7H")
    assert (table.fault, table.state.fault.suspect) == ("extra_card", suspect)


# ── another deck in the config ───────────────────────────────────────────────────────────────────────────────────


def changed(table, **settings):
    """Restart the table with other settings in its config; return it."""
    table.house = replace(table.house, settings=replace(table.house.settings, **settings))
    table.restart()
    return table


@pytest.mark.parametrize(
    ("deciding", "missing"), [(None, {}), (BEFORE, dict.fromkeys(FULL_DECK, 7))], ids=["now", "before"]
)
def test_a_shoe_is_accounted_for_by_its_own_deck(deciding, missing):
    table = Bench("baccarat", ONE_DECK)
    table.house = table.house if deciding is None else replace(table.house, deciding=deciding)
    table.says(ROUND)
    changed(table, decks=8)
    table.says(read_out(*DEALT[:4]))
    assert (ended(table).missing, ended(table).surplus, ended(table).unaccounted) == (missing, {}, 0)


def test_a_shoe_of_more_decks_has_nothing_surplus_later():
    table = Bench("baccarat", {"decks": 8})
    table.says(f"{ROUND}; {ROUND}")
    changed(table, decks=1, change_below=6)
    table.says("shoe change")
    assert ended(table).surplus == {}


@pytest.mark.parametrize(("deciding", "suspects"), [(None, 0), (BEFORE, 1)])
def test_equal_cards_of_a_larger_shoe_are_not_suspect(deciding, suspects):
    table = Bench("baccarat", {"decks": 8})
    table.house = table.house if deciding is None else replace(table.house, deciding=deciding)
    table.says("open; close; card 9C; card 2D; card 9C")
    changed(table, decks=1, change_below=6)
    table.says("rule cancel by m because x")
    assert len(table.facts("deck_suspect")) == suspects


@pytest.mark.parametrize(("deciding", "suspects"), [(None, 1), (BEFORE, 0)])
def test_a_double_of_a_smaller_shoe_stays_suspect(deciding, suspects):
    table = Bench("baccarat", ONE_DECK)
    table.house = table.house if deciding is None else replace(table.house, deciding=deciding)
    table.says("open; close; card 9C; card 9C")
    assert table.fault == "duplicate_card"
    changed(table, decks=8)
    table.says("rule cancel by m because x")
    assert len(table.facts("deck_suspect")) == suspects


def test_a_card_after_the_round_is_judged_by_its_shoe():
    table = Bench("baccarat", ONE_DECK)
    table.says(ROUND)
    changed(table, decks=8)
    table.says("card 9C")
    assert (table.fault, table.state.fault.suspect) == ("extra_card", True)


def test_a_shoe_of_another_game_keeps_its_own_deck():
    pairs = replace(GAMES["baccarat"], name="pairs", family="baccarat", deck=lambda _: Deck(FULL_DECK[:26]))
    table = Bench("baccarat", ONE_DECK)
    table.says(ROUND)
    table.house = replace(table.house, game=pairs)
    table.restart()
    table.says(read_out(*DEALT[:4]))
    assert (ended(table).missing, ended(table).surplus) == ({}, {})


# ── the number of cards to burn ──────────────────────────────────────────────────────────────────────────────────


def burning(says, deciding=None):
    """Return a table with a new, cut shoe, after `says`; the first card sets how many must be burnt."""
    table = Bench(burn="first_card")
    table.house = table.house if deciding is None else replace(table.house, deciding=deciding)
    table.says(f"shoe change; shoe cut; {says}")
    return table


@pytest.mark.parametrize("between", ["", "restart"])
@pytest.mark.parametrize(("burnt", "step"), [(1, "burn"), (2, "ready"), (7, "ready"), (11, "ready"), (12, "burn")])
def test_an_unread_first_card_counts_one_to_ten(burnt, step, between):
    more = ["card 2C", "unread", "card 9D"] * 4
    table = burning("; ".join(["unread", *([between] if between else []), *more[: burnt - 1]]))
    assert (table.state.shoe.burnt, shoe_step(table.house, table.state)) == (burnt, step)
    table.says("shoe ready")
    assert table.state.shoe.changing is (step == "burn")


def test_the_second_card_burnt_does_not_stand_for_the_first():
    assert kinds(burning("unread; card 2C").says("press ready"))[-1] == "shoe_ready"
    assert kinds(burning("unread; card 2C", BEFORE).says("press ready")) == ["ignored"]
    assert kinds(burning("unread; card 2C; card 9D", BEFORE).says("press ready"))[-1] == "shoe_ready"
    assert kinds(burning("unread", BEFORE).says("press ready"))[-1] == "shoe_ready"


def test_a_later_unread_card_leaves_the_first_to_count():
    table = burning("card 2C; unread; shoe ready")
    assert table.state.shoe.changing
    table.says("unread; shoe ready")
    assert not table.state.shoe.changing


def test_another_shoe_forgets_the_unread_first_card():
    table = burning("unread; shoe change; shoe cut; card AC; shoe ready")
    assert table.state.shoe.changing
    table.says("card AD; shoe ready")
    assert (table.state.shoe.changing, table.state.shoe.first_unread) == (False, False)
