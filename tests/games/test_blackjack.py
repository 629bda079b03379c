"""Rule sheet of MultiHand Blackjack, tested heading by heading."""

import pytest

from controller.games.blackjack import GAME

from .table_scripts import cards, codes, of_kind, paid, run, table


def opened(*seats: str) -> str:
    return "shuffled\nopen\n" + "".join(f"bet p{seat[-1]} {seat} main 10.00\n" for seat in seats or ("seat1",))


def dealt(names: str, *seats: str) -> str:
    """Return a script that bets on these seats, closes the bets and deals these cards, seats first."""
    return opened(*seats) + "close\n" + cards(names)


def results(play) -> dict[str, str]:
    return {place: hand["result"] for place, hand in play.state.round.outcome["hands"].items()}


def where(play) -> list[str]:
    return [what.to for what in of_kind(play, "dealt")]


def questions(play) -> list[tuple]:
    return [(*what.who, *what.options) for what in of_kind(play, "asked")]


# ── Punctaj ──────────────────────────────────────────────────────────────────────────────────────────────────────

POINTS = {
    "2C 3D": 5, "9C TD": 19, "JC QD": 20, "KC 2D": 12, "AC 9D": 20, "AC AD": 12, "AC AD AH 8C": 21,
    "AC 6D": 17, "AC 6D TH": 17, "KC QD 2H": 22, "AC KD QH": 21,
}  # fmt: skip


@pytest.mark.parametrize(("hand", "points"), POINTS.items())
def test_an_ace_is_1_or_11_picture_cards_are_10(hand, points):
    assert GAME.score("seat1", hand.split()) == str(points)


# ── Desfășurarea jocului ─────────────────────────────────────────────────────────────────────────────────────────


def test_hands_get_two_cards_then_dealer_one_up_one_down():
    play = table(GAME, dealt("9C 8C 7C TD 5D 6H", "seat5", "seat2"))
    assert where(play) == ["seat2", "seat2", "seat5", "seat5", "dealer", "dealer"]
    assert [what.face_up for what in of_kind(play, "dealt")] == [True] * 5 + [False]


def test_dealing_in_rounds_is_a_setting():
    play = table(GAME, dealt("9C 8C 7C TD 5D 6H", "seat5", "seat2"), deal_order="rounds")
    assert where(play) == ["seat2", "seat5", "dealer", "seat2", "seat5", "dealer"]


def test_hands_play_in_order_and_a_blackjack_is_skipped():
    play = table(GAME, dealt("9C 8C AC KD 9D 8D 5D 6H", "seat1", "seat2", "seat3") + "decide seat1 stand")
    assert [who for who, *_ in questions(play)] == ["seat1", "seat3"]


def test_the_dealer_draws_below_17_and_stands_on_soft_17():
    play = table(GAME, dealt("TC 9C 6D AH") + "decide seat1 stand")
    assert play.state.round.outcome["dealer"] == {"total": 17, "blackjack": False}
    play = table(GAME, dealt("TC 9C 6D 9H") + "decide seat1 stand\n" + cards("AH AD"))
    assert play.state.round.outcome["dealer"] == {"total": 17, "blackjack": False}
    assert where(play)[-2:] == ["dealer", "dealer"]


def test_the_dealer_reveals_without_drawing_when_every_hand_busts():
    play = table(GAME, dealt("TC 6C 6D 6H") + "decide seat1 hit\ncard KD")
    assert [what.cards for what in of_kind(play, "revealed")] == [("6D", "6H")]
    assert (results(play), play.state.round.outcome["dealer"]["total"]) == ({"seat1": "bust"}, 12)


def test_a_void_hand_is_no_hand_to_beat():
    script = dealt("TC 6C TD 9H 6D 6H", "seat1", "seat2") + "decide seat1 hit · card KD"
    void = " · rule void_hand seat2 by anna because x · rule resume by anna because x"
    play = table(GAME, script + " · press manager" + void)
    assert (results(play), play.state.round.outcome["dealer"]["total"]) == ({"seat1": "bust"}, 12)


def test_dealers_cards_stay_if_their_hand_is_void_later():
    script = dealt("TC 6C TD 9H 2D 3H", "seat1", "seat2") + "decide seat1 hit · card KD · decide seat2 stand · card 4C"
    void = " · unread · rule void_hand seat2 by anna because x · rule burn by anna because x · card KC"
    assert table(GAME, script + void).state.round.outcome["dealer"]["total"] == 19


def test_drawing_without_a_live_hand_is_a_setting():
    play = table(GAME, dealt("AC KC 6D 6H") + "card TD", draw_without_live_hand=True)
    assert (results(play), play.state.round.outcome["dealer"]["total"]) == ({"seat1": "blackjack"}, 22)


def test_every_hand_up_to_21_wins_when_the_dealer_busts():
    script = dealt("TC 6C TD 2H 6D TH", "seat1", "seat2")
    play = table(GAME, script + "decide seat1 hit\ncard TS\ndecide seat2 stand\ncard KD")
    assert results(play) == {"seat1": "bust", "seat2": "win"}


def test_a_round_needs_shuffled_cards_unless_the_shoe_stays():
    assert of_kind(table(GAME, "open"), "start_refused")[0].reason == "not_shuffled"
    assert table(GAME, "open", every_round=False).state.life == "betting"


def test_a_ninth_copy_of_a_card_is_a_fault():
    play = table(GAME, dealt("2C 2C 2C 2C 2C 2C 2C 2C", "seat1", "seat2", "seat3", "seat4") + "card 2C")
    assert codes(play) == ["duplicate_card"]


def test_a_round_without_a_seat_taken_ends_with_nothing_dealt():
    assert table(GAME, "shuffled\nopen\nclose").state.life == "cancelled"


# ── Alte pariuri: Asigurare ──────────────────────────────────────────────────────────────────────────────────────


def test_insurance_is_asked_of_all_hands_in_one_window():
    play = table(GAME, dealt("9C 8C AC KD AD 6H", "seat1", "seat2") + "decide seat1 insure\ndecide seat2 decline")
    assert questions(play)[0] == ("seat1", "seat2", "insure", "decline")
    assert of_kind(play, "asked")[0].default == "decline"
    assert questions(table(GAME, dealt("9C 8C KD 6H"))) == [("seat1", "hit", "stand", "double")]


def test_insurance_is_half_the_stake_and_pays_2_to_1():
    script = "shuffled · open · bet p1 seat1 main 10.01 · close\n" + cards("9C 8C AD KH") + "decide seat1 insure"
    assert paid(table(GAME, script)) == {"seat1 main": 0, "seat1 insurance": 1500}


def test_insurance_that_rounds_to_zero_is_refused_and_not_booked():
    script = "shuffled · open · bet p1 seat1 main 0.01 · close\n" + cards("9C 8C AD KH") + "decide seat1 insure"
    play = table(GAME, script)
    assert [refused.reason for refused in of_kind(play, "decision_refused")] == ["nothing_to_stake"]
    assert of_kind(play, "decided") == []
    run(play, "decide seat1 decline")
    assert paid(play) == {"seat1 main": 0}


def test_insurance_is_lost_when_the_dealer_has_no_blackjack():
    play = table(GAME, dealt("9C 8C AD 6H") + "decide seat1 insure\ndecide seat1 stand")
    assert paid(play) == {"seat1 main": 2000 if results(play)["seat1"] == "win" else 1000, "seat1 insurance": 0}


def test_a_silent_seat_declines():
    play = table(GAME, dealt("9C 8C AD 6H") + "wait 20s")
    (decided,) = of_kind(play, "decided")
    assert (decided.who, decided.decision, decided.by) == ("seat1", "decline", "table")


# ── the peek ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("dealer", ["AD KH", "KD AH"])
def test_a_dealers_blackjack_pushes_blackjacks_and_beats_all_others(dealer):
    play = table(GAME, dealt(f"AC KC TC 9D {dealer}", "seat1", "seat2") + "wait 15s · wait 15s")
    assert play.state.life == "settled"
    assert results(play) == {"seat1": "push", "seat2": "lose"}
    assert paid(play) == {"seat1 main": 1000, "seat2 main": 0}
    assert "hit" not in str(questions(play))


# ── Plăți ────────────────────────────────────────────────────────────────────────────────────────────────────────

PAYS = {
    "blackjack pays 3:2": ("AC KC 9D 8H", "", "blackjack", 2500),
    "a win pays 1:1": ("TC 9C 9D 9H", "decide seat1 stand", "win", 2000),
    "a dealer over 21 pays 1:1": ("TC 2C 6D TH", "decide seat1 stand\ncard KD", "win", 2000),
    "equal points push": ("TC 8C 9D 9H", "decide seat1 stand", "push", 1000),
    "fewer points lose": ("TC 7C 9D 9H", "decide seat1 stand", "lose", 0),
    "over 21 loses": ("TC 7C 9D 9H", "decide seat1 hit\ncard 5D", "bust", 0),
    "21 in three cards is no blackjack": ("TC 5C 9D 8H", "decide seat1 hit\ncard 6D", "win", 2000),
    "blackjack beats a drawn 21": ("AC KC 9D 2H", "card TD", "blackjack", 2500),
    "21 in three cards pushes a drawn 21": ("TC 5C 9D 2H", "decide seat1 hit\ncard 6D\ncard TD", "push", 1000),
}  # fmt: skip


@pytest.mark.parametrize(("names", "rest", "result", "returned"), PAYS.values(), ids=PAYS)
def test_each_hand_is_paid_by_its_result(names, rest, result, returned):
    settings = {"draw_without_live_hand": True} if rest == "card TD" else {}
    play = table(GAME, dealt(names) + rest, **settings)
    assert (results(play), paid(play)) == ({"seat1": result}, {"seat1 main": returned})


def test_blackjack_rounds_down_to_the_minor_unit():
    play = table(GAME, "shuffled · open · bet p1 seat1 main 0.01 · close\n" + cards("AC KC 9D 8H"))
    assert paid(play) == {"seat1 main": 2}


# ── Acțiuni ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_21_stands_by_itself():
    play = table(GAME, dealt("TC 5C 9D 9H") + "decide seat1 hit\ncard 6D")
    assert (len(questions(play)), play.state.life) == (1, "settled")


def test_doubling_takes_the_stake_once_more_and_one_card_only():
    play = table(GAME, dealt("6C 5C 9D 9H") + "decide seat1 double\ncard 2D")
    assert paid(play) == {"seat1 main": 0, "seat1 double": 0}
    (decided,) = of_kind(play, "decided")
    assert (decided.market, decided.stake) == ("seat1 double", 1000)


def test_doubling_is_for_two_cards_only():
    play = table(GAME, dealt("2C 2D 9D 9H") + "decide seat1 hit\ncard 3D\ndecide seat1 double")
    assert questions(play) == [("seat1", "hit", "stand", "double", "split"), ("seat1", "hit", "stand")]
    assert of_kind(play, "decision_refused")[0].reason == "not_allowed"


@pytest.mark.parametrize(("pair", "may"), [("8C 8D", True), ("KC TD", True), ("AC AD", True), ("9C 8D", False)])
def test_two_cards_of_equal_value_may_be_split(pair, may):
    assert ("split" in questions(table(GAME, dealt(f"{pair} 9D 9H")))[0]) == may


def test_both_split_hands_get_their_second_card_at_once():
    play = table(GAME, dealt("8C 8D 9D 9H") + "decide seat1 split\n" + cards("2C 3D"))
    assert where(play)[-2:] == ["seat1", "seat1.2"]
    assert questions(play)[-1] == ("seat1", "hit", "stand", "double")
    run(play, "decide seat1 stand")
    assert questions(play)[-1] == ("seat1.2", "hit", "stand", "double")


def test_dealing_the_split_hands_card_in_turn_is_a_setting():
    script = dealt("8C 8D 9D 9H") + "decide seat1 split\ncard 2C\ndecide seat1 stand\ncard 3D"
    assert where(table(GAME, script, split_second_card="in_turn"))[-2:] == ["seat1", "seat1.2"]


def test_a_hand_is_split_once():
    play = table(GAME, dealt("8C 8D 9D 9H") + "decide seat1 split\n" + cards("8H 8S") + "decide seat1 split")
    assert of_kind(play, "decision_refused")[0].reason == "not_allowed"


def test_split_aces_get_one_card_and_make_no_blackjack():
    play = table(GAME, dealt("AC AD 9D 9H") + "decide seat1 split\n" + cards("KC 5D"))
    assert results(play) == {"seat1": "win", "seat1.2": "lose"}
    assert paid(play) == {"seat1 main": 2000, "seat1 split": 0}


def test_split_tens_that_draw_an_ace_stand_on_21():
    play = table(GAME, dealt("KC QD 9D 9H") + "decide seat1 split\n" + cards("AC AD"))
    assert (play.state.life, results(play)) == ("settled", {"seat1": "win", "seat1.2": "win"})


def test_split_double_and_insurance_settle_to_the_cent():
    """Seat 1 insures, splits eights, doubles the second hand; seat 2 stands; the dealer has no blackjack."""
    script = "shuffled · open · bet p1 seat1 main 10.01 · bet p2 seat2 main 7.77 · close\n"
    script += cards("8C 8D TH 9H AS 6S") + "decide seat1 insure\ndecide seat2 decline\n"
    script += "decide seat1 split\n" + cards("TC 3D") + "decide seat1 stand\ndecide seat1.2 double\ncard TS\n"
    play = table(GAME, script + "decide seat2 stand")
    assert play.state.round.outcome["dealer"] == {"total": 17, "blackjack": False}
    assert paid(play) == {
        "seat1 main": 2002, "seat1 insurance": 0, "seat1 split": 2002, "seat1.2 double": 2002, "seat2 main": 1554,
    }  # fmt: skip
    stakes = {what.market: what.stake for what in of_kind(play, "decided") if what.market}
    assert stakes == {"seat1 insurance": 500, "seat1 split": 1001, "seat1.2 double": 1001}


def test_insurance_against_a_dealers_blackjack_makes_the_stake_whole():
    script = dealt("8C 8D TH 9H AS KS", "seat1", "seat2") + "decide seat1 insure\ndecide seat2 decline"
    assert paid(table(GAME, script)) == {"seat1 main": 0, "seat1 insurance": 1500, "seat2 main": 0}


# ── procedure errors ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "script",
    [
        dealt("TC 5C 9D 9H"),  # a decision is open
        dealt("TC 5C 9D 9H") + "decide seat1 double\ncard 2D",  # the doubled hand has its card, 19 stands
        dealt("AC AD 9D 9H") + "decide seat1 split\n" + cards("2C 5D"),  # split aces have their cards
        dealt("TC TD 9D 8H") + "decide seat1 stand",  # the dealer has 17
    ],
)
def test_a_card_that_is_not_due_is_an_extra_card(script):
    assert codes(table(GAME, script + "\ncard 4S")) == ["extra_card"]


def test_a_split_withdrawn_by_a_correction_gives_its_stake_back():
    play = table(GAME, dealt("8C 8D 9D 9H") + "decide seat1 split\n" + cards("2C 3D") + "press manager")
    run(play, 'rule correct 2 7D by manager1 because "misread"')
    assert [what.market for what in of_kind(play, "bet_withdrawn")] == ["seat1 split"]
    assert play.state.life == "deciding"
    assert [draw.fate for draw in play.state.round.draws[-2:]] == ["burnt", "burnt"]  # the split's: everybody saw them


def test_the_sheet_names_every_decision_as_it_is_asked():
    assert GAME.face.decisions == {name: name for name in ("hit", "stand", "double", "split", "insure", "decline")}
