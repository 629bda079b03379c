"""Bets are judged one by one: at the odds of their market and in their own betting window."""

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core.codes import BET
from controller.core.records.journal import DECIDING
from controller.games import GAMES
from controller.text.coded import render
from controller.text.faults import Words
from controller.text.refusals import refusal_message
from tests.core.bench import Bench
from tests.games.common_cards import GAME

BEFORE = 10  # `deciding` of old records
NEEDING = replace(
    GAMES["baccarat"],
    markets=tuple(replace(one, needs="player") if one.name == "tie" else one for one in GAMES["baccarat"].markets),
)


def at_seat(deciding: int | None = None, odds: str | None = None) -> Bench:
    """Place a seat's bet on a market with fixed odds, in a game with seats; return the table."""
    bench = Bench(GAME)
    bench.house = bench.house if deciding is None else replace(bench.house, deciding=deciding)
    bench.do(e.NewDeck(), e.Open(), e.PlaceBet("p1", "seat1 main", 1000, odds=odds))
    return bench


def test_a_seats_bet_is_paid_at_its_markets_fixed_odds():
    bench = at_seat()
    cards = ("2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC")
    bench.do(e.Close(), *map(e.CardOut, cards), e.KeyPressed("finish"))
    (bet,), (paid,) = bench.facts("bet_accepted"), bench.facts("paid")
    assert (bet.odds, paid.returned) == ("1.9", 1900)


@pytest.mark.parametrize(("odds", "kind"), [("1.9", "bet_accepted"), ("1.5", "bet_accepted"), ("2", "bet_refused")])
def test_odds_named_with_a_seats_bet_are_compared(odds, kind):
    assert at_seat(odds=odds).records[-1].kind == kind


def test_a_seats_bet_of_an_older_record_has_no_odds():
    assert at_seat(BEFORE).facts("bet_accepted")[0].odds is None


@pytest.mark.parametrize(("deciding", "left"), [(None, [("player", 1), ("tie", 1)]), (BEFORE, [("player", 1)])])
def test_withdrawing_a_bet_keeps_bets_of_earlier_windows(deciding, left):
    bench = Bench(NEEDING, {"betting_windows": 3})
    bench.house = bench.house if deciding is None else replace(bench.house, deciding=deciding)
    bench.says("open; bet p1 player 10.00; bet p1 tie 5.00; close; card 2C")
    assert (bench.life, bench.state.round.window) == ("betting", 2)
    bench.do(e.PlaceBet("p1", "player", 1000, window=2), e.WithdrawBet("p1", "player", window=2))
    assert [(str(bet.spot), bet.window) for bet in bench.state.round.bets.values()] == left


@pytest.mark.parametrize(("deciding", "reason"), [(DECIDING, "needs_bet"), (BEFORE, "needs_player")])
def test_a_bet_without_the_needed_one_has_a_listed_reason(deciding, reason):
    bench = Bench(NEEDING)
    bench.house = replace(bench.house, deciding=deciding)
    bench.do(e.Open(), e.PlaceBet("p1", "tie", 1000))
    (refused,) = bench.facts("bet_refused")
    assert (refused.reason, refused.reason in BET) == (reason, deciding == DECIDING)


def test_the_refusal_for_a_needed_bet_is_translated():
    message = refusal_message("needs_bet")
    texts = render(message), render(message, Words("ro").say)
    assert texts == ("it needs a bet on another market first", "cere întâi un alt pariu")
