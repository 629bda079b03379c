"""Messages that players see for a while: each stays for its time, whatever happens after it."""

import pytest

from controller.core.clock import SECOND, to_text
from controller.text.faults import LANGUAGES, Words
from controller.web.screens.history import KINDS, LatestResults
from controller.web.screens.player import player
from tests.core.bench import Bench
from tests.web.bench_screens import BLACKJACK, UP_AND_DOWN, bench_after, bench_look, player_screen

WHO = "by m with n because misread"
SETTLED = "open; bet p1 player 1.00; close; card 9C; card 2D; card KC; card 3D; press finish"
CORRECT = f"resettle 1 correct 2 6D {WHO}"
RULED = "press manager; rule {} by anna because x"
CANCEL, RESUME = RULED.format("cancel"), RULED.format("resume")
AT_ONCE = "2026-01-01T00:00:{}.000000Z"
CORRECTED = {"en": "Round 1 was corrected", "ro": "Runda 1 a fost corectată"}


def beside(table, language="en"):
    """Return the messages that players see beside the round."""
    return [one.text for one in player(bench_look(table), Words(language)).beside]


# ── bets are closed ──────────────────────────────────────────────────────────────────────────────────────────────


def test_bets_closed_is_shown_for_three_seconds():
    notice = player_screen(script="open; close").notice
    assert (notice.kind, notice.text, notice.until) == ("closed", "No more bets", AT_ONCE.format("03"))


@pytest.mark.parametrize(
    ("script", "settings"),
    [(f"{SETTLED}; open", {}), ("open; close; card 9C", {"betting_windows": 3}), (f"open; close; {CANCEL}", {})],
)
def test_the_bets_closed_notice_ends_with_its_bets(script, settings):
    table = Bench("baccarat", settings, confirm="dealer")
    table.says(script)
    assert player(bench_look(table), Words("en")).notice is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_more_bets_stays_although_a_round_is_corrected(language):
    table, words = bench_after(f"{SETTLED}; open; close; wait 1s; {CORRECT}"), Words(language)
    shown = player(bench_look(table), words)
    assert (shown.notice.kind, shown.notice.until) == ("closed", AT_ONCE.format("03"))
    assert beside(table, language) == [CORRECTED[language]]


def test_a_pause_precedes_bets_closed_and_play_resumed():
    shown = player_screen(script=f"open; {RESUME}; close; press manager")
    assert (shown.notice.kind, shown.notice.until, shown.beside) == ("paused", None, ())


# ── beside the course of the round ───────────────────────────────────────────────────────────────────────────────


def test_a_correction_stays_twenty_seconds_although_bets_close():
    table = bench_after(f"{SETTLED}; open; wait 13s; {CORRECT}; wait 2s; wait 4s")
    assert table.life == "dealing"
    (notice,) = player(bench_look(table), Words("en")).beside
    assert (notice.text, notice.until) == (CORRECTED["en"], AT_ONCE.format("33"))


def test_a_cancellation_stays_twenty_seconds_although_next_bets_close():
    shown = player(bench_look(bench_after(f"open; {CANCEL}; open; wait 5s; close; wait 4s")), Words("en"))
    (notice,) = shown.beside
    assert notice.text == "Round 1 is cancelled. All bets of it have been returned."
    assert notice.until == AT_ONCE.format("20")


@pytest.mark.parametrize("then", ["press manager", RESUME, "lost shoe"])
def test_a_correction_stays_in_a_pause_and_after_it(then):
    table = bench_after(f"{SETTLED}; open; close; {CORRECT}; {then}")
    assert beside(table)[0] == CORRECTED["en"]


def test_play_resumed_is_told_with_a_correction_beside():
    table = bench_after(f"{SETTLED}; open; close; {CORRECT}; {RESUME}; wait 7s")
    assert beside(table) == [CORRECTED["en"], "The game goes on."]
    table.says("press manager")
    assert beside(table) == [CORRECTED["en"]]


def test_play_resumed_stays_eight_seconds_although_bets_close():
    table = bench_after(f"open; {RESUME}; close")
    (notice,) = player(bench_look(table), Words("en")).beside
    assert (notice.kind, notice.until) == ("resumed", AT_ONCE.format("08"))


def test_play_resumed_is_not_told_in_the_next_round():
    assert beside(bench_after(f"open; {RESUME}; {SETTLED.removeprefix('open; ')}; open")) == []


def test_a_cancelled_and_a_corrected_round_are_both_told():
    table = bench_after(f"{SETTLED}; open; {CANCEL}; {CORRECT}; open")
    assert beside(table) == ["Round 2 is cancelled. All bets of it have been returned.", CORRECTED["en"]]


def test_a_correction_replaces_the_cancellation_of_its_round():
    table = bench_after(
        f"{SETTLED}; open; close; card 9C; card 2D; card KC; card 3D; {CANCEL}; resettle 2 resume {WHO}"
    )
    assert beside(table) == ["Round 2 was corrected"]


def test_the_round_shown_as_cancelled_is_not_told_beside():
    table = bench_after(f"open; {CANCEL}")
    assert (player(bench_look(table), Words("en")).phase, beside(table)) == ("cancelled", [])
    table.says("table close")
    assert len(beside(table)) == 1


def test_a_message_is_gone_after_its_time():
    table = bench_after(f"{SETTLED}; {CORRECT}; open; wait 15s; wait 4s; card 9C")
    assert beside(table) == [CORRECTED["en"]]
    table.says("wait 1s; card 2D")
    assert beside(table) == []


@pytest.mark.parametrize("to", ["2025-12-31T23:00:00Z", "2026-01-01T05:00:00Z"])
def test_a_set_clock_changes_no_messages_time(to):
    before = "open; close; card 9C; card 2D; card KD; card 3H; press finish; resettle 1 void by m with n because x"
    table = bench_after(f"{before}; resettle 1 resume by m with n because y; wait 1s; clock {to}; open; close")
    screen = player(bench_look(table), Words("en"))
    assert screen.result.until == to_text(table.now + 5 * SECOND)
    assert [one.until for one in screen.beside] == [to_text(table.now + 19 * SECOND)]


def test_four_corrections_at_most_are_told_at_once():
    rounds = "; ".join([SETTLED] * 5)
    corrected = "; ".join(CORRECT.replace("resettle 1", f"resettle {number}") for number in range(1, 6))
    assert len(beside(bench_after(f"{rounds}; {corrected}; open"))) == 4


# ── restarts, seats, training ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("windows", [1, 3])
def test_a_restart_keeps_all_messages_to_players(windows):
    table = Bench("baccarat", {"betting_windows": windows}, confirm="dealer")
    table.says(f"open; close; open; {CANCEL}; open; {RESUME}; close; wait 1s")
    kept, again = (LatestResults("baccarat", every_round=False) for _ in range(2))
    kept.hear(table.records)
    again.hear(record for record in table.records if record.kind in KINDS)
    assert [one.kind for one in kept.notices] == ["cancelled", "resumed", "closed"]
    assert again.notices == kept.notices


def test_messages_of_a_seated_game_hide_its_card():
    table = bench_after(f"{BLACKJACK}{UP_AND_DOWN}{CANCEL}; shuffled; open; bet p1 seat1 main 5.00; close", "blackjack")
    shown = player(bench_look(table), Words("en"))
    assert (shown.notice.kind, [one.kind for one in shown.beside]) == ("closed", ["cancelled"])
    assert "5H" not in str(shown)


def test_training_tells_players_no_message():
    table = bench_after(f"{SETTLED}; {CORRECT}; open; close; {RESUME}", training=True)
    shown = player(bench_look(table), Words("en"))
    assert (shown.notice, shown.beside) == (None, ())
