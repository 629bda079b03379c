"""The game at a table: all that must be true of every table is true of it, and it gives back what is published."""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from three_card_poker import GAME, counted, strength

from controller.rules.cards import Card
from controller.testing import Judgement, PlayedRound, check_game

RANKS = "23456789TJQKA"


def named(cards: Sequence[Card]) -> str:
    """What three cards are called, found by looking at them: another way than the game's own."""
    ranks = "".join(sorted((card[0] for card in cards), key=RANKS.index))
    suited = len({card[1] for card in cards}) == 1
    if ranks in RANKS or ranks == "23A":
        return "Straight Flush" if suited else "Straight"
    kinds = len(set(ranks))
    return "Flush" if suited else {1: "3 of a Kind", 2: "Pair", 3: "High Card"}[kinds]


def worth(cards: Sequence[Card]) -> tuple[int, list[tuple[int, int]]]:
    """How good three cards are: what they are called, then ranks, those that come most often first."""
    order = ("High Card", "Pair", "Flush", "Straight", "3 of a Kind", "Straight Flush")
    ranks = [RANKS.index(card[0]) for card in cards]
    if named(cards).startswith("Straight") and {0, 12} <= set(ranks):
        ranks = [-1 if rank == 12 else rank for rank in ranks]  # the ace is below the two
    return order.index(named(cards)), sorted(((ranks.count(rank), rank) for rank in ranks), reverse=True)


def judge(played: PlayedRound) -> Judgement:
    """Who has won, and what that pays, by the rules as they are written on the layout."""
    ours, theirs, plays = played.cards["player"], played.cards["dealer"], "play" in played.decisions.values()
    pairs = {"Pair": 2, "Flush": 5, "Straight": 7, "3 of a Kind": 31, "Straight Flush": 41}
    returns = {who: {"pair_plus": Fraction(pairs.get(named(ours), 0))} for who in played.decisions}
    if not plays:
        return Judgement({"player": named(ours), "winner": None}, returns)
    qualified = named(theirs) != "High Card" or any(card[0] in "QKA" for card in theirs)
    higher = "push" if worth(ours) == worth(theirs) else "player" if worth(ours) > worth(theirs) else "dealer"
    winner = higher if qualified else "player"
    return Judgement({"player": named(ours), "qualified": qualified, "winner": winner}, returns)


def test_the_game_keeps_the_rules_of_a_table():
    assert check_game(GAME, oracle=judge) == {}  # and it has all texts in every language


def test_the_returns_are_those_that_are_published():
    returned = {one.market: round(float(100 * one.returned), 2) for one in counted()}
    assert returned == {market.name: float(market.published) for market in GAME.markets}


@pytest.mark.parametrize(
    ("better", "worse"),
    [("AS 2S 3S", "KC KD KH"), ("2C 2D 2H", "AS KC QD"), ("4C 3D 2S", "AC 3D 2S"), ("AC 3D 2S", "AC KC JC"),
     ("3C 5C 2C", "AC AD KD"), ("2C 2D 3H", "AC KD JH"), ("QC 3D 2H", "JC TD 8H")],
)  # fmt: skip
def test_a_straight_beats_a_flush_and_an_ace_is_high_or_low(better, worse):
    assert strength(better.split()) > strength(worse.split())
