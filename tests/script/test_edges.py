"""Edge cases of scripts, config and command line: each was handled wrongly once."""

from pathlib import Path

import pytest

from controller.config.mistakes import BadConfig
from controller.config.table_file import check, load
from controller.core import events as e
from controller.core.house import House, Terms
from controller.core.views import view
from controller.games import GAMES
from controller.script.play import Play
from controller.script.reader import BadScript, parse
from controller.text.records import sentence
from tests.cli.conftest import HOLDEM_LIVE, SETTLED, named, record, tablectl

__all__ = ["record", "tablectl"]  # fixtures


def table(script: str, game: str = "baccarat") -> Play:
    play = Play(House(GAMES[game], GAMES[game].settings(), Terms()))
    for _ in play.run(parse(script)):
        pass
    return play


# ── hidden cards ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("audience", ["manager", "dealer", "server", "player"])
@pytest.mark.parametrize("card", ["5D", "6D"])
def test_correcting_to_a_hidden_cards_value_reveals_nothing(audience, card):
    """Draw 5 is ruled to be 5D, which lies face down, or 6D, which does not: the views are the same."""
    play = table(HOLDEM_LIVE + f"press manager\nrule correct 5 {card} by m\n", "casino_holdem")
    other = table(HOLDEM_LIVE + "press manager\nrule correct 5 8D by m\n", "casino_holdem")
    views, like = ([str(view(one, audience)) for one in one_table.records] for one_table in (play, other))
    assert [event.replace(card, "8D") for event in views] == like


def test_show_of_a_live_round_withholds_hidden_card_corrections(tablectl, record):
    path = record(HOLDEM_LIVE + "press manager\nrule correct 3 6D by m\n", "casino_holdem")
    assert not named(["6D"], tablectl("journal", "show", path, "--json").stdout)


# ── scripts ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_exponent_beyond_all_decimals_is_refused_with_its_line():
    """Python's Decimal raises an error of its own for such an exponent."""
    with pytest.raises(BadScript, match=r"^line 1: expected an amount such as 10\.00, got '1e9999999999999999999'"):
        parse("bet p1 banker 1e9999999999999999999")


def test_a_hash_within_a_word_begins_no_comment():
    """A comment begins at the start of a word: `dealer d#2` must not sign on a dealer named `d`."""
    assert parse("dealer d#2") == [(1, e.DealerOn("d#2"))]
    assert parse("dealer d #2") == [(1, e.DealerOn("d"))]


def test_journal_export_script_turns_a_recorded_round_into_a_script(tablectl, record, tmp_path):
    path = record(SETTLED + 'card 4D\nrule burn by manager1 because "stuck"\n')
    script = tablectl("journal", "export", path, "--script", "--round", "1").stdout
    again = tmp_path / "again.journal"
    tablectl("play", "baccarat", "--journal", again, stdin=script)
    ours, theirs = (tablectl("journal", "export", one).stdout for one in (path, again))
    begins = '{"seq":5,'  # the records before bring the table to its start: one or four of them
    assert theirs[theirs.index(begins) :] == ours[ours.index(begins) :]


# ── config ───────────────────────────────────────────────────────────────────────────────────────────────────────

BACCARAT = {"game": {"name": "baccarat"}}


def test_two_meanings_on_one_key_are_refused():
    """With both on one key only CLOSE would work, and nobody could open a round."""
    with pytest.raises(BadConfig, match=r"panel\.keys\."):
        check({**BACCARAT, "panel": {"model": "xk24", "keys": {"open": 1, "close": 1}}})


@pytest.mark.parametrize("key", [-1, 1000])
def test_a_key_that_no_panel_has_is_refused(key):
    with pytest.raises(BadConfig, match=r"panel\.keys\.open"):
        check({**BACCARAT, "panel": {"model": "xk24", "keys": {"open": key}}})


def test_a_shoe_that_is_always_below_its_limit_is_refused():
    """With 312 cards and change_below = 400 no round could ever start."""
    with pytest.raises(BadConfig, match=r"game\.change_below"):
        check({"game": {"name": "baccarat", "change_below": 400}})


@pytest.mark.parametrize(("section", "key"), [("shoe", "port"), ("journal", "path"), ("panel", "serial")])
def test_an_empty_text_where_a_name_is_needed_is_refused(section, key):
    """With `port = ""` `run` would open no shoe at all; `path = ""` would give a traceback."""
    with pytest.raises(BadConfig, match=rf"{section}\.{key}"):
        check({**BACCARAT, section: {key: ""}})


def test_run_with_an_empty_journal_path_is_one_line(tablectl, tmp_path):
    path = tmp_path / "table.toml"
    path.write_text("[game]\nname = 'baccarat'\n[shoe]\nport = '/dev/none'\n[journal]\npath = ''\n", encoding="utf-8")
    (line,) = tablectl("run", path, exit_code=2).stderr.splitlines()
    assert "journal.path" in line


def test_a_key_like_an_error_message_gives_no_traceback():
    with pytest.raises(BadConfig, match="no such key"):
        check({**BACCARAT, "table": {"x - at `$.foo": 1}})


def test_brackets_within_brackets_give_no_traceback(tmp_path: Path):
    path = tmp_path / "table.toml"
    path.write_text("a = " + "[" * 3000 + "]" * 3000, encoding="utf-8")
    with pytest.raises(BadConfig, match="not TOML"):
        load(path)


# ── command line ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("arguments", [["nosuch"], ["play", "nosuch"], ["check"], ["play", "baccarat", "none.script"]])
def test_bad_usage_is_one_line_like_every_error(tablectl, arguments):
    (line,) = tablectl(*arguments, exit_code=2).stderr.splitlines()
    assert line.startswith("tablectl: ")


# ── audit and wording ────────────────────────────────────────────────────────────────────────────────────────────


def test_every_view_can_be_put_in_words():
    play = table("open\nclose\ncard 2C\ncard JOKER\nrule burn by m\n" + "press manager\nrule cancel by m\n")
    for one in play.records:
        assert sentence(view(one, "player"))
