"""Exact returns: from all ways a round can go, and from all hands of five cards."""

from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import combinations, combinations_with_replacement, permutations
from pkgutil import resolve_name

import pytest
from msgspec.structs import replace

from controller.games import GAMES, baccarat, thirty_two
from controller.lab.rtp import hands
from controller.lab.rtp.hands import (
    ALL,
    bonus,
    count_by_points,
    five_cards,
    four_faces,
    hand_dealer,
    insurance,
    insurance_return,
)
from controller.lab.rtp.rounds import SimulatedRound, decide_by_default, return_per_unit, start
from controller.lab.rtp.walks import WalkSum, all_ways, baccarat_from, market_returns, thirty_two_from
from controller.rules.cards import FULL_DECK, RANKS, Deck
from controller.rules.game import Game, Market, Prize
from controller.rules.poker import hand_name
from controller.rules.procedure import Deal, Hand, Outcome, Settings, deal


@pytest.mark.parametrize(
    "game", [game for game in GAMES.values() if game.counted is not None], ids=lambda game: game.name
)
def test_a_game_names_the_function_that_counts_its_returns(game):
    assert callable(resolve_name(game.counted.by))


class HigherRules(Settings, frozen=True):
    ranks: str = "234"


class Highest(Outcome, frozen=True):
    winner: str


def higher_card(_, __):
    """Deal one card each; the higher rank wins, and equal ranks are dealt once more."""
    one, other = Hand("one"), Hand("other")
    yield from deal(one, other)
    while one.cards[-1][0] == other.cards[-1][0]:
        yield from deal(one, other)
    return Highest("one" if one.cards[-1][0] > other.cards[-1][0] else "other")


HIGHER = Game(
    name="higher",
    version="1",
    places=("one", "other"),
    settings=HigherRules,
    deck=lambda rules: Deck((*(f"{rank}C" for rank in rules.ranks), "2D", "3D", "5C")),
    procedure=higher_card,
    outcome=Highest,
    markets=(Market("one"), Market("other")),
    pay=lambda outcome, stake: Fraction(2 if outcome.winner == stake.market else 0),
)
DECK = HIGHER.deck(HigherRules())


def by_rank(rank: str, _: object) -> str:
    return rank


def test_a_walk_over_ranks_counts_every_deck_order():
    """A walk over ranks gives the same returns as all orders of the deck, dealt one by one."""
    tally = WalkSum(HIGHER)
    for way, dealing in all_ways(start(HIGHER), DECK, by_rank):
        tally.add(dealing.outcome, way)
    won = Counter()
    for order in permutations(DECK.cards):
        cards = iter(order)
        won[SimulatedRound(start(HIGHER)(), lambda _, cards=cards: next(cards)).play(decide_by_default).winner] += 1
    assert tally.part() == (1, {name: Fraction(2 * won[name], won.total()) for name in ("one", "other")})


def test_a_walk_deals_cards_of_the_deck_and_none_twice():
    for way, _ in all_ways(start(HIGHER), DECK, by_rank):
        assert set(way.cards) <= set(FULL_DECK)
        assert len(set(way.cards)) == len(way.cards)


def test_a_walk_splits_into_one_part_per_first_rank():
    whole = Counter(way.ways for way, _ in all_ways(start(HIGHER), DECK, by_rank))
    cut = Counter(way.ways for first in "2345" for way, _ in all_ways(start(HIGHER), DECK, by_rank, first))
    assert whole == cut


def test_five_cards_are_all_hands_and_none_twice():
    classes = list(five_cards())
    assert sum(number for number, _ in classes) == ALL == 2_598_960
    assert len({frozenset(hand) for _, hand in classes}) == len(classes) == 134_459
    assert all(len(set(hand)) == 5 for _, hand in classes)


def test_five_cards_can_be_cut_into_parts():
    assert sum(number for part in range(5) for number, _ in five_cards(part, 5)) == ALL


def test_given_cards_go_to_their_places_others_are_drawn():
    draw = hand_dealer(["player", "board"], ["AS", "KS", "QS"])
    cards = {place: draw(Deal(place)) for place in ("player", "dealer", "board")}
    assert (cards["player"], cards["board"]) == ("AS", "KS")
    assert cards["dealer"] not in ("AS", "KS", "QS")


def hand_parts(monkeypatch, *ranks: str) -> list[int]:
    """Cut all hands so that each set of ranks is a part of its own; return the parts of these sets."""
    every = ["".join(some) for some in combinations_with_replacement(RANKS, 5)]
    monkeypatch.setattr(hands, "PARTS", len(every))
    return [every.index(some) for some in ranks]


def test_the_bonus_part_pays_for_each_hand_of_its_ranks(monkeypatch):
    straight, fours, aces, kings = hand_parts(monkeypatch, "TJQKA", "2222A", "234AA", "234KK")
    assert hands._bonus_part(straight) == {101: 4, 8: 1020}
    assert hands._bonus_part(fours) == {41: 4}
    assert hands._bonus_part(aces) == {8: 384}
    assert hands._bonus_part(kings) == {0: 384}


def test_the_insurance_part_pays_for_each_hand_of_its_ranks(monkeypatch):
    lowest, faces, none = hand_parts(monkeypatch, "2345A", "7JJQQ", "89TQQ")
    assert hands._insurance_part(lowest) == {
        (0, Prize(100_000)): 4, (1, Prize(1000)): 12, (3, Prize(1000)): 48, (5, Prize(200)): 12, (6, Prize(200)): 36,
        (9, Prize(100)): 48, (15, Fraction(0)): 864,
    }  # fmt: skip
    assert hands._insurance_part(faces) == {(47, Fraction(3)): 144}
    assert hands._insurance_part(none) == {(20, Fraction(0)): 24, (47, Fraction(0)): 360}


PARTS = {
    hands._bonus_part: lambda part: Counter([{Fraction(0): 10}, {Fraction(8): ALL - 10}][part]),
    hands._insurance_part: lambda part: Counter([{(0, Prize(100_000)): 10}, {(47, Fraction(0)): ALL - 10}][part]),
}


def test_the_parts_of_all_hands_are_added(monkeypatch):
    monkeypatch.setattr(hands, "spread", lambda part, numbers: [PARTS[part](number) for number in numbers])
    monkeypatch.setattr(hands, "PARTS", 2)
    assert hands.bonus() == Fraction(8 * (ALL - 10), ALL)
    assert hands.insurance() == {(0, Prize(100_000)): 10, (47, Fraction(0)): ALL - 10}


def test_a_walk_of_baccarat_counts_all_orders_of_seven_cards(monkeypatch):
    """Seven cards with pairs, two ranks of the same points as in a full deck, naturals and third cards."""
    cards = ("2C", "2D", "6C", "TS", "TC", "KD", "KH")
    game = replace(baccarat.GAME, deck=lambda _: Deck(cards))
    monkeypatch.setattr(baccarat, "GAME", game)
    parts = [baccarat_from(rank) for rank in dict.fromkeys(card[0] for card in cards)]
    won, orders = Counter(), list(permutations(cards, 6))
    for order in orders:
        dealt = iter(order)
        outcome = SimulatedRound(start(game)(), lambda _, dealt=dealt: next(dealt)).play(decide_by_default)
        won.update({market.name: return_per_unit(game, market, outcome, ()) for market in game.markets})
    assert sum(chance for chance, _ in parts) == 1
    found = {name: sum(added[name] for _, added in parts) for name in won}
    assert found == {name: Fraction(total, len(orders)) for name, total in won.items()}


# ── all cases, counted a second way ──────────────────────────────────────────────────────────────────────────────


@pytest.mark.proof
@pytest.mark.timeout(0)
def test_32_card_tied_hands_win_equally_at_any_redraw_depth():
    game = thirty_two.GAME
    at_once, later, last = (market_returns(game, partial(thirty_two_from, redraws=number)) for number in (0, 1, 2))
    assert at_once == later == last


@pytest.mark.proof
@pytest.mark.timeout(0)
def test_baccarat_returns_what_the_chances_of_its_odds_give():
    """The expected figure is computed without walking a round: see controller/rules/baccarat_odds.py."""
    chances = baccarat.COUP.chances(dict.fromkeys(FULL_DECK, 6), [])
    expected = {
        market.name: chances[market.name].won * Fraction(market.odds) + chances[market.name].stake_back
        for market in baccarat.GAME.markets
    }
    assert market_returns(baccarat.GAME, baccarat_from) == expected


@pytest.mark.proof
@pytest.mark.timeout(0)
def test_the_bonus_return_equals_a_count_of_all_hands():
    pays = {"Royal Flush": 100, "Straight Flush": 50, "4 of a Kind": 40, "Full House": 30, "Flush": 20}
    pays |= dict.fromkeys(("Straight", "3 of a Kind", "2 Pairs"), 7)
    total = 0
    for hand in combinations(FULL_DECK, 5):
        name = hand_name(list(hand))
        aces = sum(card[0] == "A" for card in hand)
        total += 1 + pays[name] if name in pays else 8 * (name == "1 Pair" and aces == 2)
    assert bonus() == Fraction(total, ALL)
    assert round(float(100 * bonus()), 4) == 93.7417


@pytest.mark.proof
@pytest.mark.timeout(0)
def test_rhum_32_has_the_known_hands_per_pay_line():
    hands = insurance()
    assert count_by_points(hands) == {
        "A-5 suited": 4, "0": 32, "1-3": 2_452, "4-7": 12_088, "8-11": 27_408, "12-17": 74_972, "18-32": 1_188_044,
        "over 32": 1_293_960,
    }  # fmt: skip
    assert four_faces(hands) == {"47": 1_440, "48": 1_440, "49": 1_440, "50": 1_644}
    prizes = 4 * 100_000 + 32 * 5_000 + 2_452 * 1_000 + 12_088 * 200 + 27_408 * 100
    multiples = 1_440 * (3 + 4 + 7) + 1_644 * 8
    staked = 4 + 32 + 2_452 + 12_088 + 27_408
    assert insurance_return(hands, Fraction(5)) == Fraction(prizes, 5 * ALL) + Fraction(staked + multiples, ALL)
