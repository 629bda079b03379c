"""Six rounds that ended with a decision made on a card seen too early, or with money that nobody was told of."""

import pytest

from .test_rulings import bench

BLACKJACK = "shuffled; open; bet a seat1 main 100; close; card KS; card 5H; card TD; card 9C; decide seat1 hit; card 6C"
OPEN_HAND = f"{BLACKJACK}; press manager"  # 21: the dealer turned over 19
CORRECTED = "rule correct 5 2C{} by anna because misread"


def refused(table, says):
    """Why it is; it has changed nothing."""
    (record,) = table.says(says)
    assert (record.kind, table.life) == ("ruling_refused", "paused")
    return record.what.reason


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
    assert [what.stake for what in table.whats("refunded")] == [10000]


def test_the_hand_that_would_be_asked_is_void_and_the_others_settle():
    seats = "bet a seat1 main 100; bet b seat2 main 50"
    cards = "card KS; card 5H; card TS; card 9S; card TD; card 9C; decide seat1 hit; card 6C; decide seat2 stand"
    table = bench(f"shuffled; open; {seats}; close; {cards}; press manager", "blackjack", confirm="dealer")
    assert refused(table, "rule correct 7 2C by anna because misread") == "knowledge"
    table.says("rule void_hand seat1 by anna because misread")
    assert (table.life, [what.stake for what in table.whats("bet_withdrawn")]) == ("paused", [10000])
    table.says("rule correct 7 2C by anna because misread")
    assert (table.life, table.due) == ("complete", None)
    table.says("press finish")
    assert [(what.market, what.returned) for what in table.whats("paid")] == [("seat2 main", 5000)]
    assert list(table.whats("settled")[0].outcome["hands"]) == ["seat2"]


def test_a_corrected_round_that_asks_nobody_goes_on():
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


def test_a_double_of_another_seat_does_not_fall_without_a_word():
    table = doubled()
    table.says(MISREAD.format(""))
    (ruled,) = table.whats("ruled")
    assert ruled.choice == "anew"
    assert [(made.who, made.decision, made.stake) for made in ruled.touched.decisions] == [("seat2", "double", 10000)]
    assert (ruled.touched.cards, ruled.moved) == ((10,), 10000)
    assert (table.fates[9], table.state.round.asking.who) == ("burnt", ("seat1",))


def test_a_double_that_cannot_stand_is_refused_and_not_dropped():
    table = doubled()
    assert refused(table, MISREAD.format(" touched stand")) == "knowledge"
    table.says("rule void_hand seat1 by anna because misread")
    table.says(MISREAD.format(" touched stand"))
    assert (table.life, table.on("seat2")) == ("deciding", ["9S", "2S", "TH"])
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
def test_a_card_that_everybody_saw_does_not_become_a_hidden_one(how):
    game, says, ruling = SHOWN[how]
    table = bench(says, game, **({"confirm": "dealer"} if game == "casino_holdem" else {}))

    assert refused(table, f"rule {ruling} by anna because x") == "knowledge"
