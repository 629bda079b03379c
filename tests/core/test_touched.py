"""Decisions and bets based on a misread card are listed with the ruling; decisions are asked again."""

import pytest
from msgspec.structs import replace

from controller.core.records import DecisionMade, Total
from controller.rules.procedure import Hand, ask, deal, reveal

from .bench import Bench, kinds
from .test_seats import TOY, High

WHY = 'by manager because "misread"'
DOUBLED = "shuffled; open; bet p1 seat1 main 10.00; close; card 9C; card 2D; card 7H; card KD; decide seat1 double"
TRUE = f"rule correct 2 9D {{}} {WHY}"  # seat1 has 18, not 11


FLOP = (
    "shuffled; open; bet p1 ante 1.00; bet p2 ante 1.00; close; "
    "card AC; card 7D; card KS; card QS; card 2H; card 3H; card 4S"
)


def bench(says, game="blackjack", settings=None, **terms):
    table = Bench(game, settings, **terms)
    table.says(says)
    return table


def ruled(table):
    return table.facts("ruled")[-1]


def test_a_double_on_a_misread_hand_is_asked_anew():
    table = bench(f"{DOUBLED}; press manager")
    assert [bet.stake for bet in table.state.round.bets.values()] == [1000, 1000]
    table.says(TRUE.format(""))
    assert (table.life, table.state.round.asking.who, table.state.round.asking.decided) == ("deciding", ("seat1",), {})
    assert [bet.stake for bet in table.state.round.bets.values()] == [1000]
    assert (ruled(table).choice, ruled(table).touched.decisions) == ("anew", (DecisionMade("seat1", "double", 1000),))
    assert ruled(table).touched.totals == (Total("seat1", "11", "18"),)
    table.says("decide seat1 stand")
    assert table.life == "settled"
    assert {paid.market: paid.returned for paid in table.facts("paid")} == {"seat1 main": 2000}  # 18 beats 17


def test_the_card_dealt_on_a_withdrawn_decision_is_burnt():
    table = bench(f"{DOUBLED}; card KH; press manager", reveal="dealer")
    assert table.life == "paused"
    table.says(TRUE.format(""))
    assert (table.life, table.fates[4], ruled(table).touched.cards) == ("deciding", "burnt", (5,))
    assert table.cards_on("seat1") == ["9C", "9D"]


def test_the_shift_manager_may_let_a_touched_decision_stand():
    table = bench(f"{DOUBLED}; press manager")
    table.says(TRUE.format("touched stand"))
    assert (table.life, table.due.to, ruled(table).choice) == ("dealing", "seat1", "stand")
    assert [bet.stake for bet in table.state.round.bets.values()] == [1000, 1000]


def test_cancelling_for_a_touched_decision_refunds_every_stake():
    table = bench(f"{DOUBLED}; press manager")
    table.says(TRUE.format("touched cancel"))
    assert (table.life, ruled(table).choice) == ("cancelled", "cancel")
    assert sum(what.stake for what in table.facts("refunded")) == 2000


def test_a_decision_that_was_impossible_cannot_stand():
    table = bench(f"{DOUBLED}; press manager")
    table.says(f"rule correct 1 TC touched stand {WHY}; press manager; rule correct 2 AD touched stand {WHY}")
    assert [one.reason for one in table.facts("ruling_refused")] == ["does_not_fit"]  # a blackjack is not asked
    assert (table.life, table.cards_on("seat1")) == ("paused", ["TC", "2D"])


def test_a_decision_of_another_seat_before_it_stands():
    seats = "bet p1 seat1 main 10.00; bet p2 seat2 main 10.00"
    table = bench(f"shuffled; open; {seats}; close; card TC; card 8C; card 9C; card 2D; card 7H; card KD")
    table.says(f"decide seat1 stand; decide seat2 double; press manager; rule correct 4 9D {WHY}")
    assert [decision.who for decision in ruled(table).touched.decisions] == ["seat2"]
    assert table.state.round.asking.who == ("seat2",)


def test_correcting_a_face_down_card_touches_no_decision():
    table = bench(f"{DOUBLED}; press manager; rule correct 4 QD {WHY}")
    assert (table.life, ruled(table).choice) == ("dealing", None)
    assert len(table.state.round.bets) == 2


def test_nobody_is_asked_again_after_seeing_the_dealers_cards():
    says = "shuffled; open; bet p1 seat1 main 10.00; close; card 9C; card 8D; card 7H; card KD; decide seat1 stand"
    for choice, life in (("touched cancel", "cancelled"), ("touched stand", "complete")):
        table = bench(f"{says}; press manager", confirm="dealer")
        table.says(f"rule correct 2 9D touched anew {WHY}; rule correct 2 9D {WHY}; rule correct 2 9D {choice} {WHY}")
        assert [one.reason for one in table.facts("ruling_refused")] == ["knowledge", "knowledge"]
        assert table.life == life


def test_a_touched_decision_in_an_open_window_restarts_the_window():
    table = bench(FLOP, "casino_holdem")
    table.says(f"wait 10s; decide p1 call; press manager; rule correct 5 8H {WHY}")
    assert (table.life, table.state.round.asking.decided) == ("deciding", {})
    assert table.state.deadline - table.now == 15_000_000
    assert [bet.spot.market for bet in table.state.round.bets.values()] == ["ante", "ante"]
    table.says(f"wait 10s; press manager; rule correct 5 9H {WHY}")
    assert table.state.deadline - table.now == 5_000_000  # nobody had decided


def test_burning_a_placed_card_withdraws_the_decisions_after_it():
    table = bench(f"{DOUBLED}; press manager")
    table.says(f"rule resume {WHY}; press dropped; rule burn 1 touched stand {WHY}")
    assert table.facts("ruling_refused")[-1].reason == "does_not_fit"
    table.says(f"rule burn 1 {WHY}")
    assert ruled(table).choice == "anew"
    assert "bet_withdrawn" in kinds(table.records)


def test_dropped_and_exposed_cards_list_the_decisions_they_touched():
    table = bench(f"{DOUBLED}; press exposed")
    assert [decision.decision for decision in table.state.fault.touched.decisions] == ["double"]
    table = bench(f"{FLOP}; decide p1 call; press dropped", "casino_holdem")
    assert table.state.fault.touched.decisions == (DecisionMade("p1", "call", 200),)


# ── a misread up card, after three seats have decided ────────────────────────────────────────────────────────────

SEATS = "; ".join(f"bet p{n} seat{n} main 10.00" for n in (1, 2, 3))
HANDS = "card TC; card 8C; card 9C; card 2D; card 5H; card 6H; card 6S; card TH"  # 18, 11, 11; the dealer's six up
DECIDED = "decide seat1 stand; decide seat2 double; card TD; decide seat3 hit; card 3D"
UP = f"shuffled; open; {SEATS}; close; {HANDS}; {DECIDED}"


def test_a_misread_up_card_asks_all_three_seats_anew():
    table = bench(f"{UP}; press manager; rule correct 7 9S {WHY}")
    decided = [(decision.who, decision.decision, decision.stake) for decision in ruled(table).touched.decisions]
    assert decided == [("seat1", "stand", 0), ("seat2", "double", 1000), ("seat3", "hit", 0)]
    assert (table.fates[8:], table.state.round.asking.who) == (["burnt", "burnt"], ("seat1",))
    table.says("decide seat1 stand; decide seat2 hit; card 7C; decide seat2 stand; decide seat3 hit; card TS")
    assert (table.life, table.cards_on("dealer")) == ("settled", ["9S", "TH"])
    back = {paid.market: paid.returned for paid in table.facts("paid")}
    assert back == {"seat1 main": 0, "seat2 main": 0, "seat3 main": 2000}
    gone, debit = (sum(what.stake or 0 for what in table.facts(kind)) for kind in ("bet_withdrawn", "decided"))
    assert (gone, debit) == (1000, 1000)


def test_an_up_card_corrected_to_an_ace_asks_for_insurance():
    table = bench(f"{UP}; press manager; rule correct 7 AS {WHY}")
    assert table.state.round.asking.options == ("insure", "decline")


@pytest.mark.parametrize("choice", ["", "touched stand", "touched cancel"])
def test_touched_decisions_are_the_same_after_a_restart(choice):
    ends = []
    for pause in ("press manager", "press manager; restart"):
        table = bench(f"{UP}; {pause}; rule correct 7 9S {choice} {WHY}")
        ends.append((table.life, table.fates, table.state.round.bets, table.due))
    assert ends[0] == ends[1]


def test_a_decision_counts_as_touched_if_its_question_is_gone():
    def play(_, participants):
        dealer = Hand("dealer")
        yield from deal(dealer, face_up=False)
        if dealer.cards[0][0] != "A":
            yield from ask(participants.seats, "stand", "double", default="stand")
        yield from reveal(dealer)
        return High([])

    game = replace(TOY, places=(*TOY.places, "dealer"), procedure=play)
    table = bench("open; bet a seat1 main 1.00; bet b seat2 main 1.00; close; card KS; decide seat1 stand", game)
    table.says(f"press manager; rule correct 1 AS {WHY}")
    assert ruled(table).touched.decisions == (DecisionMade("seat1", "stand"),)
