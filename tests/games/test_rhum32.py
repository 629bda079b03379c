"""Rule sheet "Rhum 32", tested by number, and every line of its pay tables."""

import random
from collections import Counter
from fractions import Fraction

import pytest

from controller.core.house import House, Terms
from controller.games.rhum32 import GAME, Result, insurance, pay, points, table_pay

from controller.games.rhum32 import INSURANCE_PRIZES, PLAY_PAYS  # isort: skip
from controller.lab.rtp.hands import five_cards
from controller.rules.game import Prize, Stake
from controller.script.play import Play
from controller.text.faults import Words
from controller.text.results import sentence
from tests.chance import SEED

from .table_scripts import cards, of_kind, paid, run, table

# seat1 holds 2H 3H 4H 9C, seat2 KC QD JS 9D; the dealer AS AD 5C, and 6C up
OPEN = "shuffled\nopen\nbet p1 seat1 ante 10.00\nbet p2 seat2 ante 10.00\n"
DEALT = f"close\n{cards('2H 3H 4H 9C KC QD JS 9D AS AD 5C 6C')}"


# ── dealing ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_2_each_seat_then_dealer_gets_four_dealers_last_up():
    dealt = [record.what for record in table(GAME, OPEN + DEALT).records if record.kind == "dealt"]
    assert [what.to for what in dealt] == ["seat1"] * 4 + ["seat2"] * 4 + ["dealer"] * 4
    assert [what.face_up for what in dealt[-4:]] == [False, False, False, True]


def test_3_one_window_asks_all_seats_to_raise_or_fold():
    (question,) = (record.what for record in table(GAME, OPEN + DEALT).records if record.kind == "asked")
    assert (question.who, question.options, question.default) == (("seat1", "seat2"), ("raise", "fold"), "fold")


def test_4_without_a_raise_the_round_ends_and_antes_lose():
    play = table(GAME, OPEN + DEALT + "decide seat1 fold\nwait 20s\n")
    assert play.state.life == "settled"
    assert not [record for record in play.records if record.kind == "revealed"]
    assert paid(play) == {"seat1 ante": 0, "seat2 ante": 0}
    hands = play.state.round.outcome["hands"]
    assert hands["seat1"] == {"points": None, "result": "fold"}
    assert play.state.round.outcome["dealer"] == {"points": None, "qualified": None}


def test_5_a_raise_is_exactly_double_the_ante():
    play = table(GAME, OPEN + DEALT + "decide seat1 raise\n")
    (decided,) = (record.what for record in play.records if record.kind == "decided")
    assert (decided.player, decided.market, decided.stake) == ("p1", "seat1 play", 2000)


def test_6_7_reveal_then_fifth_cards_to_raisers_and_dealer():
    play = table(GAME, OPEN + DEALT + "decide seat2 raise\ndecide seat1 fold\n" + cards("9H 7D"))
    kinds = [(record.kind, getattr(record.what, "to", None)) for record in play.records]
    after = kinds[kinds.index(("revealed", None)) :]
    assert [place for kind, place in after if kind == "dealt"] == ["seat2", "dealer"]


@pytest.mark.parametrize(
    ("decisions", "last", "dealer"),
    [
        ("decide seat1 raise · decide seat2 fold", "", None),
        ("decide seat1 raise · decide seat2 raise", "card 9H · card 7D", 20),
        ("decide seat1 raise · decide seat2 raise · card TC", "card 9H · card 7D", 20),
    ],
)
def test_7_a_void_hand_gets_no_fifth_card(decisions, last, dealer):
    void = " · press manager · rule void_hand seat1 by anna because x · rule resume by anna because x · "
    play = table(GAME, OPEN + DEALT + decisions + void + last)
    assert (play.state.life, play.state.round.outcome["dealer"]["points"]) == ("settled", dealer)
    assert set(play.state.round.outcome["hands"]) == {"seat2"}


def test_a_raised_hand_made_void_has_not_folded():
    void = " · press manager · rule void_hand seat1 by anna because x · rule resume by anna because x"
    play = table(GAME, OPEN + DEALT + "decide seat1 raise · decide seat2 fold" + void)
    assert sentence(GAME, play.state.round.outcome, Words("en")) == "No hand is left in play"


def test_a_table_without_a_seat_taken_is_not_dealt():
    assert table(GAME, "shuffled\nopen\nclose\n").state.life == "cancelled"


def test_a_tie_or_insurance_bet_needs_an_ante():
    play = table(GAME, "shuffled\nopen\nbet p1 seat1 tie 1.00\nbet p1 seat1 insurance 5.00\n")
    assert [record.what.reason for record in play.records if record.kind == "bet_refused"] == ["needs_ante"] * 2


# ── points ───────────────────────────────────────────────────────────────────────────────────────────────────────

POINTS = {
    "AS 2S 3S 4S 5S": 0,
    "9S TS JS QS KS": 0,
    "TS JS QS KS AS": 1,  # ace only low: the four make the spread
    "5S 5H 5D 6S 7S": 10,  # the run 5-6-7 leaves 5 5 = 10, the set leaves 6 7 = 13
    "KC KD KH KS 2C": 2,
    "7C 7D 7H AC AD": 2,
    "AC 3D 5H 7S 9C": 25,
    "KC QD JS TH 9D": 49,
    "AC AD 2C 2D 3H": 9,
}


@pytest.mark.parametrize(("hand", "expected"), POINTS.items())
def test_points_are_the_least_that_is_left_beside_a_spread(hand, expected):
    assert points(hand.split()) == expected


PLAY = {
    "AS 2S 3S 4S 5S": 100,
    "2S 3S 4S 5S 6S": 50,
    "7C 7D 7H AC AD": 20,
    "7C 7D 7H 4C 2D": 4,
    "7C 7D 7H 8C AD": 3,
    "7C 7D 7H 8C 9D": 2,
    "7C 7D 7H 9C 9D": 1,
}


@pytest.mark.parametrize(("hand", "to_one"), PLAY.items())
def test_11_a_played_round_pays_each_play_table_line(hand, to_one):
    *four, fifth = hand.split()
    dealer = ["KC", "9S", "6D", "3H", "2H"]  # 30 points, no spread
    script = f"shuffled · open · bet p1 seat1 ante 10.00 · close\n{cards(' '.join([*four, *dealer[:4]]))}"
    play = table(GAME, script + f"decide seat1 raise\ncard {fifth}\ncard {dealer[4]}")
    assert play.state.round.outcome["dealer"] == {"points": 30, "qualified": True}
    assert paid(play) == {"seat1 ante": 2000, "seat1 play": 2000 * (1 + to_one)}


@pytest.mark.parametrize(("hand", "to_one"), PLAY.items())
def test_each_line_of_the_play_table(hand, to_one):
    assert table_pay(PLAY_PAYS, hand.split()) == to_one
    result = Result(
        {"points": 32, "qualified": True}, {"seat1": {"points": 0, "result": "win"}}, {"seat1": hand.split()}
    )
    assert pay(result, Stake("p1", "play", seat="seat1")) == 1 + to_one
    assert pay(result, Stake("p1", "ante", seat="seat1")) == 2


INSURANCE = {
    "AS 2S 3S 4S 5S": Prize(100_000),
    "2S 3S 4S 5S 6S": Prize(5_000),
    "7C 7D 7H AC AD": Prize(1_000),
    "7C 7D 7H 4C 2D": Prize(200),
    "7C 7D 7H 8C AD": Prize(100),
    "7C 7D 7H 8C 9D": Fraction(0),
    "KC QD JS QH 7D": Fraction(3),
    "KC QD JS QH 8D": Fraction(4),
    "KC QD JS QH 9D": Fraction(7),
    "KC QD JS QH TD": Fraction(8),
    "KC QD JS QH JD": Fraction(8),
    "KC QD JS QH 6D": Fraction(0),
    "KC QD JS TH TD": Fraction(0),  # tens are no faces
    "KC KD KH QS 7D": Fraction(0),  # a spread
}


@pytest.mark.parametrize(("hand", "returned"), INSURANCE.items())
def test_14_a_played_round_pays_each_insurance_table_line(hand, returned):
    *four, fifth = hand.split()
    dealer = ["9S", "5H", "3H", "2H", "AH"]
    script = f"shuffled · open · bet p1 seat1 ante 10.00 · bet p1 seat1 insurance 5.00 · close\n{cards(' '.join(four))}"
    play = table(GAME, script + cards(" ".join(dealer[:4])) + f"decide seat1 raise\ncard {fifth}\ncard {dealer[4]}")
    money = 500 + returned.amount * 100 if isinstance(returned, Prize) else 500 * returned
    assert paid(play)["seat1 insurance"] == money


@pytest.mark.parametrize(("hand", "returned"), INSURANCE.items())
def test_14_each_line_of_the_insurance_table(hand, returned):
    assert insurance(hand.split()) == returned


LINES = {0: 5_000, 1: 1_000, 3: 1_000, 4: 200, 7: 200, 8: 100, 11: 100, 12: None}  # by points


@pytest.mark.parametrize("total", LINES)
def test_insurance_pays_by_the_line_of_its_points(total, monkeypatch):
    monkeypatch.setattr("controller.games.rhum32.points", lambda _: total)
    won = insurance(["2C", "4D", "6H", "8S", "TC"])
    assert (won.amount if isinstance(won, Prize) else None) == LINES[total]


TIERS = {"AS 2S 3S 4S 5S": 4, "2S 3S 4S 5S 6S": 32, "7C 7D 7H AC AD": 2_452, "7C 7D 7H 4C 2D": 12_088,
         "7C 7D 7H 8C AD": 27_408, "KC QD JS QH 7D": 1_440, "KC QD JS QH 8D": 1_440, "KC QD JS QH 9D": 1_440,
         "KC QD JS QH TD": 1_644}  # fmt: skip # hands of a line, counted under `all hands` below


def insurance_returns(stake: Fraction) -> Fraction:
    """Return the average return of the insurance bet per unit staked, at this stake."""
    back = 0
    for hand, count in TIERS.items():
        won = insurance(hand.split())
        back += count * (won.amount / stake + 1 if isinstance(won, Prize) else won)
    return back / 2_598_960


def test_insurance_returns_more_than_it_takes_below_3_24():
    (market,) = (market for market in GAME.markets if market.name == "insurance")
    assert insurance_returns(Fraction(market.floor - 1, 100)) > 1 >= insurance_returns(Fraction(market.floor, 100))
    assert insurance_returns(Fraction(1)) > 3  # if the prizes were multiples of the stake


def test_an_insurance_stake_is_at_least_5_00():
    bets = "shuffled · open · bet p1 seat1 ante 1.00 · bet p1 seat1 insurance 4.99 · bet p1 seat1 insurance 5.00"
    assert [what.reason for what in of_kind(table(GAME, bets), "bet_refused")] == ["below_minimum"]


def test_a_prize_is_paid_up_to_the_tables_limit():
    """INSURANCE BET PAY TABLE: "ace to five payment may vary according to table limit"."""
    play = Play(House(GAME, GAME.settings(), Terms(prize_limit=5_000_000)))
    run(play, "shuffled · open · bet p1 seat1 ante 1.00 · bet p1 seat1 insurance 5.00 · close")
    run(play, cards("AS 2S 3S 4S KC QD 7H 9D") + "decide seat1 raise\n" + cards("5S TD"))
    assert paid(play)["seat1 insurance"] == 500 + 5_000_000


# ── against the dealer ───────────────────────────────────────────────────────────────────────────────────────────


def test_9_an_unqualified_dealer_pays_antes_and_pushes_plays():
    play = table(GAME, OPEN + "bet p2 seat2 tie 1.00\n" + "close\n" + cards("2H 3H 4H 9C KC QD JS 9D KS KD QC 6C")
                 + "decide seat1 raise\ndecide seat2 raise\n" + cards("9H TD TH"))  # fmt: skip
    assert play.state.round.outcome["dealer"] == {"points": 46, "qualified": False}
    assert paid(play) == {
        "seat1 ante": 2000,
        "seat1 play": 2000,
        "seat2 ante": 2000,
        "seat2 play": 2000,
        "seat2 tie": 0,
    }


def test_11_12_better_hands_are_paid_worse_hands_lose_both():
    play = table(GAME, OPEN + DEALT + "decide seat1 raise\ndecide seat2 raise\n" + cards("9H TD 7D"))
    assert play.state.round.outcome["dealer"] == {"points": 20, "qualified": True}
    assert paid(play) == {"seat1 ante": 2000, "seat1 play": 4000, "seat2 ante": 0, "seat2 play": 0}


def test_the_outcome_has_points_and_results_but_no_cards():
    play = table(GAME, OPEN + DEALT + "decide seat1 raise\ndecide seat2 raise\n" + cards("9H TD 7D"))
    assert play.state.round.outcome == {
        "dealer": {"points": 20, "qualified": True},
        "hands": {"seat1": {"points": 18, "result": "win"}, "seat2": {"points": 49, "result": "lose"}},
    }


def test_13_a_tie_pushes_and_pays_tie_20_to_1():
    script = OPEN + "bet p1 seat1 tie 1.00\n" + DEALT + "decide seat1 raise\ndecide seat2 fold\n"
    play = table(GAME, script + cards("9H 5H"))  # 18 against A A 5 6 5 = 18
    assert play.state.round.outcome["hands"]["seat1"] == {"points": 18, "result": "push"}
    assert paid(play) == {"seat1 ante": 1000, "seat1 play": 2000, "seat1 tie": 2100, "seat2 ante": 0}


def test_the_insurance_prize_is_money_on_top_of_the_stake():
    script = OPEN + "bet p1 seat1 insurance 5.00\n" + DEALT + "decide seat1 raise\ndecide seat2 fold\n"
    play = table(GAME, script + cards("AC 7D"))  # 2H 3H 4H beside 9 and an ace: 10 points
    assert paid(play)["seat1 insurance"] == 500 + 10_000


# ── all hands ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.proof
@pytest.mark.timeout(0)
def test_all_hands_fall_into_the_insurance_tiers_as_counted():
    tiers, fours, dice = Counter(), Counter(), random.Random(SEED)
    for number, one in five_cards():
        suits = dict(zip("CDHS", dice.sample("CDHS", 4), strict=True))  # a hand counts alike in any suits
        hand = [f"{rank}{suits[suit]}" for rank, suit in one]
        prize = table_pay(INSURANCE_PRIZES, hand)
        total = points(hand)
        tiers[prize if prize else "12-17" if total <= 17 else "18-32" if total <= 32 else "over"] += number
        if total >= 47 and insurance(hand) != 0:
            fours[total] += number
    assert tiers[100_000] == 4
    assert tiers[5_000] == 32
    assert [tiers[prize] for prize in (1_000, 200, 100)] == [2_452, 12_088, 27_408]
    assert (tiers["12-17"], tiers["18-32"]) == (74_972, 1_188_044)
    assert fours == {47: 1440, 48: 1440, 49: 1440, 50: 1644}


# ── the result in a sentence ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("points", "qualified", "says"),
    [(31, True, "Dealer has 31"), (33, False, "Dealer does not qualify"), (None, False, "No hand is left in play")],
)
def test_the_result_is_the_dealers_hand_where_anybody_has_raised(points, qualified, says):
    outcome = {"dealer": {"points": points, "qualified": qualified}}
    assert sentence(GAME, outcome, Words("en")) == says
