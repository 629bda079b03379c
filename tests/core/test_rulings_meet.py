"""Combined rulings: with one another, with waiting reports, with void hands and hidden cards."""

import pytest
from msgspec.structs import replace

from controller.core.records.journal import NAMING

from .test_rulings import bench
from .test_six_scripts import refused

LOST = "open; bet a player 1000.00; close; card 2C; card 7D; card 3D; card KD; card AS"  # player 6, banker 7
BEFORE_THE_LAST = LOST.removesuffix("; card AS")
WAITS = f"{BEFORE_THE_LAST}; press manager; card AS; press dropped; rule resume by anna because x"
BY = "by anna because x"


# ── money: what all rulings of a round move ──────────────────────────────────────────────────────────────────────


def test_result_taken_and_given_again_needs_a_second_person():
    table = bench(f"{LOST}; press manager", confirm="dealer", second_above=150000)
    table.says(f"rule correct 3 4D {BY}")  # 6 to 7: nothing has moved
    assert table.fault == "extra_card"
    assert refused(table, f"rule correct 3 6D {BY}") == "needs_second"  # 2000.00 would be returned instead of nothing


def test_a_bet_two_persons_reopened_is_not_cancelled_by_one():
    table = bench(f"{LOST}; press manager; rule correct 2 2D with bea {BY}", confirm="dealer", second_above=50000)
    assert (table.life, table.state.round.outcome) == ("dealing", None)
    table.says("press manager")
    assert refused(table, f"rule cancel {BY}") == "needs_second"
    table.says(f"rule cancel with bea {BY}")
    assert table.life == "cancelled"


HOLDEM = "shuffled; open; bet p ante 10.00; close; card KD; card TH; card {}; card 7D; card JD; card QH; card 9S"


def test_a_refusal_tells_nothing_of_a_card_it_turns_over():
    """The void would turn over the dealer's first card at the player; as KD it would be a duplicate."""
    reasons = set()
    for hidden in ("KD", "8H"):
        table = bench(HOLDEM.format("8H"), "casino_holdem", second_above=500)
        draws = table.state.round.draws
        draw = next(draw for draw in draws if draw.card == "8H")
        round_ = replace(table.state.round, draws=table.state.round.draws_with(replace(draw, read=hidden)))
        table.state = replace(table.state, round=round_)
        table.says("decide p call; press manager")
        reasons.add(refused(table, f"rule void 2 {BY}"))
    assert reasons == {"knowledge"}


def test_no_neutral_ruling_confirms_the_result_of_another():
    table = bench(f"{LOST}; press manager; rule correct 5 4C {BY}; press manager", confirm="dealer")
    table.says(f"rule correct 4 QD {BY}")
    assert table.life == "complete"
    table.says("press finish")
    assert [what.by for what in table.facts("settled")] == ["dealer"]


def test_result_is_counted_while_a_report_waits():
    table = bench(WAITS, confirm="dealer", second_above=500)
    assert (table.fault, table.state.round.outcome["winner"]) == ("card_dropped", "banker")
    assert refused(table, f"rule correct 5 4C {BY}") == "needs_second"


@pytest.mark.parametrize("says", [WAITS, f"{LOST}; press manager; rule correct 3 6D {BY}"])
def test_the_clock_cancels_no_complete_round_in_any_pause(says):
    table = bench(f"{says}; wait 1000s", confirm="dealer", unruled="cancel")
    assert (table.life, table.state.fault.offered) == ("paused", True)


def test_the_result_follows_the_cards_while_reports_wait():
    table = bench(f"{LOST}; press manager; press dropped; rule correct 5 4C {BY}", confirm="dealer")
    assert (table.fault, table.state.round.outcome["player"]) == ("card_dropped", 9)


def test_more_time_is_given_three_times_a_round():
    table = bench(f"open; close; card 2C; press manager; press dropped; {'; '.join([f'rule extend {BY}'] * 3)}")
    table.says(f"rule resume {BY}")
    assert table.fault == "card_dropped"
    assert refused(table, f"rule extend {BY}") == "not_allowed"


@pytest.mark.parametrize(("deciding", "seconds"), [(NAMING, 60 + 180), (NAMING - 1, 180 + 180)])
def test_more_time_adds_to_the_lost_servers_limit(deciding, seconds):
    table = bench("open")
    table.house = replace(table.house, deciding=deciding)
    table.says(f"lost server; wait 10s; rule extend {BY}; wait {seconds - 11}s")
    assert table.fault == "server_lost"
    table.says("wait 1s")
    assert table.life == "cancelled"


def test_more_time_adds_to_a_cancellation_after_the_offer():
    table = bench(f"open; lost server; rule extend {BY}; wait {600 + 179}s", ruling_seconds=60, server_seconds=600)
    assert table.fault == "server_lost"
    table.says("wait 1s")
    assert table.life == "cancelled"


def test_bets_cannot_be_kept_without_right_odds():
    table = bench("open; close; card KC; bet b player 6.20; press manager", settings={"betting_windows": 3})
    assert refused(table, f"rule burn 1 touched stand {BY}") == "not_allowed"
    table.says(f"rule burn 1 {BY}")
    assert [what.choice for what in table.facts("ruled")] == ["withdraw"]


# ── void hands ───────────────────────────────────────────────────────────────────────────────────────────────────

TWO = "shuffled; open; bet a seat1 main 100; bet b seat2 main 100; close; card KS; card 5H; card 9S; card 2S; card TD; "
VOIDED = f"card 9C; decide seat1 stand; {{}}press manager; rule void_hand seat1 {BY}"


def test_card_is_corrected_after_a_hand_was_voided():
    table = bench(TWO + VOIDED.format(""), "blackjack")
    table.says(f"rule correct 5 KD {BY}")
    assert (table.life, table.state.round.asking.who) == ("deciding", ("seat2",))


def test_correcting_a_void_hands_card_keeps_the_other_decisions():
    table = bench(TWO + VOIDED.format("decide seat2 double; card TH; "), "blackjack", confirm="dealer")
    table.says(f"rule correct 1 2D {BY}")
    assert (table.life, table.cards_on("seat2")) == ("complete", ["9S", "2S", "TH"])
    assert table.facts("ruled")[-1].touched.decisions == ()


# ── knowledge ────────────────────────────────────────────────────────────────────────────────────────────────────

PEEKED = "shuffled; open; bet a seat1 main 100; close; card KS; card 5H; card AD; card 9C; decide seat1 insure; "
SEEN = (
    "shuffled; open; bet p ante 5.00; bet q ante 5.00; close; card AS; card KH; card 9S; card 9D; card QD; card 2C; "
    f"card 3C; decide p call; decide q fold; card 4C; card 5C; press exposed; rule resume {BY}; press manager"
)


def test_insurance_is_not_asked_anew_after_the_look():
    table = bench(f"{PEEKED}press manager", "blackjack")
    assert refused(table, f"rule correct 1 QS {BY}") == "knowledge"
    table.says(f"rule correct 1 QS touched stand {BY}")
    assert (table.life, len(table.state.round.bets)) == ("deciding", 2)


def test_insurance_is_asked_anew_while_it_is_open():
    seats = PEEKED.replace("close; card KS; card 5H", "bet b seat2 main 100; close; card KS; card 5H; card 8D; card 8C")
    table = bench(f"{seats}press manager", "blackjack")
    table.says(f"rule correct 1 QS {BY}")
    assert (table.life, table.state.round.asking.who) == ("deciding", ("seat1", "seat2"))


def test_a_decision_made_after_the_look_is_asked_anew():
    table = bench("shuffled; open; bet a seat1 main 100; bet b seat2 main 100; close; card 5S; card 6H", "blackjack")
    table.says(f"card 9S; card 7H; card TD; card 9C; decide seat1 stand; press manager; rule correct 1 4S {BY}")
    assert (table.life, table.state.round.asking.who) == ("deciding", ("seat1",))


def test_nobody_decides_anew_on_a_card_reported_seen():
    table = bench(SEEN, "casino_holdem", confirm="dealer", reveal="dealer")
    assert refused(table, f"rule correct 1 AD {BY}") == "knowledge"
    table.says(f"rule correct 1 AD touched stand {BY}")
    assert table.life == "dealing"


def test_void_is_not_offered_where_only_a_carried_card_lies():
    carried = "open; close; card 4C; card 2D; card 5C; card 3D; card 7H; rule carry seen no by anna because surplus"
    table = bench(f"{carried}; press finish; open; close; press manager", carry=True, confirm="dealer")
    assert [draw.source for draw in table.state.round.draws] == ["carried"]
    assert table.state.fault.not_now["void"] == "bad_draw"
    assert refused(table, f"rule void 1 {BY}") == "bad_draw"


# ── knowledge from the look under an ace or a ten ────────────────────────────────────────────────────────────────

HANDS = "shuffled; open; bet a seat1 main 100; bet b seat2 main 100; close; card KS; card 5H; card 9S; card 2S; "
ONE_HAND = "shuffled; open; bet a seat1 main 100; close; card KS; card 5H; "
INSURED = "decide seat1 insure; decide seat2 insure; press manager; "
DECLINED = "decide seat1 decline; decide seat2 decline; press manager; "
TOLD = {
    "a blackjack that waits to be turned over": (f"{HANDS}card AD; card TC; {DECLINED}", "correct 5 AH"),
    "a hole card that must be an ace": (f"{ONE_HAND}card TD; card AC; press manager; ", "correct 3 9D"),
    "the same before insurance": (f"{ONE_HAND}card TD; card AC; press manager; ", "correct 3 AD"),
    "a void hand that was asked after it": (
        f"{HANDS}card AD; card 9C; {INSURED}rule void_hand seat1 {BY}; ", "correct 3 8S",
    ),
    "a ruling that closed the question": (
        f"{HANDS}card AD; card 9C; {DECLINED}press dropped; rule correct 2 KH touched stand {BY}; ", "correct 3 8S",
    ),
}  # fmt: skip


@pytest.mark.parametrize("how", TOLD)
@pytest.mark.parametrize("restart", ["", "restart; "])
def test_nobody_decides_anew_with_knowledge_from_a_look(how, restart):
    says, ruling = TOLD[how]
    table = bench(says + restart, "blackjack", confirm="dealer", reveal="dealer")
    assert refused(table, f"rule {ruling} {BY}") == "knowledge"


GOES = {
    "an ace that is an eight": (f"{HANDS}card AD; card 9C; {INSURED}", "correct 5 8H"),
    "a ten that is an eight": (f"{ONE_HAND}card TD; card 9C; press manager; ", "correct 3 8H"),
    "a ten that is an ace": (f"{ONE_HAND}card TD; card 9C; press manager; ", "correct 3 AH"),
    "a card of a hand, under a ten": (f"{HANDS}card TD; card 9C; decide seat1 stand; press manager; ", "correct 1 4S"),
    "the same under an eight": (f"{HANDS}card 8D; card 9C; decide seat1 stand; press manager; ", "correct 1 4S"),
}  # fmt: skip


@pytest.mark.parametrize("how", GOES)
def test_a_correction_without_new_knowledge_is_allowed_after_a_look(how):
    says, ruling = GOES[how]
    table = bench(f"{says}rule {ruling} {BY}", "blackjack", confirm="dealer")
    assert (table.life, table.facts("ruling_refused")) == ("deciding", [])


# ── the second person, where nothing moves ───────────────────────────────────────────────────────────────────────

GIVEN_BACK = (
    f"{HANDS}card 7D; card 9C; decide seat1 stand; press manager; rule void_hand seat1 with bea {BY}; "
    f"rule resume {BY}; decide seat2 stand; "
)


@pytest.mark.parametrize("ruling", ["burn", "void"])
def test_removing_a_void_hands_card_leaves_other_hands_alone(ruling):
    cards = "; ".join(f"card {card}" for card in ("KS", "2H", "9S", "2S", "9H", "2D", "TD", "9C"))
    says = (
        f"shuffled; open; bet a seat1 main 1; bet b seat2 main 1; bet c seat3 main 1; close; {cards}; "
        f"decide seat1 hit; card 6C; decide seat1 stand; decide seat2 double; card TH; press manager; "
        f"rule void_hand seat1 {BY}"
    )
    table = bench(f"{says}; rule {ruling} 9 {BY}", "blackjack")
    assert (table.life, table.state.round.asking.who) == ("deciding", ("seat3",))
    assert [draw.place for draw in table.state.round.draws if draw.card == "TH"] == ["seat2"]
    assert table.facts("ruled")[-1].touched.decisions == ()


@pytest.mark.parametrize("says", [f"unread; rule enter 9H {BY}", f"press manager; card 9H; rule resume {BY}"])
def test_last_card_needs_no_second_person_after_one_confirmed(says):
    table = bench(GIVEN_BACK + says, "blackjack", second_above=5000, confirm="dealer")
    assert [what.reason for what in table.facts("ruling_refused")] == []
    assert table.life in ("complete", "settled")


def test_the_last_card_of_a_pause_counts_as_read():
    table = bench(f"{BEFORE_THE_LAST}; press manager; card AS", confirm="dealer", second_above=500)
    assert refused(table, f"rule correct 5 4S {BY}") == "needs_second"  # lost with the card read, won with the one said
    table.says(f"rule correct 5 4S with bea {BY}")
    assert table.life == "complete"
    table = bench(f"{BEFORE_THE_LAST}; press manager; card AS; rule resume {BY}", confirm="dealer", second_above=500)
    assert table.life == "complete"


@pytest.mark.parametrize("hidden", ["6H", "4H"])
def test_no_refusal_tells_of_a_hidden_second_copy(hidden):
    """The void would put the hidden card face up at the player; an open copy of 4H is already burnt."""
    deal = f"shuffled; open; bet p1 ante 1.00; close; card 4H; card {hidden}; card 4H; rule burn 3 checked deck {BY}"
    table = bench(f"{deal}; press manager; card 4H", "casino_holdem", {"deal_order": "rounds"})
    assert refused(table, f"rule void 1 {BY}") == "knowledge"
