"""A finished round is settled anew by two people: what is corrected, what is refused, what stays."""

from itertools import pairwise

import msgspec
import pytest
from msgspec.structs import replace

from controller.config.table_file import PROGRAM
from controller.core import events as e
from controller.core.clock import to_text
from controller.core.decide.cases import MOST_CASES
from controller.core.decide.past_rounds import with_past
from controller.core.encoding import decode, encode, encode_input
from controller.core.past_round import decode_past, encode_past
from controller.core.records import DECIDING, RESETTLING
from controller.core.records.journal import NAMING
from controller.core.sheet import digest
from controller.core.views import view
from controller.games import GAMES, baccarat
from controller.reports.replay import Replay
from controller.text.records import sentence
from tests.core.test_sheet import edited

from .bench import Bench, kinds

BETS = "open; bet p1 player 1.00; bet p2 banker 1.00; bet p3 tie 1.00; close"
PLAYER = f"{BETS}; card 9C; card 2D; card KC; card 3D"  # player 9, banker 5: done after four cards
BANKER = f"{BETS}; card 2C; card 9D; card KC; card KD"
TIE = f"{BETS}; card 9C; card 9D; card KC; card KD"
WHO = "by m with n because misread"
HOLDEM = "shuffled; open; bet p1 ante 1.00; close; card AC; card 7D; card KS; card QS; card 2H; card 3H; card 4S"


def anew(table, what, who=WHO):
    """Settle round 1 anew; return the contents of the last record."""
    return table.says(f"resettle 1 {what} {who}")[-1].what


def differences(what):
    return {one.player: one.difference for one in what.movements}


def returned(table):
    return {paid.player: paid.returned for paid in table.facts("paid")}


# ── the nine differences ─────────────────────────────────────────────────────────────────────────────────────────────


NINE = (  # script, corrections, winner afterwards, difference of each player's stake of 1.00
    (PLAYER, "correct 1 8C and correct 2 6D", "banker", {"p1": -200, "p2": 195, "p3": 0}),
    (PLAYER, "correct 2 6D", "tie", {"p1": -100, "p2": 100, "p3": 900}),
    (PLAYER, "void", None, {"p1": -100, "p2": 100, "p3": 100}),
    (BANKER, "correct 2 8D and correct 1 9C", "player", {"p1": 200, "p2": -195, "p3": 0}),
    (BANKER, "correct 1 9C", "tie", {"p1": 100, "p2": -95, "p3": 900}),
    (BANKER, "void", None, {"p1": 100, "p2": -95, "p3": 100}),
    (TIE, "correct 2 8D", "player", {"p1": 100, "p2": -100, "p3": -900}),
    (TIE, "correct 1 8C", "banker", {"p1": -100, "p2": 95, "p3": -900}),
    (TIE, "void", None, {"p1": 0, "p2": 0, "p3": -800}),
)


@pytest.mark.parametrize(("played", "corrections", "winner", "moved"), NINE)
def test_each_result_becomes_each_other_or_void(played, corrections, winner, moved):
    table = Bench()
    table.says(played)
    before = returned(table)
    what = anew(table, corrections)
    assert (what.now and what.now["winner"], differences(what)) == (winner, moved)
    assert {one.player: one.was for one in what.movements} == before


# ── who, when, and of which round ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("line", "reason"),
    {
        f"resettle 1 void {WHO}": None,
        "resettle 1 void by m because misread": "needs_second",
        "resettle 1 void by m with M because misread": "same_person",
        "resettle 1 void by dealer with n because misread": "own_round",
        "resettle 1 void by m with dealer because misread": "own_round",
        f"resettle 2 void {WHO}": "no_round",
        f"resettle 1 void revision 1 {WHO}": "stale_revision",
        f"resettle 1 void revision 0 {WHO}": None,
        f"resettle 1 resume {WHO}": "no_change",
        f"resettle 1 correct 1 9C {WHO}": "no_change",
        f"resettle 1 correct 9 2C {WHO}": "bad_draw",
        f"resettle 1 correct 1 JOKER {WHO}": "bad_card",
        f"resettle 1 correct 1 2C {WHO}": "lacks_card",
        f"resettle 1 move 4 player {WHO}": "does_not_fit",
        f"resettle 1 correct 2 6D and void {WHO}": "not_allowed",
    }.items(),
)
def test_a_resettlement_is_refused_with_its_reason(line, reason):
    table = Bench()
    table.says(PLAYER)
    what = table.says(line)[-1].what
    assert getattr(what, "reason", None) == reason
    assert bool(table.state.revisions) == (reason is None)


def test_a_refusal_names_the_round_that_was_asked_for():
    table = Bench()
    table.says(f"{PLAYER}; open; bet p1 player 1.00")
    (refused,) = table.says(f"resettle 999 void {WHO}")
    assert (refused.round, refused.what.reason) == (None, "no_round")
    assert sentence(view(refused, "manager")).startswith("m cannot settle round 999 anew: no round of this number")
    (refused,) = table.says("dismiss 1 by m because nothing")
    assert (refused.round, refused.what.reason) == (None, "no_case")


def test_the_present_dealer_may_not_be_the_one_who_dealt():
    table = Bench()
    table.says(f"{PLAYER}; dealer d2")
    assert anew(table, "void", "by dealer with n because misread").reason == "own_round"
    assert anew(table, "void", "by d2 with n because misread").revision == 1


def test_a_round_is_settled_anew_only_within_its_hours():
    table = Bench(resettle_hours=1)
    table.says(f"{PLAYER}; wait 3600s")
    assert anew(table, "correct 2 6D").revision == 1
    table.says("wait 1s")
    assert anew(table, "void").reason == "too_late"


def test_a_past_round_is_settled_anew_while_another_is_live():
    table = Bench()
    table.says(f"{PLAYER}; open; bet p1 player 1.00; close; card 9H")
    before = table.state
    assert table.says(f"resettle 2 void {WHO}")[-1].what.reason == "no_round"
    assert anew(table, "void").now is None
    assert (table.state.round, table.state.life, table.state.shoe) == (before.round, "dealing", before.shoe)


def test_a_second_shift_manager_is_told_that_another_was_first():
    table = Bench()
    table.says(PLAYER)
    first, second = (e.Resettle(1, (e.Amendment("cancel"),), by, "x", "n", revision=0) for by in ("m", "o"))
    assert table.do(first)[-1].kind == "resettled"
    assert table.do(second)[-1].what.reason == "stale_revision"


def test_a_round_read_before_a_resettlement_is_stale_after_it():
    table = Bench()
    table.says(PLAYER)
    read = table.do(e.Resettle(1, (e.Amendment("cancel"),), "m", "x", "n"))[-1].input.event
    assert table.do(read)[-1].what.reason == "stale_revision"


# ── chains ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_each_revision_begins_where_the_last_one_ended():
    table = Bench()
    table.says(PLAYER)
    chain = [anew(table, what) for what in ("correct 2 6D", "void", "resume", "correct 1 8C")]
    assert [what.revision for what in chain] == [1, 2, 3, 4]
    assert [(what.was or {}).get("winner") for what in chain] == ["player", "tie", None, "tie"]
    assert [(what.now or {}).get("winner") for what in chain] == ["tie", None, "tie", "banker"]
    for before, after in pairwise(chain):
        assert [one.now for one in before.movements] == [one.was for one in after.movements]


def test_a_restart_between_revisions_changes_nothing():
    lines = ["open", "resettle 1 correct 2 6D " + WHO, "card 9H", "resettle 1 void " + WHO, "resettle 1 resume " + WHO]
    once, often = Bench(), Bench()
    for table, between in ((once, ""), (often, "restart")):
        table.says(PLAYER)
        for line in lines:
            table.says(f"{line}\n{between}")
    same = [[replace(what, replaces=None) for what in table.facts("resettled")] for table in (once, often)]
    assert same[0] == same[1]
    assert len(same[0]) == 3


AGAIN = f"open; close; card 9C; card 2D; card KC; card 3D; resettle 2 void {WHO}"


@pytest.mark.parametrize(("deciding", "known"), [(NAMING - 1, [2]), (NAMING, [1, 2])])
def test_revisions_are_known_for_good_but_in_older_records(deciding, known):
    table = Bench()
    table.house = replace(table.house, deciding=deciding)
    table.says(f"restart; {PLAYER}; resettle 1 void {WHO}; wait 999999m; {AGAIN}")
    assert list(table.state.revisions) == known


def test_a_wrong_clock_gives_a_round_no_second_first_revision():
    table = Bench()
    table.says(f"{PLAYER}; resettle 1 void {WHO}")
    right = to_text(table.now)
    table.says(f"wait 99999m; {AGAIN}")
    table.do(e.SetClock(right))
    anew(table, "resume")
    revised = [(record.round, record.what.revision) for record in table.records if record.kind == "resettled"]
    assert revised == [(1, 1), (2, 1), (1, 2)]


# ── missing and surplus cards ────────────────────────────────────────────────────────────────────────────────────────


def test_a_card_not_needed_any_more_is_out_of_play():
    table = Bench()
    table.says(f"{BETS}; card 2C; card 2D; card 3C; card 5D; card 4H")  # player 5 draws a four: 9 against 7
    what = anew(table, "correct 1 6C")  # a natural 9 draws none
    assert (what.now["cards"], what.now["winner"]) == (4, "player")


def test_a_card_not_needed_is_there_for_the_next_revision():
    table = Bench()
    table.says(f"{BETS}; card 2C; card 2D; card 3C; card 5D; card 4H")  # player 9, banker 7
    anew(table, "correct 1 6C")  # mistyped: a natural 9 draws none
    what = anew(table, "correct 1 2C")
    assert (what.now["cards"], what.now["player"]) == (5, 9)
    anew(table, "correct 1 6C")
    what = anew(table, "correct 1 2C and correct 5 3H")
    assert (what.now["cards"], what.now["player"]) == (5, 8)


def test_redraws_not_needed_are_there_for_the_next_revision():
    table = Bench("thirty_two")
    table.says("shuffled; open; bet p1 player8 1.00; bet p2 player9 1.00; close; card 9C; card 8D; card 7H; card 6C")
    table.says("card 7D; card TH; card 7S; card 8S")
    assert returned(table) == {"p1": 0, "p2": 550}
    assert differences(anew(table, "correct 1 TC")) == {"p1": 1200, "p2": -550}
    assert differences(anew(table, "correct 1 9C")) == {"p1": -1200, "p2": 550}


def test_a_card_that_is_right_already_hinders_no_correction():
    table = Bench()
    table.says(PLAYER)
    assert differences(anew(table, "correct 1 9C and correct 2 6D")) == {"p1": -100, "p2": 100, "p3": 900}
    assert anew(table, "correct 2 6D").reason == "no_change"
    anew(table, "void")
    assert anew(table, "correct 2 6D").now["winner"] == "tie"


def test_a_misplaced_card_is_moved_in_the_same_resettlement():
    table = Bench()
    table.says(f"{BETS}; card 2C; card 2D; card 3C; card 3D; card 4H; card AC")  # player 9; banker 5 draws an ace: 6
    assert anew(table, "correct 1 4C").reason == "does_not_fit"  # player 7 stands: the four would be the banker's
    what = anew(table, "correct 1 4C and move 5 banker")
    assert (what.now["player"], what.now["banker"], what.now["winner"]) == (7, 9, "banker")


def test_a_round_lacking_a_decision_can_only_be_void():
    table = Bench("casino_holdem")
    table.says(f"{HOLDEM}; decide p1 fold")
    assert anew(table, "correct 1 2C").now is not None  # nobody is asked: the fold counts
    blackjack = Bench("blackjack")
    blackjack.says("shuffled; open; bet p1 seat1 main 1.00; close; card AC; card KS; card 7D; card TS")
    assert blackjack.life == "settled"
    assert blackjack.says(f"resettle 1 correct 1 2C {WHO}")[-1].what.reason == "lacks_decision"


TWO_SEATS = (
    "shuffled; open; bet p1 seat1 main 1.00; bet p2 seat2 main 1.00; close; card TC; card 6C; card TD; card 8D; "
    "card 7S; card 9H; decide seat1 hit; card 2H; decide seat1 stand; decide seat2 stand; card TH"
)


@pytest.mark.parametrize(
    ("corrections", "moved"),
    {
        "correct 7 TS": {"p1": -200, "p2": 0},
        "correct 7 TS and correct 8 AH": {"p1": -200, "p2": 0},
        "correct 7 TS and void_hand seat1": {"p1": -100, "p2": 0},
        "void_hand seat1 and correct 7 TS": {"p1": -100, "p2": 0},
    }.items(),
)
def test_a_hand_that_is_bust_now_leaves_the_others_decisions(corrections, moved):
    table = Bench("blackjack")
    table.says(TWO_SEATS)
    assert returned(table) == {"p1": 200, "p2": 200}
    assert differences(anew(table, corrections)) == moved


def test_decisions_that_a_revision_left_out_stay_out():
    table = Bench("blackjack")
    table.says(TWO_SEATS)
    assert set(differences(anew(table, "correct 5 TS and correct 6 AH")).values()) == {-200}  # the dealer has blackjack
    assert anew(table, "correct 5 7S and correct 6 9H").reason == "lacks_decision"
    assert "was never made" not in sentence(view(table.records[-1], "auditor"))


def test_cards_of_a_hand_bust_before_are_out_of_play():
    table = Bench("blackjack")
    table.says(TWO_SEATS.replace("decide seat1 stand", "decide seat1 hit; card AS; decide seat1 stand"))
    what = anew(table, "correct 7 TS")
    assert (what.now["hands"]["seat1"]["total"], what.now["dealer"]["total"]) == (26, 26)


LAST_SEAT = TWO_SEATS.replace("decide seat2 stand", "{}decide seat2 hit; card AS; decide seat2 stand")
TWO_HITS = LAST_SEAT.format("decide seat2 hit; card 2C; ")


@pytest.mark.parametrize(
    ("played", "corrections", "total", "moved"),
    [
        (LAST_SEAT.format(""), "correct 4 AH", 21, {"p1": 0, "p2": 50}),  # blackjack
        (TWO_HITS, "correct 8 3C", 21, {"p1": 0, "p2": 0}),
        (TWO_HITS, "correct 8 7C", 25, {"p1": 0, "p2": -200}),
        (TWO_HITS, "correct 8 7C and void_hand seat1", 25, {"p1": -100, "p2": -200}),
    ],
)
def test_cards_of_the_last_hand_are_out_of_play_too(played, corrections, total, moved):
    table = Bench("blackjack")
    table.says(played)
    assert table.life == "settled"
    what = anew(table, corrections)
    assert (what.now["hands"]["seat2"]["total"], differences(what)) == (total, moved)


def test_a_split_without_a_pair_lacks_its_hands_decision():
    table = Bench("blackjack")
    table.says("shuffled; open; bet p1 seat1 main 1.00; close; card 8C; card 8D; card TH; card 7H; decide seat1 split")
    table.says("card TC; card 9C; decide seat1 stand; decide seat1.2 stand")  # each hand stood, not eight and nine
    assert (table.life, anew(table, "correct 2 9D").reason) == ("settled", "lacks_decision")


def test_one_hand_is_made_void_and_the_others_settle():
    table = Bench("rhum32")
    table.says("shuffled; open; bet p1 seat1 ante 1.00; bet p2 seat2 ante 1.00; close")
    table.says("card 2C; card 2D; card 3C; card 3D; card 4C; card 4D; card 5C; card 5D")
    table.says("card 6C; card 6D; card 7C; card 7D; decide seat1 raise; decide seat2 fold; card 9C; card 9D")
    assert table.life == "settled"
    what = anew(table, "void_hand seat1")
    assert {one.market: one.difference for one in what.movements if one.difference} != {}
    assert {one.market: one.now for one in what.movements} == {"seat1 ante": 100, "seat2 ante": 0, "seat1 play": 200}
    assert set(what.now["hands"]) == {"seat2"}


def test_a_void_hands_cards_stay_before_those_of_others():
    table = Bench("rhum32")
    table.says("shuffled; open; bet p1 seat1 ante 1.00; bet p2 seat2 ante 1.00; close")
    table.says("card 2C; card 2D; card 3C; card 3D; card 4C; card 4D; card 5C; card 5D")
    table.says("card 6C; card 6D; card 7C; card 7D; decide seat1 raise; decide seat2 raise; card 9C; card 9D; card TC")
    what = anew(table, "void_hand seat1")
    assert (what.now["dealer"], set(what.now["hands"])) == (what.was["dealer"], {"seat2"})


def test_insurance_that_was_not_due_goes_back_alone():
    table = Bench("blackjack")
    table.says(TWO_SEATS.replace("card 7S", "card AS").replace("; card TH", "").replace(
        "decide seat1 hit", "decide seat1 insure; decide seat2 decline; decide seat1 hit"
    ))  # fmt: skip
    assert table.life == "settled"
    what = anew(table, "correct 5 8S")  # eight and nine: 17 against two hands of 18
    assert {(one.market, one.was, one.now) for one in what.movements} == {
        ("seat1 main", 0, 200), ("seat2 main", 0, 200), ("seat1 insurance", 0, 50),
    }  # fmt: skip
    assert anew(table, "correct 5 AS").reason == "lacks_decision"  # nobody can be asked now


@pytest.mark.parametrize(("deciding", "reason"), [(NAMING, "no_change"), (NAMING - 1, "does_not_fit")])
def test_a_hand_that_is_void_already_hinders_no_correction(deciding, reason):
    table = Bench("blackjack")
    table.house = replace(table.house, deciding=deciding)
    table.says(TWO_SEATS)
    anew(table, "void_hand seat1")
    assert anew(table, "void_hand seat1").reason == reason
    if deciding == NAMING:
        assert differences(anew(table, "void_hand seat1 and correct 5 9S")) == {"p1": 0, "p2": -100}


LEFT_AND_ASKED = (  # seat 1 has blackjack or stands on 19; seat 2 doubles
    "shuffled; open; bet p1 seat1 main 1.00; bet p2 seat2 main 1.00; close; card {}; card {}; card TD; card 2S; "
    "card 9H; card 8D; {}decide seat2 double; card 8C"
)


@pytest.mark.parametrize(
    ("played", "corrections"),
    {
        LEFT_AND_ASKED.format("AC", "KC", ""): "correct 1 5C and void_hand seat1",
        LEFT_AND_ASKED.format("9C", "TC", "decide seat1 stand; "): "correct 1 AC and correct 2 8D",
    }.items(),
)
def test_corrections_count_together_in_whatever_order(played, corrections):
    table, reverse, older = Bench("blackjack"), Bench("blackjack"), Bench("blackjack")
    older.house = replace(older.house, deciding=NAMING - 1)
    for one in (table, reverse, older):
        one.says(played)
    what = anew(table, corrections)
    assert what.now["hands"]["seat2"] == {"total": 20, "result": "win"}
    assert what.movements == anew(reverse, " and ".join(reversed(corrections.split(" and ")))).movements
    assert anew(older, corrections).reason == "lacks_decision"


ALL_BUST_BUT_ONE = (
    "shuffled; open; bet p1 seat1 main 1.00; bet p2 seat2 main 1.00; close; card 6D; card 9D; card 6C; card TD; "
    "card 7D; card 8C; decide seat1 hit; card 5H; decide seat1 stand; decide seat2 hit; card 8D; card 7H"
)
TIED_AT_THE_TOP = "shuffled; open; close; card 6H; card KH; card QD; card 6C; card QC; card 6D"


@pytest.mark.parametrize(
    ("game", "played", "corrections", "reason"),
    [
        ("blackjack", ALL_BUST_BUT_ONE, ("correct 3 AH", "void_hand seat1"), None),  # the dealer drew for seat 1
        ("thirty_two", TIED_AT_THE_TOP, ("move 5 player9", "void 3"), "does_not_fit"),
        ("blackjack", ALL_BUST_BUT_ONE, ("correct 99 QH", "void_hand seat7"), "does_not_fit"),
    ],
)
def test_corrections_have_one_result_in_whatever_order(game, played, corrections, reason):
    ends = []
    for one in (corrections, corrections[::-1]):
        table = Bench(game)
        table.says(played)
        ends.append(anew(table, " and ".join(one)))
    assert [getattr(end, "reason", None) for end in ends] == [reason, reason]
    assert reason or ends[0].now == ends[1].now


@pytest.mark.parametrize("corrections", ["correct 1 8H and move 5 banker", "move 5 banker and correct 1 8H"])
def test_no_unneeded_card_is_moved_in_whatever_order(corrections):
    table = Bench()
    table.says(f"{BETS}; card 2C; card 3D; card KC; card 4D; card 5H")
    assert (table.life, anew(table, corrections).reason) == ("settled", "does_not_fit")


@pytest.mark.parametrize(("deciding", "reason"), [(NAMING, None), (NAMING - 1, "lacks_card")])
def test_no_dealers_card_is_lacking_against_void_hands_alone(deciding, reason):
    table = Bench("blackjack")
    table.house = replace(table.house, deciding=deciding)
    table.says(TWO_SEATS.replace("decide seat1 hit; card 2H; decide seat1 stand", "decide seat1 hit; card 6H").replace(
        "decide seat2 stand; card TH", "decide seat2 hit; card 7H"
    ))  # fmt: skip
    what = anew(table, "void_hand seat1 and correct 7 2H")
    assert getattr(what, "reason", None) == reason
    if reason is None:
        assert (what.now["dealer"]["total"], differences(what)) == (16, {"p1": 100, "p2": 0})


@pytest.mark.parametrize(
    "corrections",
    ["void_hand seat1 and void_hand seat2 and correct 5 9S", "void_hand seat1 and correct 5 9S and void_hand seat2"],
)
def test_voiding_all_hands_beside_a_correction_voids_the_round(corrections):
    table, older = Bench("blackjack"), Bench("blackjack")
    older.house = replace(older.house, deciding=NAMING - 1)
    table.says(TWO_SEATS)
    older.says(TWO_SEATS)
    what = anew(table, corrections)
    assert (what.now, differences(what)) == (None, {"p1": -100, "p2": -100})
    assert anew(older, "void_hand seat1 and void_hand seat2 and correct 5 9S").reason == "not_allowed"


@pytest.mark.parametrize(("later", "reason"), [("correct 5 JOKER", "bad_card"), ("correct 99 9S", "bad_draw")])
def test_corrections_beside_the_last_void_hand_must_be_right(later, reason):
    table = Bench("blackjack")
    table.says(TWO_SEATS)
    assert anew(table, f"void_hand seat1 and void_hand seat2 and {later}").reason == reason
    assert anew(table, f"{later} and void_hand seat1 and void_hand seat2").reason == reason


@pytest.mark.parametrize(("deciding", "reason"), [(NAMING, "no_change"), (NAMING - 1, None)])
def test_a_card_corrected_back_to_itself_is_no_change(deciding, reason):
    table = Bench()
    table.house = replace(table.house, deciding=deciding)
    table.says(PLAYER)
    assert getattr(anew(table, "correct 2 2H and correct 2 2D"), "reason", None) == reason


@pytest.mark.parametrize(("deciding", "card"), [(NAMING, "9S"), (NAMING - 1, "7S")])
def test_a_card_corrected_beside_the_last_void_hand_is_kept(deciding, card):
    table = Bench("blackjack")
    table.house = replace(table.house, deciding=deciding)
    table.restart()
    table.says(TWO_SEATS)
    assert anew(table, "correct 5 9S and void_hand seat1 and void_hand seat2").now is None
    asked = with_past(table.house, table.position, table.state, e.Resettle(1, (), "m", "x", "n"), table.records)
    assert decode_past(asked.past).state.round.draws[4].card == card


def test_stakes_of_the_last_void_hand_stay_returned():
    table = Bench("blackjack")
    table.says(TWO_SEATS)
    assert differences(anew(table, "void_hand seat1 and void_hand seat2")) == {"p1": -100, "p2": -100}
    assert anew(table, "resume").reason == "no_change"
    assert anew(table, "correct 7 TS").reason == "no_change"


def test_a_correction_beyond_the_decks_copies_is_a_bad_card():
    table = Bench("casino_holdem")
    table.says(f"{HOLDEM}; decide p1 call; card 5S; card 6S")
    assert table.life == "settled"
    assert anew(table, "correct 1 KS").reason == "bad_card"  # the only KS lies there as draw 3
    assert anew(table, "correct 4 KS").reason == "bad_card"
    assert anew(table, "correct 1 KS and correct 3 AC").revision == 1


def test_a_cancelled_round_is_corrected_to_a_settlement():
    table = Bench("baccarat", {"decks": 1, "change_below": 6})
    table.says(f"{BETS}; card 9C; card 2D; card KC; card 2D")
    assert table.fault == "duplicate_card"
    table.says("rule cancel by m because misread")
    what = anew(table, "correct 4 3D")
    assert (what.was, what.now["winner"], differences(what)) == (None, "player", {"p1": 100, "p2": -100, "p3": -100})


def test_a_cancelled_round_without_all_of_its_cards_stays_refunded():
    table = Bench()
    table.says(f"{BETS}; card 9C; card 2D; press manager; rule cancel by m because spoilt")
    assert anew(table, "resume").reason == "lacks_card"
    assert anew(table, "void").reason == "no_change"


@pytest.mark.parametrize(("deciding", "reason"), [(NAMING, "lacks_card"), (NAMING - 1, "does_not_fit")])
@pytest.mark.parametrize("played", ["open", "open; close; card 9C; wait 1s", "open; bet p1 player 1.00; card 9C"])
def test_a_round_cancelled_before_a_close_lacks_cards(played, deciding, reason):
    table = Bench("baccarat", {"betting_windows": 3})
    table.house = replace(table.house, deciding=deciding)
    table.says(f"{played}; press manager; rule cancel by m because x")
    assert anew(table, "resume").reason == reason


def test_a_round_under_another_sheet_can_only_be_void():
    table = Bench()
    table.says(PLAYER)
    other = edited(baccarat, '"tie": ', '"tie": 1 + ')
    assert digest(other) != digest(GAMES["baccarat"])
    table.position = type(table.position)({"baccarat": other})
    assert anew(table, "correct 2 6D").reason == "other_rules"
    assert anew(table, "void").now is None


# ── the record ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_resettlement_is_read_back_with_its_input():
    table = Bench()
    table.says(PLAYER)
    anew(table, "void")
    record = table.records[-1]
    assert decode(encode(record), encode_input(record.input)) == record
    assert (record.round, record.dealer, decode_past(record.input.event.past).revision) == (1, "dealer", 0)


def test_a_replay_names_a_forged_past_round():
    table = Bench()
    table.says(PLAYER)
    read = table.do(e.Resettle(1, (e.Amendment("resume"),), "m", "x", "n"))[-1].input.event
    past = decode_past(read.past)
    forged = encode_past(replace(past, bets=tuple(replace(one, returned=0) for one in past.bets)))
    table.do(replace(read, amendments=(e.Amendment("cancel"),), past=forged))
    assert table.records[-1].kind == "resettled"
    (found,) = replayed(table.records)
    assert found.what == "the round that is settled anew is not the one that was recorded"


def replayed(records):
    audit = Replay(GAMES, PROGRAM)
    audit.take((one.seq, encode(one), one.input and encode_input(one.input), b"") for one in records)
    audit.finish()
    return audit.differences


def test_players_see_the_result_alone():
    table = Bench()
    table.says(PLAYER)
    anew(table, "correct 2 6D")
    event = view(table.records[-1], "player")
    assert event.keys() == {"seq", "at", "kind", "table", "round", "revision", "now"}
    assert event["now"]["winner"] == "tie"


def test_a_card_face_down_to_the_end_is_withheld():
    table = Bench("casino_holdem")
    table.says(f"{HOLDEM}; decide p1 fold")
    anew(table, "correct 3 2C")
    views = {audience: view(table.records[-1], audience) for audience in ("auditor", "manager", "dealer", "server")}
    assert {audience: event["amendments"][0].get("card") for audience, event in views.items()} == {
        "auditor": "2C", "manager": None, "dealer": None, "server": None,
    }  # fmt: skip
    assert b"2C" not in msgspec.json.encode(view(table.records[-1], "player"))


@pytest.mark.parametrize(("deciding", "shown"), [(NAMING, "AS"), (NAMING - 1, None)])
def test_an_open_card_corrected_beside_a_hidden_one_shows(deciding, shown):
    table = Bench("casino_holdem")
    table.house = replace(table.house, deciding=deciding)
    table.says(f"{HOLDEM}; decide p1 fold")
    anew(table, "correct 2 AS and correct 3 2C")
    for audience in ("manager", "dealer", "server"):
        assert [one.get("card") for one in view(table.records[-1], audience)["amendments"]] == [shown, None]


# ── cases ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("key", ["dropped", "exposed", "manager"])
def test_a_key_after_the_end_opens_a_case(key):
    table = Bench()
    table.says(f"{PLAYER}; press {key}; press {key}")
    assert [(one.round, one.came) for one in table.state.cases] == [(1, e.KeyPressed(key))]


@pytest.mark.parametrize(("deciding", "reason"), [(DECIDING, "reported_already"), (NAMING - 1, None)])
@pytest.mark.parametrize("key", ["dropped", "exposed"])
def test_a_second_report_after_the_end_is_reported_already(key, deciding, reason):
    table = Bench()
    table.house = replace(table.house, deciding=deciding)
    table.says(f"{PLAYER}; press {key}; press {key}")
    assert [one.reason for one in table.facts("ignored")] == [reason]


def test_a_disputed_result_opens_a_case():
    table = Bench()
    table.says(f"{PLAYER}; result banker")
    assert kinds(table.records)[-2:] == ["disputed", "case_opened"]


def test_a_case_is_dismissed_but_not_by_the_dealer():
    table = Bench()
    table.says(f"{PLAYER}; press dropped; open")
    (case,) = table.state.cases
    assert table.says(f"dismiss {case.seq} by dealer because nothing")[-1].what.reason == "own_round"
    assert table.says("dismiss 1 by m because nothing")[-1].what.reason == "no_case"
    assert table.says(f"dismiss {case.seq} by m because nothing")[-1].kind == "case_dismissed"
    assert table.state.cases == ()


def test_a_resettlement_closes_the_cases_of_its_round_alone():
    table = Bench()
    table.says(f"{PLAYER}; press dropped; open; close; card 9H; card 2H; card KH; card 3H; press dropped")
    anew(table, "void")
    assert [one.round for one in table.state.cases] == [2]


@pytest.fixture(scope="module")
def full():
    """Return a table with the highest number of open cases, and one more round that is over."""
    table = Bench()
    for _ in range(MOST_CASES):
        table.says("open; press manager; rule cancel by m; press dropped; shoe ready")
    assert len(table.state.cases) == MOST_CASES
    table.says("open; press manager; rule cancel by m")
    return table


def reported(table, text, deciding=DECIDING):
    """Run `text` at a copy of a table, as version `deciding`; return its records' kinds and reasons."""
    again = Bench()
    again.house = replace(table.house, deciding=deciding)
    again.records, again.state, again.now = [*table.records], table.state, table.now
    return [(record.kind, getattr(record.what, "reason", None)) for record in again.says(text)]


@pytest.mark.parametrize("before", ["", "press manager; ", "restart; ", "press dropped; "])
@pytest.mark.parametrize("key", ["dropped", "exposed"])
def test_a_report_beyond_a_hundred_cases_is_recorded_as_refused(full, before, key):
    assert reported(full, f"{before}press {key}")[-1] == ("ignored", "cases_full")
    assert reported(full, f"{before}dismiss {full.state.cases[0].seq} by m; press {key}")[-1] == ("case_opened", None)


def test_a_call_beyond_a_hundred_cases_pauses_the_table(full):
    assert reported(full, "press manager") == [("faulted", None)]


def test_a_report_in_training_is_recorded_as_refused():
    table = Bench(training=True)
    table.says(f"{PLAYER}; press dropped; press dropped; result banker; press manager")
    assert kinds(table.records)[-4:] == ["ignored", "ignored", "disputed", "faulted"]
    assert [one.reason for one in table.facts("ignored")] == ["in_training"] * 2


@pytest.mark.parametrize("deciding", [RESETTLING, NAMING - 1])
def test_an_older_record_leaves_out_a_refused_report(full, deciding):
    assert reported(full, "press dropped", deciding) == []


@pytest.mark.parametrize(("deciding", "named"), [(DECIDING, True), (NAMING - 1, False)])
def test_a_handover_names_open_cases_except_in_older_records(deciding, named):
    table = Bench()
    table.house = replace(table.house, deciding=deciding)
    table.says(f"{PLAYER}; press dropped; press exposed; restart; handed over sandu by maria")
    text = encode(table.records[-1])
    assert (b'"cases":[' in text) is named
    if named:
        assert table.records[-1].what.cases == tuple(case.seq for case in table.state.cases)
    assert decode(text) == replace(table.records[-1], input=None)
