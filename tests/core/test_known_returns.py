"""Money moved by a ruling before the round ends: only results that the open cards make certain count."""

from random import Random

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core.clock import SECOND
from controller.core.known_returns import returns
from controller.core.position import Position
from controller.games import GAMES
from controller.rules.cards import FULL_DECK
from controller.rules.procedure import SEATS

from .test_rulings import bench
from .test_six_scripts import refused

BY = "by anna because x"
DEALT = "shuffled; open; bet a seat1 main 10.00; bet b seat2 main 0.10; close; card KH; card 9S; card 9H; card 2S; "
DOUBLED = "shuffled; open; bet a seat1 main 10.00; close; card KH; card 6S; card TD; card {}; decide seat1 double; "
RIVER = (
    "shuffled; open; bet p ante 10.00; close; card AS; card KH; card {} QD; card 2C; card 3C; decide p call; "
    "card 8D; press manager; card 6C; rule {} by anna because x"
)
INSURED = (
    "shuffled; open; bet a seat1 ante 5.00; bet a seat1 insurance 5.00; close; card AC; card 2C; card 3C; card 4C; "
    "card TD; card 9D; card 7D; card 6D; decide seat1 raise; card 9S; press manager"
)
BUST = (
    "shuffled; open; bet a seat1 main 1000.00; bet b seat2 main 0.01; close; card KS; card 5H; card 9S; card 9H; "
    "card TD; card 9C; decide seat1 hit; card 8C; press manager"
)
LOOKED = "shuffled; open; bet a seat1 main 1000.00; close; card KS; card 5H; card AD; card 9C; decide seat1 insure"


def answer(table, says):
    """Return the reasons why a ruling is refused, then the state of the round and its open fault."""
    table.says(says)
    return [what.reason for what in table.facts("ruling_refused")], table.life, table.fault


# ── a face-down card gives nothing away ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "ruling",
    ["burn 5", "correct 5 4H", "correct 5 9D", "correct 2 5S", "void_hand seat1", "cancel"],
)
def test_need_of_two_persons_tells_nothing_of_a_hole_card(ruling):
    answers = [
        answer(
            bench(DOUBLED.format(hole) + "press manager; card 3D", "blackjack", confirm="dealer", second_above=500),
            f"rule {ruling} {BY}",
        )[0]
        for hole in ("9C", "2C", "7C", "8C", "JC")
    ]
    assert answers == [answers[0]] * 5


@pytest.mark.parametrize("hole", ["9C", "2C", "7C", "8C", "JC"])
def test_hole_card_refuses_nothing_before_the_next_seat_decides(hole):
    says = f"{DEALT}card TD; card {hole}; decide seat1 stand; decide seat2 hit; press manager; card TC"
    table = bench(says, "blackjack", confirm="dealer", second_above=500)
    assert answer(table, f"rule correct 7 4H {BY}") == ([], "deciding", None)


@pytest.mark.parametrize("ruling", ["correct 9 KC", "burn 9", "cancel"])
def test_need_of_two_persons_tells_nothing_of_dealer_hands(ruling):
    hands = ("4S; card 5S; card", "KD; card 7S; card", "AC; card AD; card", "7H; card 9H; card", "QS; card QH; card")
    tables = [bench(RIVER.format(hand, ruling), "casino_holdem", confirm="dealer", second_above=500) for hand in hands]
    answers = [[what.reason for what in table.facts("ruling_refused")] for table in tables]
    assert answers == [answers[0]] * len(hands)


# ── bets with a result before the round's end ────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("game", "says", "ruling"),
    [
        ("rhum32", INSURED, "correct 9 5C"),
        ("blackjack", BUST, "correct 7 6C"),
        ("blackjack", f"{LOOKED}; press manager", "correct 4 TC"),
    ],
)
def test_changing_a_bets_certain_result_needs_two_people(game, says, ruling):
    table = bench(says, game, confirm="dealer", second_above=500)
    assert refused(table, f"rule {ruling} {BY}") == "needs_second"
    table.says(f"rule {ruling} with bea {BY}")
    assert table.facts("ruled")[-1].moved > 500
    assert table.life != "settled"  # the round still needs FINISH, a card or a decision


def test_bet_has_a_result_once_nothing_can_change_it():
    table = bench(BUST, "blackjack")
    assert [*returns(table.position, table.state).values()] == [0, None]
    table = bench(INSURED, "rhum32")
    assert [*returns(table.position, table.state).values()] == [None, 105_00, None]  # the ante and the raise are open


def test_rare_result_is_not_taken_for_the_only_one():
    table = bench("open; bet a tie 1.00; bet b player 1.00; close; card 2C; card 3C; card 9D", "baccarat")
    assert [*returns(table.position, table.state).values()] == [None, None]


def test_returns_are_computed_once_per_state_and_unknown_cards():
    position = Position(GAMES)
    cases = [
        (state, unknown)
        for state in (bench(BUST, "blackjack").state, bench(INSURED, "rhum32").state)
        for unknown in ((), (1, 7), (1, 9))
    ]
    for state, unknown in cases * 2:
        found = returns(position, state, unknown)
        assert found == returns(Position(GAMES), state, unknown)
        assert found is returns(position, replace(state), unknown)


# ── a ruling is compared with the result without it ──────────────────────────────────────────────────────────────


def test_the_amount_moved_counts_from_the_result_without_the_ruling():
    says = "open; bet a player 10.00; close; card 2C; card 7D; card 3D; card KD; press manager; card 2S"
    table = bench(says, confirm="dealer", second_above=500)  # 7 to 7: the stake goes back in full
    table.says(f"rule cancel {BY}")
    assert [what.moved for what in table.facts("ruled")] == [0]
    table = bench(f"{says.removesuffix('2S')}AS", confirm="dealer", second_above=500)
    assert refused(table, f"rule cancel {BY}") == "needs_second"  # lost without the ruling


@pytest.mark.parametrize("bet", ["bet a tie 1.00; ", ""])
@pytest.mark.parametrize("card", ["2S", "AS"])
def test_clock_cancels_no_round_that_its_last_card_completes(bet, card):
    says = f"open; {bet}close; card 2C; card 7D; card 3D; card KD; press manager; card {card}; wait 1000s"
    table = bench(says, confirm="dealer", unruled="cancel")
    assert (table.life, table.state.fault.offered) == ("paused", True)


def test_a_neutral_ruling_after_a_void_hand_settles_no_round():
    says = (
        "shuffled; open; bet a seat1 main 1; bet b seat2 main 1; close; card KS; card 8H; card 9S; card 2S; card TD; "
        f"card 9C; decide seat1 stand; decide seat2 stand; press manager; rule void_hand seat1 {BY}"
    )
    table = bench(f"{says}; rule correct 1 KD {BY}", "blackjack", confirm="dealer")
    assert table.life == "complete"


def test_ruling_counts_from_what_the_clock_did_just_before():
    cards = "; ".join(f"card {card}" for card in ("AS", "KH", "JOKER", "2D", "3C", "4C", "5D"))
    table = bench(
        f"shuffled; open; bet p ante 10.00; close; {cards}", "casino_holdem", confirm="dealer", second_above=500
    )
    table.now += 60 * SECOND  # p's time is over: p folds, and the joker is turned over
    records = table.do(e.Rule("cancel", "anna", "x"))
    assert [record.what.reason for record in records if record.kind == "ruling_refused"] == ["needs_second"]


def test_an_extend_ruling_takes_no_choice_for_affected_bets():
    table = bench("open; close; card 2C; press manager")
    assert refused(table, f"rule extend touched cancel {BY}") == "not_allowed"


@pytest.mark.parametrize("seed", range(12))
def test_no_bet_is_decided_by_three_cards_of_a_hand(seed):
    """Insurance and tie hardly ever win, and still nobody knows before the hand is dealt that they have lost."""
    dice = Random(seed)
    table, seats = bench("shuffled; open", "rhum32"), dice.sample(SEATS, 3)
    for seat in seats:
        table.says("; ".join(f"bet {seat} {seat} {market} 25.00" for market in ("ante", "tie", "insurance")))
    table.says("close")
    for card in dice.sample(FULL_DECK, 3):
        assert set(returns(table.position, table.state).values()) == {None}
        table.do(e.CardOut(card))


def test_an_unread_card_of_a_hand_moves_no_money():
    """An insurance that nobody knows to be lost counted as lost, and as won back by the card that was entered."""
    says = (
        "shuffled; open; bet a seat1 ante 25.00; bet b seat2 ante 25.00; bet b seat2 insurance 5.00; "
        "bet c seat5 ante 25.00; bet c seat5 insurance 10.00; bet d seat6 ante 25.00; bet d seat6 insurance 25.00; "
        "close; card 9D; card 3C; unread"
    )
    table = bench(says, "rhum32", second_above=500)
    assert answer(table, f"rule enter QH {BY}") == ([], "dealing", None)
