"""Simulated round: the cards that are dealt, and what is returned for each unit staked."""

import random
from collections import Counter
from fractions import Fraction
from itertools import permutations
from types import SimpleNamespace

import pytest

from controller.games import GAMES
from controller.lab.rtp.rounds import (
    PLAYER,
    SimulatedRound,
    SimulatedShoe,
    decide_by_default,
    market_of,
    option_decider,
    return_in_units,
    return_per_unit,
    start,
)
from controller.rules.cards import FULL_DECK, Deck
from controller.rules.dealing import OutOfOrder
from controller.rules.game import FollowOn, Prize


def test_a_shoe_deals_every_order_as_often():
    shoe, orders = SimulatedShoe(Deck(("2C", "3C", "4C")), random.Random(1)), Counter()
    for _ in range(6000):
        shoe.fill()
        orders[tuple(shoe.draw() for _ in range(3))] += 1
    assert set(orders) == set(permutations(("2C", "3C", "4C")))
    assert all(850 < times < 1150 for times in orders.values())  # five standard deviations around 1000


def test_a_shoe_of_eight_decks_holds_every_card_eight_times():
    shoe = SimulatedShoe(Deck(FULL_DECK, copies=8), random.Random(1))
    shoe.fill()
    assert set(Counter(shoe.draw() for _ in range(416)).values()) == {8}


def test_a_shoe_deals_no_card_that_is_on_the_table():
    shoe = SimulatedShoe(Deck(FULL_DECK), random.Random(1))
    for _ in range(3):
        shoe.fill(["AS", "KD", "2C"])
        assert {shoe.draw() for _ in range(49)} == set(FULL_DECK) - {"AS", "KD", "2C"}


def round_of(game: str, cards: str) -> SimulatedRound:
    """Return a round of a game that is dealt these cards."""
    coming = iter(cards.split())
    return SimulatedRound(start(GAMES[game])(), lambda _: next(coming))


def test_a_strategy_sees_only_face_up_cards():
    round_ = round_of("casino_holdem", "KS KD 5C 5D 2H 7S 9D")
    assert round_.next_decision() is not None
    assert dict(round_.seen) == {"player": ["KS", "KD"], "board": ["2H", "7S", "9D"]}
    assert [card for card, face_up in round_.laid if not face_up] == ["5C", "5D"]


@pytest.mark.parametrize(("option", "decided"), [("call", "call"), ("raise", "fold")])
def test_an_option_not_offered_is_left_for_the_default(option, decided):
    ask = round_of("casino_holdem", "KS KD 5C 5D 2H 7S 9D").next_decision()
    assert option_decider(option)(ask, {}) == {PLAYER: decided}


def test_a_decision_that_is_not_offered_is_refused():
    round_ = round_of("casino_holdem", "KS KD 5C 5D 2H 7S 9D")
    round_.next_decision()
    with pytest.raises(OutOfOrder):
        round_.decide({"player": "raise"})


def comes_back(game: str, market: str, cards: str, decisions: str = "") -> Fraction:
    """Return what one unit gets back; `decisions`: in the order in which they are asked for."""
    answers, round_ = iter(decisions.split()), round_of(game, cards)
    outcome = round_.play(lambda ask, _: {who: next(answers) for who in ask.who})
    return return_per_unit(GAMES[game], market_of(GAMES[game], market), outcome, round_.made)


@pytest.mark.parametrize(
    ("cards", "decisions", "expected"),
    [
        ("TC 9C TD 8D", "stand", 2),
        ("TC 8C TD 8D", "stand", 1),
        ("TC 7C TD 8D", "stand", 0),
        ("AC TC TD 8D", "", Fraction(5, 2)),
        ("6C 5C TD 8D TH", "double", 3),
        ("6C 5C TD 8D 2H", "double", -1),
        ("8C 8D TD 8H TH TS", "split stand stand", 1),  # 18 and 18 against 18
        ("8C 8D TD 8H 3H TS TC", "split double stand", 3),  # 21 with two units, 18 with one
        ("8C 8D TD 9H TH TS", "split stand stand", -1),
        ("TC 9C AD TD", "insure", 1),  # half a unit wins one, the other is lost
        ("TC 9C AD 7D", "insure stand", Fraction(3, 2)),
    ],
)
def test_blackjack_decision_stakes_count_in_units_of_the_bet(cards, decisions, expected):
    assert comes_back("blackjack", "main", cards, decisions) == expected


@pytest.mark.parametrize(
    ("player", "dealer", "decision", "expected"),
    [("KS KD", "5C 5D", "call", 4), ("KS KD", "5C 5D", "fold", 0), ("5C 5D", "KS KD", "call", -2)],
)
def test_the_hold_em_call_counts_in_units_of_the_ante(player, dealer, decision, expected):
    assert comes_back("casino_holdem", "ante", f"{player} {dealer} 2H 7S 9D JC 3H", decision) == expected


def test_in_rhum_32_the_play_bet_counts_with_the_ante():
    cards = "2H 3H 4H 9C AC AD 5C 6C 9H 7D"  # 18 points against 20
    assert comes_back("rhum32", "ante", cards, "raise") == 4
    assert comes_back("rhum32", "tie", cards, "raise") == 0
    assert comes_back("rhum32", "tie", "2H 3H 4H 9C AC AD 5C 6C 9H 5D", "raise") == 21


def test_a_prize_is_worth_less_the_more_is_staked():
    assert return_in_units(Prize(100), Fraction(5)) == 21
    assert return_in_units(Prize(100), Fraction(20)) == 6
    assert return_in_units(Fraction(3), Fraction(20)) == 3


def test_a_player_without_a_decision_gets_the_default():
    assert round_of("casino_holdem", "KS KD 5C 5D 2H 7S 9D").play(decide_by_default).record()["decisions"] == {
        "player": "fold"
    }


def test_a_prize_for_a_later_stake_is_divided_by_it():
    pays = {"ante": Fraction(1), "call": Prize(100)}
    game = SimpleNamespace(
        seats=(),
        follow_ons={"call": FollowOn("call", "ante", Fraction(2))},
        pay=lambda _, stake: pays[stake.market],
    )
    ante = market_of(GAMES["casino_holdem"], "ante")
    assert return_per_unit(game, ante, None, [("p1", "call")], Fraction(5)) == 1 + 2 * Fraction(100, 2 * 5)
