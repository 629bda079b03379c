"""Reasons that games give for draws and payments: each card has exactly one, as the sheet says."""

from random import Random
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from controller.games import GAMES
from controller.rules.dealing import Dealing, as_answer
from controller.rules.face import BetPlace, DealtRound
from controller.rules.procedure import Ask, Deal, Participants
from controller.text.faults import Words
from controller.text.naming import phrase

EXPLAINED = {name: game for name, game in GAMES.items() if game.face.reasons}
SAY = Words("en")


def some_settings(game, random):
    """Choose each setting that has a few values at random; the others are the usual ones."""
    kinds = get_type_hints(game.settings)
    values = {name: (False, True) if kind is bool else get_args(kind) for name, kind in kinds.items()}
    few = [name for name, kind in kinds.items() if kind is bool or get_origin(kind) is Literal]
    return game.settings(**{name: random.choice(values[name]) for name in few})


def played(game, random):
    """Play a random round; return its settings, cards, decisions and outcome, as reasons need them."""
    settings = some_settings(game, random)
    seats = game.seats[: random.randint(1, 3)]
    dealing = Dealing(game.procedure(settings, Participants(("p1", "p2"), seats)))
    deck = game.deck(settings)
    shoe = list(deck.cards) * deck.copies
    random.shuffle(shoe)
    hands, decisions = {}, {}
    while (due := dealing.due) is not None:
        choice = None
        if isinstance(due, Deal):
            choice = shoe.pop()
            hands.setdefault(due.to, []).append(choice)
        elif isinstance(due, Ask):
            choice = {who: random.choice(due.options) for who in due.who}
            for who, decision in choice.items():
                decisions.setdefault(who, []).append(decision)
                if decision == "split":
                    hands[who + ".2"] = [hands[who].pop()]
        dealing.answer(as_answer(due, choice))
    return DealtRound(settings, hands, decisions, dealing.outcome.record())


@pytest.mark.parametrize("game", EXPLAINED.values(), ids=EXPLAINED.keys())
def test_each_card_has_exactly_one_reason(game):
    random = Random(game.name)
    for _ in range(400):
        dealt = played(game, random)
        explained = [(one.place, one.card) for one in game.face.reasons.draws(dealt) if one.card]
        lying = [(place, number) for place, cards in dealt.hands.items() for number in range(1, len(cards) + 1)]
        assert sorted(explained) == sorted(lying)


@pytest.mark.parametrize("game", EXPLAINED.values(), ids=EXPLAINED.keys())
def test_each_bet_has_a_reason_with_its_clause(game):
    random = Random(game.name)
    markets = [market.name for market in game.markets] + [one.market for one in game.follow_ons.values()]
    for _ in range(400):
        dealt = played(game, random)
        for market in markets:
            seat = game.seats[0] if game.seats else None
            if market == "split" and f"{seat}.2" not in dealt.hands:
                continue
            reason = game.face.reasons.payment(dealt, BetPlace("p1", market, seat))
            assert reason.clause
            assert phrase(reason.said, SAY)


@pytest.mark.parametrize("game", EXPLAINED.values(), ids=EXPLAINED.keys())
def test_a_broken_round_is_explained_as_far_as_it_went(game):
    random = Random(game.name)
    for _ in range(200):
        dealt = played(game, random)
        cards = [(place, card) for place, hand in dealt.hands.items() for card in hand]
        left = {}
        for place, card in cards[: random.randint(0, len(cards))]:
            left.setdefault(place, []).append(card)
        broken = DealtRound(dealt.settings, left, dealt.decisions)
        assert all(one.card <= len(left[one.place]) for one in game.face.reasons.draws(broken) if one.card)
        assert game.face.reasons.payment(broken, BetPlace("p1", game.markets[0].name, "seat1")) is None


def draw_reasons(player, banker):
    game = GAMES["baccarat"]
    hands = {"player": player.split(), "banker": banker.split()}
    reasons = list(game.face.reasons.draws(DealtRound(game.settings(), hands)))
    return [(one.place, one.card, one.reason.clause, phrase(one.reason.said, SAY)) for one in reasons][4:]


def test_banker_with_3_stands_on_an_8():
    assert draw_reasons("2S 3H 8D", "KC 3S") == [
        ("player", 3, "2.6", "PLAYER has 5: draws"),
        ("banker", 0, "2.6", "BANKER has 3, the third card of PLAYER is 8♦: stands"),
    ]


def test_banker_draws_beside_a_standing_player():
    assert draw_reasons("2S 4H", "KC 3S 9H") == [
        ("player", 0, "2.6", "PLAYER has 6: stands"),
        ("banker", 3, "2.7.2", "BANKER has 3, PLAYER has 6: draws"),
    ]


def test_a_natural_ends_the_draws():
    assert [one[2:] for one in draw_reasons("2S 4H", "KC 9S")] == [
        ("2.7.1", "BANKER has 9 with two cards, a natural: no more cards are dealt")
    ]


@pytest.mark.parametrize(
    ("hands", "said"),
    [
        ({"seat1": ["AS", "KH"], "dealer": ["AD", "KC"]}, "SEAT 1 has blackjack, DEALER has blackjack"),
        ({"seat1": ["TS", "6C", "KH"], "dealer": ["9H", "8D"]}, "SEAT 1 has 26, more than 21: bust"),
        ({"seat1": ["TS", "6C", "2H"], "dealer": ["9H", "8D"]}, "SEAT 1 has 18, DEALER has 17"),
    ],
)
def test_the_reason_for_a_payment_says_what_the_hands_have(hands, said):
    """A hand above 21 loses whatever the dealer has, so its reason names no other hand."""
    game = GAMES["blackjack"]
    dealing = Dealing(game.procedure(game.settings(), Participants(("p1",), ("seat1",))))
    cards = {place: iter(cards) for place, cards in hands.items()}
    lying = dict.fromkeys(hands, 0)
    while (due := dealing.due) is not None:
        choice = None
        if isinstance(due, Deal):
            choice = next(cards[due.to])
            lying[due.to] += 1
        elif isinstance(due, Ask):
            hit = "hit" in due.options and lying["seat1"] < len(hands["seat1"])
            choice = dict.fromkeys(due.who, "hit" if hit else due.default)
        dealing.answer(as_answer(due, choice))
    dealt = DealtRound(game.settings(), hands, {}, dealing.outcome.record())
    reason = game.face.reasons.payment(dealt, BetPlace("p1", "main", "seat1"))
    assert phrase(reason.said, SAY) == said


@pytest.mark.parametrize(
    ("decisions", "said"),
    [
        (("hit", "hit", "stand"), ["SEAT 1 has 5: hit", "SEAT 1 has 9: hit"]),
        (("hit", "stand"), ["SEAT 1 has 5: hit"]),
        (("double",), ["SEAT 1 has 5: doubled"]),
    ],
)
def test_a_further_card_of_blackjack_says_who_asked_for_it(decisions, said):
    game, cards = GAMES["blackjack"], ["2S", "3H", "4D", "6C"][: 2 + len(said)]
    dealt = DealtRound(game.settings(), {"seat1": cards, "dealer": ["9D"]}, {"seat1": list(decisions)}, {})
    drawn = [one for one in game.face.reasons.draws(dealt) if one.place == "seat1"]
    assert [phrase(one.reason.said, SAY) for one in drawn[2:]] == said


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ("AD AH 9S", "The first five cards: three of a kind"),
        ("AD 9S JS", "The first five cards: a pair of aces"),
        ("2S 9S JS", "The first five cards: flush"),
        ("2D 9S JS", "The first five cards: high card, below two aces"),
    ],
)
def test_a_holdem_bonus_names_its_first_five_cards(board, said):
    game = GAMES["casino_holdem"]
    dealt = DealtRound(game.settings(), {"player": ["AS", "KS"], "board": board.split()}, {}, {"decisions": {}})
    assert phrase(game.face.reasons.payment(dealt, BetPlace("p1", "bonus")).said, SAY) == said


def test_rhum_deals_four_cards_to_each_place():
    game = GAMES["rhum32"]
    hands = {"seat1": ["AS", "KH", "7D", "8D"], "dealer": ["AD", "KC", "7S", "8S"]}
    reasons = list(game.face.reasons.draws(DealtRound(game.settings(), hands)))
    assert {(one.reason.clause, phrase(one.reason.said, SAY)) for one in reasons} == {
        ("2", "Four cards to each seat and to DEALER"),
    }  # fmt: skip


def test_a_card_that_never_came_has_no_reason():
    game = GAMES["baccarat"]
    dealt = DealtRound(game.settings(), {"player": ["2C", "KD"], "banker": ["3C", "KH"]}, {}, None)  # player draws on 2
    assert [(one.place, one.card) for one in game.face.reasons.draws(dealt)] == [
        ("player", 1), ("banker", 1), ("player", 2), ("banker", 2),
    ]  # fmt: skip
