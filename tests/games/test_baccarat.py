"""The rule sheet "Bet on Baccarat" by clause, and its third-card tableau on every possible path."""

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction
from itertools import product

import msgspec
import pytest

from controller.core.house import House, Terms
from controller.games.baccarat import GAME
from controller.rules.cards import FULL_DECK
from controller.rules.dealing import Dealing, as_answer, walk
from controller.rules.game import Stake
from controller.rules.procedure import Bets, Deal, Outcome, Participants
from controller.script.play import Play
from controller.script.reader import parse

# The common punto banco tableau, in the order in which a dealer's card shows it. D draws, S stands; the column is
# Player's third card, or `-` where Player stood on 6 or 7.
TABLEAU = """
    Banker   -   0   1   2   3   4   5   6   7   8   9
         0   D   D   D   D   D   D   D   D   D   D   D
         1   D   D   D   D   D   D   D   D   D   D   D
         2   D   D   D   D   D   D   D   D   D   D   D
         3   D   D   D   D   D   D   D   D   D   S   D
         4   D   S   S   D   D   D   D   D   D   S   S
         5   D   S   S   S   S   D   D   D   D   S   S
         6   S   S   S   S   S   S   S   D   D   S   S
         7   S   S   S   S   S   S   S   S   S   S   S
"""
ROWS = [line.split() for line in TABLEAU.strip().splitlines()]
BANKER_TURN = {(row[0], column): mark for row in ROWS[1:] for column, mark in zip(ROWS[0][1:], row[1:], strict=True)}

ONE_CARD_FOR_EACH_VALUE = ["KD", "AS", "2C", "3H", "4D", "5S", "6C", "7H", "8D", "9S"]


def value_of(card: str) -> int:
    """Return the value of a card by 2.4.1 to 2.4.3, computed independently of the sheet."""
    return {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0}[card[0]] if card[0] in "ATJQK" else int(card[0])


def deal_by_tableau(values: Sequence[int]) -> tuple[str, int, int, str]:
    """Deal a coup by the tableau from these values; return the order of sides, both totals, the winner."""
    coming = iter(values)
    sides: dict[str, list[int]] = {"P": [], "B": []}
    order = ""

    def to(side: str) -> None:
        nonlocal order
        sides[side].append(next(coming))
        order += side

    for side in "PBPB":
        to(side)
    two = {side: sum(cards) % 10 for side, cards in sides.items()}
    if two["P"] not in (8, 9) and two["B"] not in (8, 9):
        column = "-"
        if two["P"] in (0, 1, 2, 3, 4, 5):
            to("P")
            column = str(sides["P"][-1])
        if BANKER_TURN[str(two["B"]), column] == "D":
            to("B")
    player, banker = (sum(sides[side]) % 10 for side in "PB")
    winner = {True: "player", False: "banker"}[player > banker] if player != banker else "tie"
    return order, player, banker, winner


def rules(**settings: object) -> object:
    return msgspec.convert(settings, GAME.settings)


def dealing(**settings: object) -> Dealing:
    return Dealing(GAME.procedure(rules(**settings), Participants()))


def dealt(cards: str, **settings: object) -> tuple[str, Dealing]:
    """Deal these cards; return their places and the dealing after them."""
    now, places = dealing(**settings), []
    for card in cards.split():
        while isinstance(now.due, Bets):
            now.answer(as_answer(now.due, None))
        assert isinstance(now.due, Deal), f"{card}: no card is due"
        assert now.due.face_up
        places.append(now.due.to)
        now.answer(as_answer(now.due, card))
    return " ".join(places), now


def ended(cards: str) -> dict[str, object]:
    _, now = dealt(cards)
    assert now.due is None
    assert now.outcome is not None
    return now.outcome.record()


def due(cards: str) -> str | None:
    _, now = dealt(cards)
    return now.due.to if isinstance(now.due, Deal) else None


def returned(cards: str, market: str, odds: Decimal | None = None) -> Fraction:
    _, now = dealt(cards)
    fixed = {market.name: market.odds for market in GAME.markets}
    return GAME.pay(now.outcome, Stake("p1", market, odds or fixed[market]))


# ── 2.2 dealing ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_2_2_1_each_side_gets_two_cards_in_turn():
    places, _ = dealt("2C 3D 2D AS")
    assert places == "player banker player banker"


def test_2_2_2_the_player_always_receives_the_first_card():
    assert dealing().due == Deal("player", face_up=True)


def test_2_2_3_the_third_cards_come_player_first():
    places, _ = dealt("KC KD QC QD 6C 6D")
    assert places == "player banker player banker player banker"


def test_places_are_player_and_banker():
    assert GAME.places == ("player", "banker")


# ── 2.3 the winner ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("cards", "winner"), [("9C 2D KH 3S", "player"), ("2C 9D 3H KS", "banker"), ("9C 9D KH KS", "tie")]
)
def test_2_3_the_side_closer_to_nine_wins(cards, winner):
    assert ended(cards)["winner"] == winner


def test_2_3_1_a_tie_returns_player_and_banker_stakes():
    tie = "9C 9D KH KS"
    assert returned(tie, "tie") == 9
    assert returned(tie, "player") == 1
    assert returned(tie, "banker") == 1


# ── 2.4 and 2.5 points ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("card", FULL_DECK)
def test_2_4_the_value_of_each_card(card):
    assert GAME.score("player", [card]) == str(value_of(card))


@pytest.mark.parametrize(("cards", "score"), [("9C 4D", "3"), ("7C 8D", "5"), ("KC TD", "0"), ("9C 9D 9H", "7")])
def test_2_5_2_the_score_is_the_right_digit(cards, score):
    assert GAME.score("player", cards.split()) == score


def test_outcome_has_the_fields_of_the_record():
    assert ended("2C 3D 2D AS 8H") == {
        "winner": "banker", "player": 2, "banker": 4, "natural": False, "cards": 5, "pairs": ["player"],
    }  # fmt: skip


# ── 2.5.3 additional bets ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("cards", "pairs"),
    [
        ("9C 2D 9H 6S", ["player"]),
        ("9C 4D KH 4S", ["banker"]),
        ("4C 4D 4H 4S", ["player", "banker"]),
        ("KC 9D QH KS", []),  # two cards of ten points, of different ranks
        ("KC 9D KH QS", ["player"]),
    ],
)
def test_2_5_3_first_two_cards_pair_by_rank(cards, pairs):
    _, now = dealt(cards)
    assert now.outcome.record()["pairs"] == pairs


def test_2_5_3_the_third_card_forms_no_pair():
    assert ended("2C 4D 3D 3S 3H")["pairs"] == []  # Player's third is a three like the second
    assert ended("KC 2D 2H 3S 5D 3H")["pairs"] == []  # and so is Banker's


@pytest.mark.parametrize(("cards", "number"), [("9C 2D KH 3S", 4), ("2C 3D 2D AS 8H", 5), ("KC KD QC QD 6C 6D", 6)])
def test_2_5_3_small_is_4_cards_big_is_more(cards, number):
    assert ended(cards)["cards"] == number
    assert (returned(cards, "small") > 0) == (number == 4)
    assert (returned(cards, "big") > 0) == (number > 4)


def test_2_5_3_five_cards_also_where_only_banker_draws():
    assert ended("6C KD KH 5S 9C") == {
        "winner": "player", "player": 6, "banker": 4, "natural": False, "cards": 5, "pairs": [],
    }  # fmt: skip


def test_2_5_3_additional_bets_win_whoever_wins():
    assert returned("9C 4D KH 4S", "banker_pair") == 12  # and Player wins
    assert returned("9C 4D KH 4S", "any_pair") == 6
    assert returned("9C 4D KH 4S", "player_pair") == 0
    assert returned("9C 9D 9H 9S", "player_pair") == 12  # and it is a tie
    assert returned("9C 9D 9H 9S", "small") == Fraction(5, 2)


# ── bets ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_odds_with_one_betting_window_are_fixed():
    assert {market.name: str(market.odds) for market in GAME.markets} == {
        "player": "2.00", "banker": "1.95", "tie": "9.00", "player_pair": "12.00", "banker_pair": "12.00",
        "any_pair": "6.00", "small": "2.50", "big": "1.54",
    }  # fmt: skip


WON_BY = {
    "player": "9C 2D KH 3S", "banker": "2C 9D 3H KS", "tie": "9C 9D KH KS", "player_pair": "9C 2D 9H 6S",
    "banker_pair": "9C 4D KH 4S", "any_pair": "9C 4D KH 4S", "small": "9C 2D KH 3S", "big": "2C 3D 2D AS 8H",
}  # fmt: skip
LOST_BY = {
    "player": "2C 9D 3H KS", "banker": "9C 2D KH 3S", "tie": "9C 2D KH 3S", "player_pair": "9C 4D KH 4S",
    "banker_pair": "9C 2D 9H 6S", "any_pair": "9C 2D KH 3S", "small": "2C 3D 2D AS 8H", "big": "9C 2D KH 3S",
}  # fmt: skip


@pytest.mark.parametrize("market", WON_BY)
def test_won_bets_return_their_decimal_odds_and_lost_bets_nothing(market):
    fixed = {one.name: Fraction(one.odds or 0) for one in GAME.markets}
    assert returned(WON_BY[market], market) == fixed[market]
    assert returned(LOST_BY[market], market) == 0


def test_a_bet_pays_the_odds_pinned_in_it():
    assert returned("9C 2D KH 3S", "player", Decimal("3.17")) == Fraction(317, 100)


def table(**settings: object) -> Play:
    return Play(House(GAME, rules(**settings), Terms()))


def kinds(play: Play, script: str) -> list[str]:
    return [record.kind for record in play.run(parse(script.replace(" · ", "\n")))]


def test_pay_outs_round_down_to_the_minor_unit():
    play = table()
    kinds(play, "open · bet p1 banker 0.99 · bet p2 big 0.99 · close · card 2C · card 9D · card 3H · card KS")
    paid = {one.what.market: one.what.returned for one in play.records if one.kind == "paid"}
    assert paid == {"banker": 193, "big": 0}  # 99 × 1.95 = 193.05


def test_each_market_is_taken_and_paid_on_its_own():
    play = table()
    bets = " · ".join(f"bet p1 {market.name} 10.00" for market in GAME.markets)
    kinds(play, f"open · {bets} · close · card 9C · card 4D · card KH · card 4S")
    paid = {one.what.market: one.what.returned for one in play.records if one.kind == "paid"}
    assert paid == {
        "player": 2000, "banker": 0, "tie": 0, "player_pair": 0, "banker_pair": 12000, "any_pair": 6000,
        "small": 2500, "big": 0,
    }  # fmt: skip


# ── 2.6 and 2.7 the third card ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("natural", ["8", "9"])
@pytest.mark.parametrize("other", range(10))
@pytest.mark.parametrize("side", ["player", "banker"])
def test_2_7_1_a_natural_on_either_side_ends_dealing(natural, other, side):
    ours, theirs = f"{natural}C", ONE_CARD_FOR_EACH_VALUE[other]
    first, second = (ours, theirs) if side == "player" else (theirs, ours)
    outcome = ended(f"{first} {second} KH QS")
    assert outcome["natural"] is True
    assert outcome["cards"] == 4


def test_2_7_1_nine_in_three_cards_is_no_natural():
    assert ended("2C KD 2D 7S 5H")["natural"] is False


@pytest.mark.parametrize("player", ["6C", "7C"])
@pytest.mark.parametrize("banker", range(6))
def test_2_7_2_only_banker_draws_on_player_6_7(player, banker):
    assert due(f"{player} {ONE_CARD_FOR_EACH_VALUE[banker]} KH QS") == "banker"


@pytest.mark.parametrize("player", ["6C", "7C"])
@pytest.mark.parametrize("banker", ["6D", "7D"])
def test_2_6_both_stand_on_6_and_7(player, banker):
    assert due(f"{player} {banker} KH QS") is None


@pytest.mark.parametrize("player", range(6))
@pytest.mark.parametrize("banker", range(8))
def test_2_6_player_draws_on_0_to_5(player, banker):
    assert due(f"{ONE_CARD_FOR_EACH_VALUE[player]} {ONE_CARD_FOR_EACH_VALUE[banker]} KH QS") == "player"


def on_third(banker: int, third: int) -> str | None:
    return due(f"QC {ONE_CARD_FOR_EACH_VALUE[banker]} KH QS {ONE_CARD_FOR_EACH_VALUE[third]}")


def test_banker_3_stands_on_player_8():
    assert [on_third(3, third) for third in range(10)] == ["banker"] * 8 + [None, "banker"]


def test_banker_6_draws_on_player_6_and_7_only():
    assert [third for third in range(10) if on_third(6, third)] == [6, 7]


def test_banker_7_never_draws():
    assert not any(on_third(7, third) for third in range(10))


@pytest.mark.parametrize("banker", range(8))
@pytest.mark.parametrize("third", range(10))
def test_2_6_banker_draws_by_the_tableau(banker, third):
    assert on_third(banker, third) == ("banker" if BANKER_TURN[str(banker), str(third)] == "D" else None)


def test_the_tableau_of_this_file_is_whole():
    assert len(BANKER_TURN) == 8 * 11
    assert {row: sum(BANKER_TURN[str(row), str(third)] == "D" for third in range(10)) for row in range(8)} == {
        0: 10, 1: 10, 2: 10, 3: 9, 4: 6, 5: 4, 6: 2, 7: 0,
    }  # fmt: skip


# ── every path ───────────────────────────────────────────────────────────────────────────────────────────────────


def paths(first_four: Sequence[Sequence[str]]) -> Iterator[tuple[list[int], str, Outcome]]:
    """Yield values, places and outcome of every path that begins with one of these starts."""
    for start in first_four:
        left = [*start]

        def choices(step: object, start: Sequence[str] = left) -> Sequence[str]:
            """Return the given cards first, then one card for each value."""
            assert isinstance(step, Deal)
            return [start.pop(0)] if start else ONE_CARD_FOR_EACH_VALUE

        for answers, outcome in walk(lambda: GAME.procedure(rules(), Participants()), choices):
            places = "".join(answer.place[0].upper() for answer in answers)
            yield [value_of(answer.card) for answer in answers], places, outcome


def disagreement(values: list[int], order: str, outcome: Outcome) -> str | None:
    record = outcome.record()
    ours = (order, record["player"], record["banker"], record["winner"])
    return (
        None
        if ours == deal_by_tableau(values)
        else f"{values}: the product says {ours}, the book {deal_by_tableau(values)}"
    )


def test_the_tableau_on_one_path_for_each_pair_of_totals():
    starts = [
        (ONE_CARD_FOR_EACH_VALUE[player], ONE_CARD_FOR_EACH_VALUE[banker], "QH", "JS")
        for player, banker in product(range(10), repeat=2)
    ]
    found = list(paths(starts))
    assert [one for one in (disagreement(*path) for path in found) if one] == []
    assert {order for _, order, _ in found} == {"PBPB", "PBPBP", "PBPBPB", "PBPBB"}


@pytest.mark.proof
@pytest.mark.timeout(900)
def test_the_tableau_on_every_path_there_is():
    """Try all card values, weighted by the thirteen ranks; compare totals, order and published chances."""
    weight = Counter[str]()
    orders = set()
    for answers, outcome in walk(lambda: GAME.procedure(rules(), Participants()), lambda _: ONE_CARD_FOR_EACH_VALUE):
        values = [value_of(answer.card) for answer in answers]
        order = "".join(answer.place[0].upper() for answer in answers)
        assert disagreement(values, order, outcome) is None
        chance = 13 ** (6 - len(values))
        for value in values:
            chance *= 4 if value == 0 else 1
        weight[outcome.record()["winner"]] += chance
        orders.add(order)
        assert outcome.record()["cards"] == len(values)
        assert outcome.record()["natural"] == (deal_by_tableau(values)[0] == "PBPB" and natural(values))
    assert orders == {"PBPB", "PBPBP", "PBPBPB", "PBPBB"}
    assert sum(weight.values()) == 13**6
    published = {"player": "0.446147", "banker": "0.458428", "tie": "0.095426"}  # an infinite number of decks
    assert {winner: f"{weight[winner] / 13**6:.6f}" for winner in weight} == published


def natural(values: Sequence[int]) -> bool:
    return any((values[side] + values[side + 2]) % 10 >= 8 for side in (0, 1))


# ── settings ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_six_decks_are_in_play_and_changed_below_40_cards():
    deck = GAME.deck(rules())
    assert (deck.size, deck.copies, deck.change_below, deck.every_round) == (312, 6, 40, False)


def test_the_house_sets_decks_and_when_to_change_them():
    deck = GAME.deck(rules(decks=8, change_below=52))
    assert (deck.size, deck.change_below) == (416, 52)


@pytest.mark.parametrize("settings", [{"decks": 0}, {"decks": 9}, {"change_below": 5}, {"betting_windows": 2}])
def test_settings_out_of_range_are_refused(settings):
    with pytest.raises(msgspec.ValidationError):
        rules(**settings)


def steps(cards: str, **settings: object) -> list[str]:
    now, sequence, coming = dealing(**settings), [], iter(cards.split())
    while now.due is not None:
        sequence.append(now.due.to if isinstance(now.due, Deal) else f"window {now.due.window}")
        now.answer(as_answer(now.due, next(coming) if isinstance(now.due, Deal) else None))
    return sequence


def test_one_betting_window_is_the_default():
    assert steps("9C 2D KH 3S") == ["player", "banker", "player", "banker"]


def test_three_windows_open_before_p1_after_p1_and_after_b1():
    cards = "9C 2D KH 3S"
    assert steps(cards, betting_windows=3) == ["player", "window 2", "banker", "window 3", "player", "banker"]


def test_three_windows_close_ends_one_the_next_opens_automatically():
    play = table(betting_windows=3)
    assert kinds(play, "open") == ["opened"]
    assert kinds(play, "bet p1 player 10.00 · close") == ["bet_accepted", "closed"]
    assert kinds(play, "bet p1 tie 1.00") == ["bet_refused"]
    assert kinds(play, "card 9C") == ["dealt", "window_opened"]
    assert play.state.life == "betting"
    assert kinds(play, "bet p1 player 10.00 · close") == ["bet_accepted", "closed"]
    assert kinds(play, "card 2D") == ["dealt", "window_opened"]
    assert kinds(play, "bet p2 banker 10.00 · close") == ["bet_accepted", "closed"]
    assert kinds(play, "card KH · card 3S")[:4] == ["dealt", "dealt", "completed", "settled"]
    won = [int(1000 * Fraction(one.what.odds)) for one in play.records if one.kind == "bet_accepted"][:2]
    assert [one.what.returned for one in play.records if one.kind == "paid"] == [*won, 0]


def test_three_windows_the_clock_closes_an_expired_window():
    play = table(betting_windows=3)
    assert kinds(play, "open · close · card 9C · wait 15s")[-1] == "closed"
    assert play.records[-1].what.by == "clock"
    assert play.state.life == "dealing"


@pytest.mark.parametrize("before", ["", "close · card 9C", "close · card 9C · close · card 2D"])
def test_three_windows_an_early_card_faults_in_each_window(before):
    play = table(betting_windows=3)
    kinds(play, f"open · {before}" if before else "open")
    assert kinds(play, "card 4H") == ["drawn", "faulted"]
    assert play.records[-1].what.code == "card_before_close"
    assert play.records[-1].what.rulings == ("burn", "void", "cancel")
    kinds(play, "rule burn by manager1")
    assert play.state.life == "betting"


def test_a_bet_can_be_repeated_in_the_next_window():
    play = table(betting_windows=3)
    kinds(play, "open · bet p1 player 10.00 · close · card 9C")
    assert kinds(play, "bet p1 player 5.00 · bet p1 player 5.00") == ["bet_accepted", "bet_refused"]
    kinds(play, "unbet p1 player")
    assert [bet.stake for bet in play.state.round.bets.values()] == [1000]
