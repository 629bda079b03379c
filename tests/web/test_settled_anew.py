"""Screens and state of a table after its last round was settled anew."""

import pytest

from controller.core.decide.past_rounds import after_revision
from controller.text.faults import LANGUAGES, Words
from controller.web.api.table_state import build_state
from controller.web.screens.dealer import dealer
from controller.web.screens.manager import manager
from controller.web.screens.manager_words import ManagerWords
from controller.web.screens.past_table import past_table
from controller.web.screens.player import player
from tests.web.bench_screens import BLACKJACK, BOARD, HOLDEM, bench_after, bench_look, json_text

WHO = "by m with n because misread"
PLAYER_WINS = "open; bet p1 player 1.00; close; card 9C; card 2D; card KC; card 3D"
CANCEL = "press manager; rule cancel by anna because x"
RESUMED = f"{PLAYER_WINS}; {CANCEL}; resettle 1 resume {WHO}"
BEFORE = f"{PLAYER_WINS}; press finish; "  # a round of the same shoe
PAUSED = "press manager"


def held(screen):
    """Return the hands with cards on a screen."""
    return [hand for place in screen.places for hand in place.hands if hand.cards]


# ── a cancelled round that counts again ──────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("then", ["", f"; {PAUSED}"])
@pytest.mark.parametrize("compose", [dealer, manager, player])
def test_no_screen_marks_a_resumed_round_void(compose, then):
    table = bench_after(f"{BEFORE}{RESUMED.replace('resettle 1', 'resettle 2')}{then}")
    shown = held(compose(bench_look(table), Words("en")))
    assert {hand.place for hand in shown} == {"player", "banker"}
    assert not any(hand.void or hand.result == "VOID" for hand in shown)


@pytest.mark.parametrize("then", ["", f"; {PAUSED}"])
@pytest.mark.parametrize("compose", [dealer, manager])
def test_a_round_made_void_later_is_marked_void(compose, then):
    table = bench_after(f"{PLAYER_WINS}; press finish; resettle 1 void {WHO}{then}")
    assert {hand.void for hand in held(compose(bench_look(table), Words("en")))} == {True}


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_see_the_result_of_a_cancelled_round_that_counts(language):
    words, table = Words(language), bench_after(f"{BEFORE}{RESUMED.replace('resettle 1', 'resettle 2')}")
    shown, settled = (
        player(bench_look(table), words),
        player(bench_look(bench_after(f"{BEFORE}{PLAYER_WINS}; press finish")), words),
    )
    assert (shown.phase, shown.says, shown.detail) == (settled.phase, settled.says, "")
    assert (shown.result.text, shown.result.until) == (settled.result.text, None)
    assert [hand.place for hand in held(shown) if hand.won] == ["player"]


@pytest.mark.parametrize("then", ["", f"; {PAUSED}", "; open"])
def test_a_shoes_first_round_may_be_the_resumed_one(then):
    shown = player(bench_look(bench_after(f"{RESUMED}{then}")), Words("en"))
    assert "returned" not in json_text(shown)
    assert shown.result.text == "PLAYER wins 9 : 5"
    assert [cell.letter for cell in shown.roads.roads[0].cells] == ["P"]
    assert [hand.won for hand in held(shown)] == ([] if "open" in then else [True, False])


@pytest.mark.parametrize("ended", [CANCEL, f"press finish; resettle 1 void {WHO}"])
def test_a_resumed_round_of_an_earlier_shoe_is_not_listed(ended):
    table = bench_after(f"{PLAYER_WINS}; {ended}; shoe change; shoe ready; resettle 1 resume {WHO}")
    assert table.records[-1].what.now is not None
    shown = player(bench_look(table), Words("en"))
    assert (shown.phase, shown.result, held(shown), shown.roads.roads[0].cells) == ("idle", None, [], ())


def test_cancelled_rounds_are_listed_by_their_number():
    table = bench_after(f"{BEFORE}open; {CANCEL}; open; {CANCEL}; resettle 1 void {WHO}")
    assert [void.round for void in bench_look(table).voids] == [1, 2, 3]


def test_a_round_cancelled_without_correction_stays_void():
    shown = player(bench_look(bench_after(f"{PLAYER_WINS}; {CANCEL}")), Words("en"))
    assert (shown.phase, {hand.void for hand in held(shown)}) == ("cancelled", {True})


@pytest.mark.parametrize("role", ["server", "player"])
def test_the_state_tells_the_outcome_of_a_resumed_round(role):
    table = bench_after(f"{PLAYER_WINS}; {CANCEL}")
    assert build_state(table.state, None, None, role).outcome is None
    table.says(f"resettle 1 resume {WHO}")
    assert build_state(table.state, None, None, role).outcome["winner"] == "player"


def test_the_state_tells_players_of_no_resumed_training_round():
    table = bench_after(f"{PLAYER_WINS}; {CANCEL}; resettle 1 resume {WHO}", training=True)
    assert build_state(table.state, None, None, "player").outcome is None
    shown = player(bench_look(table), Words("en"))
    assert (shown.phase, shown.result, held(shown)) == ("training", None, [])


def test_players_see_no_outcome_before_it_is_confirmed():
    table = bench_after(PLAYER_WINS)
    assert table.life == "complete"
    assert build_state(table.state, None, None, "player").outcome is None


# ── a corrected round that lies on the table ─────────────────────────────────────────────────────────────────────

CORRECTED = f"{PLAYER_WINS}; press finish; resettle 1 correct 2 6D {WHO}"
RIVER = HOLDEM + BOARD + "decide p1 call; decide p2 fold; card KC; card KD; press finish"
SEATED = BLACKJACK + "card 6C; card TH; decide seat2 stand; decide seat5 stand; card TS; press finish"
ANEW = [
    ("baccarat", PLAYER_WINS + "; press finish", "correct 2 6D"),
    ("casino_holdem", RIVER, "correct 7 2D"),
    ("blackjack", SEATED, "correct 1 7C"),
]


@pytest.mark.parametrize("then", ["", f"; {PAUSED}"])
@pytest.mark.parametrize("compose", [dealer, manager, player])
@pytest.mark.parametrize(("game", "script", "correction"), ANEW)
def test_no_total_of_dealt_cards_stands_beside_a_corrected_result(game, script, correction, compose, then):
    settled = held(compose(bench_look(bench_after(script, game)), Words("en")))
    table = bench_after(f"{script}; resettle 1 {correction} {WHO}{then}", game)
    shown = held(compose(bench_look(table), Words("en")))
    assert any(hand.total for hand in settled)
    assert {(hand.total, hand.lifted, hand.formed) for hand in shown} == {("", (), "")}
    assert [hand.cards for hand in shown] == [hand.cards for hand in settled]  # the cards on the table stay the same


@pytest.mark.parametrize(("language", "text"), [("en", "TIE 9 : 9"), ("ro", "EGALITATE 9 : 9")])
def test_a_corrected_tie_has_no_winner_or_total(language, text):
    shown = player(bench_look(bench_after(CORRECTED)), Words(language))
    assert shown.result.text == text
    assert [(hand.total, hand.won) for hand in held(shown)] == [("", False), ("", False)]


def test_the_next_rounds_cards_have_totals_after_a_correction():
    shown = held(player(bench_look(bench_after(f"{CORRECTED}; {PLAYER_WINS}")), Words("en")))
    assert [hand.total for hand in shown] == ["9", "5"]
    live = bench_after(CORRECTED.replace("resettle", "open; close; card 9C; resettle"))
    assert [hand.total for hand in held(player(bench_look(live), Words("en")))] == ["9"]


def test_the_form_of_a_corrected_round_has_its_totals():
    """The form for corrections shows each card with the value that counts now."""
    table = bench_after(CORRECTED)
    record = next(record for record in table.records if record.kind == "resettled")
    past = after_revision(table.house, table.position, record)
    shown = past_table(bench_look(table), past, None, None, ManagerWords(Words("en")))
    assert [hand.total for hand in held(shown)] == ["9", "9"]
