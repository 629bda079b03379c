"""Six rounds that once ended with a decision on a card seen too early, or with unreported money."""

import pytest
from msgspec.structs import replace

from controller.core.records.journal import NAMING

from .test_rulings import bench, refused

BLACKJACK = "shuffled; open; bet a seat1 main 100; close; card KS; card 5H; card TD; card 9C; decide seat1 hit; card 6C"
OPEN_HAND = f"{BLACKJACK}; press manager"  # seat1 has 21; the dealer has turned over 19
CORRECTED = "rule correct 5 2C{} by anna because misread"


# ── 1: a question with the dealer's hand open ────────────────────────────────────────────────────────────────────

TOO_EARLY = {
    "a misread hit": (OPEN_HAND, CORRECTED.format("")),
    "a misread blackjack": (
        "shuffled; open; bet a seat1 main 100; close; card AS; card KH; card TD; card 9C; press manager",
        "rule correct 2 5H by anna because misread",
    ),
    "a misread bust": (
        f"{BLACKJACK.replace('card 6C', 'card 8C')}; press manager", CORRECTED.format(""),
    ),
    "a hole card misread as an ace": (
        "shuffled; open; bet a seat1 main 100; close; card KS; card 5H; card TD; card AC; press manager",
        "rule correct 4 9C by anna because misread",
    ),
}  # fmt: skip


@pytest.mark.parametrize("how", TOO_EARLY)
def test_nobody_is_asked_with_the_dealers_hand_in_sight(how):
    says, correct = TOO_EARLY[how]
    table = bench(says, "blackjack", confirm="dealer")
    assert refused(table, correct) == "knowledge"
    table.says("rule void_hand seat1 by anna because misread")
    assert table.life == "cancelled"
    assert [what.stake for what in table.facts("refunded")] == [10000]


def test_hand_that_would_be_asked_is_void_and_others_settle():
    seats = "bet a seat1 main 100; bet b seat2 main 50"
    cards = "card KS; card 5H; card TS; card 9S; card TD; card 9C; decide seat1 hit; card 6C; decide seat2 stand"
    table = bench(f"shuffled; open; {seats}; close; {cards}; press manager", "blackjack", confirm="dealer")
    assert refused(table, "rule correct 7 2C by anna because misread") == "knowledge"
    table.says("rule void_hand seat1 by anna because misread")
    assert (table.life, [what.stake for what in table.facts("bet_withdrawn")]) == ("paused", [10000])
    table.says("rule correct 7 2C by anna because misread")
    assert (table.life, table.due) == ("complete", None)
    table.says("press finish")
    assert [(what.market, what.returned) for what in table.facts("paid")] == [("seat2 main", 5000)]
    assert list(table.facts("settled")[0].outcome["hands"]) == ["seat2"]


def test_a_corrected_round_that_asks_nobody_settles():
    table = bench(OPEN_HAND, "blackjack", confirm="dealer")
    table.says("rule correct 5 6D by anna because misread")
    assert table.life == "settled"


# ── 2: another seat's decision ───────────────────────────────────────────────────────────────────────────────────

SEATS = "bet a seat1 main 100; bet b seat2 main 100; bet c seat3 main 100"
HANDS = "; ".join(f"card {card}" for card in ["KS", "5H", "9S", "2S", "TS", "6H", "6D", "TC"])
DOUBLED = f"shuffled; open; {SEATS}; close; {HANDS}; decide seat1 hit; card 6C; decide seat2 double; card TH"
MISREAD = "rule correct 9 2C{} by anna because misread"


def doubled(says="press manager"):
    return bench(f"{DOUBLED}; {says}", "blackjack")


def test_a_withdrawn_double_of_another_seat_is_reported():
    table = doubled()
    table.says(MISREAD.format(""))
    (ruled,) = table.facts("ruled")
    assert ruled.choice == "anew"
    assert [(one.who, one.decision, one.stake) for one in ruled.touched.decisions] == [("seat2", "double", 10000)]
    assert (ruled.touched.cards, ruled.moved) == ((10,), 10000)
    assert (table.fates[9], table.state.round.asking.who) == ("burnt", ("seat1",))


def test_a_double_that_cannot_stand_is_refused_and_not_dropped():
    table = doubled()
    assert refused(table, MISREAD.format(" touched stand")) == "knowledge"
    table.says("rule void_hand seat1 by anna because misread")
    table.says(MISREAD.format(" touched stand"))
    assert (table.life, table.cards_on("seat2")) == ("deciding", ["9S", "2S", "TH"])
    assert [bet.stake for bet in table.state.round.bets.values()] == [10000, 10000, 10000]
    assert table.state.round.asking.who == ("seat3",)


# ── 3: a card that everybody saw becomes the hole card ───────────────────────────────────────────────────────────

HOLDEM = "shuffled; open; bet p1 ante 1.00; close; card AS; card KH; card 9S; card 9S; card QD; card 2C; card 3C"
BOARD = HOLDEM.replace("card 9S; card 9S", "card 9S; card 9D")
RHUM = "shuffled; open; bet p1 seat1 ante 5.00; close; " + "; ".join(
    f"card {card}" for card in ("2C", "7D", "KS", "5D", "3S", "4S", "8S", "TD")
)
UP_CARD = "shuffled; open; bet a seat1 main 100; close; card KS; card 5H; card TD; card TD; card 9C"
SHOWN = {
    "void": ("casino_holdem", f"{HOLDEM}; card 4C; press manager", "void 4"),
    "move": ("casino_holdem", f"{BOARD}; press manager; rule burn 4 by anna because dropped", "move 5 dealer"),
    "Rhum 32": ("rhum32", f"{RHUM}; press manager", "burn 7"),
    "an up card read twice": ("blackjack", f"{UP_CARD}; press manager", "void 3"),
}


@pytest.mark.parametrize("how", SHOWN)
def test_card_that_everybody_saw_never_becomes_a_hidden_one(how):
    game, says, ruling = SHOWN[how]
    table = bench(says, game, **({"confirm": "dealer"} if game == "casino_holdem" else {}))

    assert refused(table, f"rule {ruling} by anna because x") == "knowledge"


# ── 4: a card read twice ─────────────────────────────────────────────────────────────────────────────────────────

TWICE = {
    "dealer_call": "open; close; card 9C; card 9C; press manager",
    "card_dropped": "open; close; card 9C; card 9C; press dropped",
    "wrong_place": "open; close; card 9C; card 9C at player",
    "card_before_close": "open; card 9C",
    "missing_card": "open; close; card 9C; card 9C; press finish",
    "stalled": "open; close; card 9C; card 9C; wait 30s",
}


@pytest.mark.parametrize("code", TWICE)
def test_card_read_twice_is_void_with_several_decks(code):
    table = bench(TWICE[code])
    assert table.fault == code
    number = len(table.fates)
    table.says(f"rule void {number} by anna because twice")
    assert (table.fates[-1], table.state.shoe.out) == ("void", number - 1)
    by = next(record.seq for record in table.records if record.kind == "ruled")
    assert [what.ruled for what in table.facts("voided")] == [by]
    table.says("press manager; rule cancel by anna because x; shoe change left 415; shoe ready")
    (account,) = table.facts("shoe_ended")
    assert account.unaccounted == 312 - 415 - (number - 1)


# ── 5: two persons by what moves ─────────────────────────────────────────────────────────────────────────────────

WINDOWS = "open; bet a player 3.10; close; card KC; bet b player 6.20; press manager"  # 9.30
MISREAD_KING = "rule correct 1 9C by anna because misread"  # b's odds were those of a king
LOST = "open; bet a player 1000.00; close; card 2C; card 7D; card 3D; card KD; card AS"  # player 6, banker 7


def limited(says, **terms):
    settings = {"betting_windows": 3} if says == WINDOWS else None
    return bench(says, settings=settings, **{"second_above": 500, "confirm": "dealer", **terms})


def test_amounts_moved_by_two_rulings_are_added_per_bet():
    table = limited(WINDOWS)
    assert refused(table, "rule cancel by anna because x") == "needs_second"
    assert refused(table, MISREAD_KING) == "needs_second"
    table.says("rule correct 1 9C with bea by anna because misread; press manager")
    assert [what.stake for what in table.facts("bet_withdrawn")] == [620]
    assert refused(table, "rule cancel by anna because x") == "needs_second"
    table.says("rule cancel with bea by anna because x")
    assert [what.moved for what in table.facts("ruled")] == [620, 310]


def test_one_person_turns_no_lost_stake_into_a_win():
    table = limited(f"{LOST}; press manager")
    assert refused(table, "rule correct 5 4S by anna because misread") == "needs_second"
    table.says("rule correct 5 4S with bea by anna because misread")
    assert (table.life, table.facts("ruled")[0].moved) == ("complete", 200000)
    table.says("press finish")
    assert table.life == "settled"


@pytest.mark.parametrize(("confirm", "life"), [("dealer", "complete"), ("shoe", "complete"), ("auto", "settled")])
def test_a_ruling_that_changes_a_result_does_not_confirm_it(confirm, life):
    says = LOST if confirm != "auto" else f"{LOST.replace('; card AS', '')}; press manager; card AS"
    table = limited(f"{says}; press manager", confirm=confirm, second_above=None)
    table.says("rule correct 5 4S by anna because misread" + "; rule resume by anna because x" * (confirm == "auto"))
    assert table.life == life
    table.says("press finish")
    assert table.life == "settled"


@pytest.mark.parametrize("limit", [None, 10**6])
def test_the_clock_cancels_no_round_that_has_a_result(limit):
    table = limited(f"{LOST}; press manager", unruled="cancel", second_above=limit)
    table.wait(10_000)
    assert (table.life, table.state.fault.offered) == ("paused", True)


@pytest.mark.parametrize(("deciding", "life"), [(NAMING, "cancelled"), (NAMING - 1, "paused")])
@pytest.mark.parametrize("by", ["anna", "bea"])
def test_only_the_first_acknowledgement_restarts_the_time_limit(by, deciding, life):
    table = bench("open; bet a player 1.00; close; card 2C; press manager", unruled="cancel")
    table.house = replace(table.house, deciding=deciding)
    table.says(f"wait 100s; ack by anna; wait 170s; ack by {by}; wait 20s")
    assert (table.life, table.facts("acknowledged")[-1].by) == (life, by)


def test_an_acknowledgement_and_more_time_stop_the_cancel_clock():
    table = bench("open; bet a player 1.00; close; card 2C; press manager", unruled="cancel")
    table.says("wait 170s; ack by anna; wait 170s")
    assert table.life == "paused"
    for _ in range(3):
        table.says("rule extend by anna because looking; wait 170s")
        assert table.life == "paused"
    assert refused(table, "rule extend by anna because looking") == "not_allowed"
    assert [what.by for what in table.facts("extended")] == ["anna"] * 3
    table.says("wait 200s")
    assert table.life == "cancelled"


# ── the first round in other ways ────────────────────────────────────────────────────────────────────────────────

WAYS = {
    "across a restart": ("press manager; restart", ""),
    "a refused ruling first": ("press manager; rule correct 5 JOKER by anna because x", ""),
    "two reports waiting": ("press manager; shoe error 7; press dropped", ""),
    "by a supervisor from the floor": ("press manager", " person 77"),
    "twice": ("press manager; rule correct 5 2C by anna because misread", ""),
    "after another ruling": ("press manager; rule resume by anna because x; press manager", ""),
}


@pytest.mark.parametrize("way", WAYS)
def test_dealers_hand_stays_out_of_decisions_in_every_way(way):
    says, person = WAYS[way]
    table = bench(f"{BLACKJACK}; {says}", "blackjack", confirm="dealer")
    assert refused(table, f"rule correct 5 2C{person} by anna because misread") == "knowledge"
    table.says(f"rule void_hand seat1{person} by anna because misread")
    assert (table.life, len(table.facts("refunded"))) == ("cancelled", 1)
