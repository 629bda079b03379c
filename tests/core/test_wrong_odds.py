"""Bets at odds of a misread card: none counts silently, none is worth more than the sheet allows."""

from decimal import Decimal
from fractions import Fraction
from itertools import permutations

import pytest
from msgspec.structs import replace

from controller.core.odds import count_unseen
from controller.core.records.journal import NAMING
from controller.games.baccarat import COUP, GAME
from controller.rules.cards import FULL_DECK

from .bench import Bench

MARKETS = [market.name for market in GAME.markets]
MARGIN = Fraction(1, 20)
WHY = 'by manager because "misread"'
SECOND = "open; close; card KC; bet a player 100.00"  # the second window; Player's first card is dealt


def three(wrong_odds="withdraw", **rules):
    return Bench("baccarat", {"betting_windows": 3, **rules}, wrong_odds=wrong_odds)


def bets(table):
    return {table.bet_name(name): (bet.stake, bet.odds) for name, bet in table.state.round.bets.items()}


def stakes_by_bet(table, kind):
    return [(table.bet_name(what.bet), what.stake) for what in table.facts(kind)]


# ── by the table's setting ───────────────────────────────────────────────────────────────────────────────────────


def test_misread_odds_return_the_bet_and_reopen_the_window():
    table = three()
    table.says(f"{SECOND}; press manager; rule correct 1 9C {WHY}; bet b player 100.00")
    assert stakes_by_bet(table, "bet_withdrawn") == [("a player", 10000)]
    assert bets(table) == {"b player": (10000, "1.52")}
    (ruled,) = table.facts("ruled")
    (price,) = ruled.touched.odds
    assert (ruled.choice, price.was, price.right, tuple(map(table.bet_name, price.bets)), price.total) == (
        "withdraw", "2.07", "1.52", ("a player",), 10000,
    )  # fmt: skip


def test_with_lower_set_a_bet_stands_at_the_lower_odds():
    table = three("lower")
    table.says(f"{SECOND}; bet c banker 50.00; press manager; rule correct 1 9C {WHY}; bet b player 100.00")
    assert bets(table) == {"a player": (10000, "1.52"), "b player": (10000, "1.52"), "c banker": (5000, "1.73")}
    (repriced,) = table.facts("bet_repriced")
    assert (table.bet_name(repriced.bet), repriced.was, repriced.odds) == ("a player", "2.07", "1.52")
    assert table.facts("ruled")[0].choice == "stand"
    table.says("close; card 2D; close; card KH; card 3S")
    assert {table.bet_name(paid.bet): paid.returned for paid in table.facts("paid")} == {
        "a player": 15200, "b player": 15200, "c banker": 0,
    }  # fmt: skip


def test_a_closed_window_does_not_keep_its_wrong_odds():
    table = three()
    table.says(f"{SECOND}; close; card 2D; bet b tie 1.00; close; press manager; rule correct 1 9C {WHY}")
    assert stakes_by_bet(table, "bet_withdrawn") == [("a player", 10000), ("b tie", 100)]
    assert {price.window for price in table.facts("ruled")[0].touched.odds} == {2, 3}


def test_a_bet_placed_before_the_card_is_kept():
    table = three()
    table.says(f"open; bet a player 1.00; close; card KC; press manager; rule correct 1 9C {WHY}")
    assert list(bets(table)) == ["a player"]
    assert table.facts("ruled")[0].touched.odds == ()


def test_a_correction_without_new_odds_keeps_bets_and_window():
    table = three()
    table.says(f"{SECOND}; wait 5s; press manager; rule correct 1 KD {WHY}")
    assert list(bets(table)) == ["a player"]
    assert table.state.deadline - table.now == 10_000_000
    assert table.facts("ruled")[0].choice is None


def test_the_shift_manager_may_override_the_wrong_odds_setting_once():
    stand, withdraw = three(), three("lower")
    for table, choice in ((stand, "stand"), (withdraw, "withdraw")):
        table.says(f"{SECOND}; press manager; rule correct 1 9C touched {choice} {WHY}")
        assert table.facts("ruled")[0].choice == choice
    assert bets(stand) == {"a player": (10000, "1.52")}
    assert bets(withdraw) == {}


def test_cancelling_for_wrong_odds_records_the_correction_and_refunds_all():
    table = three()
    table.says(f"{SECOND}; press manager; rule correct 1 9C touched cancel {WHY}")
    assert (table.life, stakes_by_bet(table, "refunded")) == ("cancelled", [("a player", 10000)])
    assert (table.facts("ruled")[0].choice, table.state.round.draws[0].card) == ("cancel", "9C")


def test_asking_anew_is_no_choice_where_nobody_has_decided():
    table = three()
    table.says(f"{SECOND}; press manager; rule correct 1 9C touched anew {WHY}")
    assert (table.facts("ruling_refused")[0].reason, list(bets(table))) == ("not_allowed", ["a player"])


def test_a_market_not_offered_at_true_odds_returns_the_stake():
    table = three("lower", decks=1)
    table.says("shoe change; card 9D; card 9H; card 9S; shoe ready; open; close; card KC; bet a player_pair 1.00")
    table.says(f"press manager; rule correct 1 9C {WHY}")
    assert stakes_by_bet(table, "bet_withdrawn") == [("a player_pair", 100)]


@pytest.mark.parametrize("setting", ["withdraw", "lower"])
def test_bets_on_a_card_that_is_taken_away_go_back(setting):
    table = three(setting)
    table.says(f"{SECOND}; press dropped; rule burn 1 {WHY}")
    assert (table.life, stakes_by_bet(table, "bet_withdrawn")) == ("dealing", [("a player", 10000)])


def test_card_corrected_back_leaves_bets_at_their_own_odds():
    table = three("lower")
    table.says(f"{SECOND}; press manager; rule correct 1 9C {WHY}; bet b player 1.00")
    table.says(f"press manager; rule correct 1 KC {WHY}")
    assert bets(table) == {"a player": (10000, "2.07"), "b player": (100, "1.52")}


SWAPPED = (  # the first two cards were read in the wrong order: small and any_pair are as likely either way
    "open; close; card KC; close; card 9D; bet a small 1.00; bet a any_pair 1.00; bet a player 1.00; close; "
    "card 2C; card 3D; card 4H; card 5S"
)


@pytest.mark.parametrize("setting", ["withdraw", "lower"])
@pytest.mark.parametrize(
    ("corrections", "wrong"),
    [("correct 1 9D and correct 2 KC", ["a player"]), ("correct 1 9D and correct 1 KC and correct 4 4D", [])],
)
def test_odds_are_judged_once_after_all_corrections(setting, corrections, wrong):
    table, older = three(setting), three(setting)
    older.house = replace(older.house, deciding=NAMING - 1)
    for one in (table, older):
        one.says(f"{SWAPPED}; resettle 1 {corrections} by m with n because x")
    (movements, before) = (one.facts("resettled")[0].movements for one in (table, older))
    returned = [f"a {one.market}" for one in movements if one.now == one.stake]
    assert returned == (wrong if setting == "withdraw" else [])
    assert all(one.now == one.stake for one in before) or setting == "lower"


def test_bets_without_right_odds_do_not_take_back_the_others():
    table = three("lower")
    table.says(f"{SECOND}; close; card 7S; bet b player 1.00; close; card KD; card KS; card 2H")
    table.says("resettle 1 correct 1 8C and void 2 by m with n because x")
    (resettled,) = table.facts("resettled")
    assert {table.bet_name(one.bet): one.now for one in resettled.movements} == {"a player": 15800, "b player": 100}


def test_a_repriced_bet_keeps_its_odds_after_a_restart():
    table = three("lower")
    table.says(f"{SECOND}; press manager; rule correct 1 9C {WHY}; restart; rule resume {WHY}")
    assert bets(table) == {"a player": (10000, "1.52")}


# ── what a bet is worth ──────────────────────────────────────────────────────────────────────────────────────────


def worth_at_most_the_sheets(read, true, wrong_odds):
    """Assert that no bet before a card, on it or after its correction is worth more than the sheet says."""
    table = three(wrong_odds)
    everything = [f"bet {{}} {market} 10.00" for market in MARKETS]
    for who, says in (
        ("a", "open"),
        ("b", f"close; card {read}"),
        ("c", f"press manager; rule correct 1 {true} {WHY}"),
    ):
        table.says("; ".join([says, *(one.format(who) for one in everything)]))
    deck = table.house.deck
    chances = COUP.chances(count_unseen(table.state, deck), [true])
    first = COUP.chances(dict.fromkeys(deck.cards, deck.copies), [])
    for bet in table.state.round.bets.values():
        chance = (first if bet.player == "a" else chances)[bet.spot.market]
        assert Fraction(Decimal(bet.odds)) * chance.won + chance.stake_back <= 1 - MARGIN, bet
    table.says("close; card 2D; close; card 3D; card 4D; card 5D; card 6D")
    assert table.life == "settled" or table.fault == "extra_card"
    staked = sum(what.stake for what in table.facts("bet_accepted"))
    assert staked == sum(what.stake for kind in ("bet_withdrawn", "paid") for what in table.facts(kind))


VALUES = [card for card in FULL_DECK if card[1] == "C"]


@pytest.mark.parametrize("wrong_odds", ["withdraw", "lower"])
@pytest.mark.parametrize(("read", "true"), [("KC", "9C"), ("9C", "KC"), ("6C", "7C"), ("AC", "QC"), ("KC", "KD")])
def test_no_bet_after_a_corrected_first_card_exceeds_the_sheet(read, true, wrong_odds):
    worth_at_most_the_sheets(read, true, wrong_odds)


@pytest.mark.proof
@pytest.mark.timeout(0)
@pytest.mark.parametrize("wrong_odds", ["withdraw", "lower"])
def test_no_misread_of_the_first_card_exceeds_the_sheets_return(wrong_odds):
    for read, true in [*permutations(VALUES, 2), *((card, card[0] + "D") for card in VALUES)]:  # suits have no effect
        worth_at_most_the_sheets(read, true, wrong_odds)
