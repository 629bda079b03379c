"""Strategies compared with entries of published charts, and with hands worked out by hand."""

import pytest

from controller.games import GAMES
from controller.games.strategies import blackjack, casino_holdem
from controller.rules.procedure import Ask
from controller.rules.strategy import Count

TWO_CARDS = ("hit", "stand", "double")


def blackjack_says(
    cards: str, dealer: str, options: tuple[str, ...] = TWO_CARDS, who: str = "seat1", **hands: str
) -> str:
    """Return the decision of basic strategy. `hands`: cards at other places."""
    lying = {"seat1": cards.split(), "dealer": [dealer], **{place: some.split() for place, some in hands.items()}}
    return GAMES["blackjack"].strategy.decide(Ask((who,), options, "stand"), lying)[who]


def test_a_splits_first_hand_counts_without_its_second_card():
    """The hand is asked before the other hand has its second card: of 8 8 8, two cards count, 16."""
    assert blackjack_says("8C 8D 8H", "TS", options=("hit", "stand")) == "hit"
    assert blackjack_says("8C 8D 8H", "6S", options=("hit", "stand")) == "stand"


@pytest.mark.parametrize(
    ("cards", "dealer", "expected"),
    [
        ("5C 3D", "6H", "hit"),
        ("5C 4D", "2H", "hit"),
        ("5C 4D", "3H", "double"),
        ("5C 4D", "6H", "double"),
        ("5C 4D", "7H", "hit"),
        ("6C 4D", "9H", "double"),
        ("6C 4D", "TH", "hit"),
        ("6C 5D", "TH", "double"),
        ("6C 5D", "AH", "hit"),
        ("TC 2D", "3H", "hit"),
        ("TC 2D", "4H", "stand"),
        ("TC 2D", "6H", "stand"),
        ("TC 2D", "7H", "hit"),
        ("TC 3D", "2H", "stand"),
        ("TC 6D", "6H", "stand"),
        ("TC 6D", "7H", "hit"),
        ("TC 6D", "KH", "hit"),
        ("TC 7D", "AH", "stand"),
        ("AC 2D", "4H", "hit"),
        ("AC 2D", "5H", "double"),
        ("AC 4D", "4H", "double"),
        ("AC 4D", "3H", "hit"),
        ("AC 6D", "2H", "hit"),
        ("AC 6D", "3H", "double"),
        ("AC 6D", "7H", "hit"),
        ("AC 7D", "2H", "stand"),
        ("AC 7D", "3H", "double"),
        ("AC 7D", "8H", "stand"),
        ("AC 7D", "9H", "hit"),
        ("AC 7D", "AH", "hit"),
        ("AC 8D", "6H", "stand"),
    ],
)
def test_hard_and_soft_hands_follow_the_chart(cards, dealer, expected):
    assert blackjack_says(cards, dealer) == expected


@pytest.mark.parametrize(
    ("cards", "dealer", "expected"),
    [
        ("AC AD", "AH", "split"),
        ("8C 8D", "TH", "split"),
        ("8C 8D", "AH", "split"),
        ("2C 2D", "7H", "split"),
        ("2C 2D", "8H", "hit"),
        ("3C 3D", "2H", "split"),
        ("4C 4D", "4H", "hit"),
        ("4C 4D", "5H", "split"),
        ("5C 5D", "6H", "double"),
        ("6C 6D", "2H", "split"),
        ("6C 6D", "7H", "hit"),
        ("7C 7D", "7H", "split"),
        ("7C 7D", "8H", "hit"),
        ("9C 9D", "6H", "split"),
        ("9C 9D", "7H", "stand"),
        ("9C 9D", "9H", "split"),
        ("9C 9D", "TH", "stand"),
        ("TC KD", "6H", "stand"),
    ],
)
def test_pairs_follow_the_chart(cards, dealer, expected):
    assert blackjack_says(cards, dealer, (*TWO_CARDS, "split")) == expected


def test_an_unsplittable_pair_is_played_as_its_total():
    assert blackjack_says("8C 8D", "6H") == "stand"
    assert blackjack_says("2C 2D", "6H") == "hit"


def test_a_hand_that_cannot_double_hits_or_stands():
    assert blackjack_says("2C 4D 5H", "6H", ("hit", "stand")) == "hit"
    assert blackjack_says("AC 3D 4H", "6H", ("hit", "stand")) == "stand"


def test_insurance_is_never_taken():
    assert blackjack_says("TC TD", "AH", ("insure", "decline")) == "decline"


def test_after_a_split_each_hand_counts_its_own_cards():
    """8 8 is split: 8 3 is the first hand, 8 10 the second."""
    split = {"cards": "8C 8D 3H", "dealer": "6H", "seat1.2": "TS"}
    assert blackjack_says(**split) == "double"
    assert blackjack_says(**split, who="seat1.2") == "stand"
    assert blackjack.hand("seat1", {"seat1": ["8C", "8D", "3H", "2C"], "seat1.2": ["TS"]}) == ["8C", "3H", "2C"]
    assert blackjack.hand("seat1.2", {"seat1": ["8C", "8D", "3H", "2C"], "seat1.2": ["TS"]}) == ["8D", "TS"]


def test_every_chart_line_has_a_column_per_dealer_card():
    lines = [*blackjack.HARD.values(), *blackjack.SOFT.values(), *blackjack.PAIRS.values()]
    assert {len(line) for line in lines} == {10}
    assert set("".join(lines)) <= set(blackjack.ACTIONS)


# ── Casino Hold'em ───────────────────────────────────────────────────────────────────────────────────────────────


def signs(player: str, flop: str) -> dict[str, int]:
    """Return the signs of a Hold'em hand that are not zero."""
    numbers = casino_holdem.signs("player", {"player": player.split(), "board": flop.split()})
    return {sign: number for sign, number in zip(casino_holdem.POINTS, numbers, strict=True) if number}


@pytest.mark.parametrize(
    ("player", "flop"),
    [
        ("2C 2D", "AH KS QD"),  # a pair in hand
        ("2C 7D", "2H KS QD"),  # a pair with the flop
        ("2C 7C", "9C KC QD"),  # four to a flush
        ("2C 7D", "9H 9S 9D"),  # three alike on the flop
    ],
)
def test_a_clear_hold_em_hand_shows_no_sign_and_calls(player, flop):
    assert signs(player, flop) == {}
    assert holdem_decision(player, flop) == "call"


def holdem_decision(player: str, flop: str) -> str:
    """Return the decision of the Hold'em strategy: call or fold."""
    cards = {"player": player.split(), "board": flop.split()}
    return GAMES["casino_holdem"].strategy.decide(Ask(("player",), ("call", "fold"), "fold"), cards)["player"]


def test_the_signs_of_a_hand_without_a_pair():
    assert signs("JC 4D", "AC 8C 3H") == {
        "the rank of the higher card, 2 to 14": 11,
        "each rank on the flop above it": 1,
        "each rank on the flop above the lower card": 2,
        "each run of five that has three of its ranks, up to three": 1,  # A 3 4
        "each two or three on the flop": 1,
        "the highest rank on the flop": 14,
        "three to a flush": 1,
        "two of a suit on the flop": 1,
        "a start": 1,
    }


@pytest.mark.parametrize(
    ("player", "flop", "outs"),
    [
        ("9C 8D", "7H 6S 2D", 2),  # open at both ends
        ("9C 8D", "6H 5S 2D", 1),  # a seven
        ("AC 2D", "4H 5S KD", 1),  # a three: the ace is low
        ("AC QD", "JH TS 2D", 1),  # a king
        ("9C 2D", "JH TS 8D", 2),
        ("4C 2D", "JH TS 8D", 0),  # no card of the hand helps
        ("9C 8D", "7H 6S 5D", 13),  # a straight already: every rank counts
    ],
)
def test_the_ranks_that_make_a_straight_are_counted(player, flop, outs):
    assert signs(player, flop).get("each rank that makes a straight", 0) == outs


@pytest.mark.parametrize(
    ("player", "flop", "expected"),
    [
        ("AC KD", "9H 6S 2D", "call"),
        ("7C 2D", "KH TS 9D", "fold"),
        ("7C 2D", "KH TH 9H", "fold"),
        ("9C 8D", "7H 6S KD", "call"),
    ],
)
def test_only_high_cards_and_draws_are_called(player, flop, expected):
    assert holdem_decision(player, flop) == expected


# ── Rhum 32 ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("cards", "up", "expected"),
    [
        ("2C 4D 7H TS", "AC", "raise"),  # 23
        ("2C 5D 7H TS", "AC", "fold"),  # 24
        ("9C 9D 9H TS", "AC", "raise"),  # a spread: 10
        ("KC QD 9H TS", "7C", "fold"),  # 39
        ("KC QD JH TS", "8C", "raise"),  # whatever it comes to
        ("KC QD JH TS", "KD", "raise"),
    ],
)
def test_rhum_raises_up_to_the_dealers_card_limit(cards, up, expected):
    ask = Ask(("seat1",), ("raise", "fold"), "fold")
    assert GAMES["rhum32"].strategy.decide(ask, {"seat1": cards.split(), "dealer": [up]}) == {"seat1": expected}


COUNTS = [game.strategy for game in GAMES.values() if isinstance(game.strategy, Count)]


@pytest.mark.parametrize("strategy", COUNTS)
def test_a_strategy_says_its_numbers_in_words(strategy):
    assert all(str(abs(number)) in strategy.words for number in list(strategy.numbers.values())[1:] if number < 40)


def test_in_holdem_at_most_three_runs_of_five_count():
    assert signs("6C 7D", "8H 9S 2D")["each run of five that has three of its ranks, up to three"] == 3


def test_rhum_32_raises_by_the_limits_that_the_search_found():
    assert GAMES["rhum32"].strategy.words == (
        "raise with four cards of up to so many points, by the dealer's open card: "
        "A 23, 2 24, 3 25, 4 26, 5 27, 6 29, 7 36, 8 any, 9 any, 10 any"
    )


def test_basic_strategy_says_for_which_rules_its_chart_is():
    assert GAMES["blackjack"].strategy.words == (
        "basic strategy: the chart for eight decks, dealer stands on 17, double after split; never insurance"
    )
