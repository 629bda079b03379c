"""Commands of the command line: help, exit codes, `check` and `diagram`."""

import json
import re
import sys
from datetime import date, datetime, time
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from controller import __version__
from controller.cli import COMMANDS, HEADINGS, main
from controller.games import GAMES
from controller.lab.catalogue.diagrams import game_diagram, round_diagram
from controller.web.screens.glossary_page import rows

EXAMPLES = sorted((Path(__file__).parents[2] / "config").glob("*.toml"))


def every_command() -> list[list[str]]:
    found = [[]]
    for name in COMMANDS:
        found.append([name])
        command = main.get_command(click.Context(main), name)
        if isinstance(command, click.Group):
            found += [[name, inner] for inner in command.list_commands(click.Context(command))]
    return found


def test_the_glossary_in_json_has_a_row_a_word(tablectl):
    listed = json.loads(tablectl("glossary", "--json", "--lang", "ro").stdout)
    assert [tuple(one.values()) for one in listed] == list(rows("ro"))
    assert list(listed[0]) == ["en", "ro", "means", "where"]


@pytest.mark.parametrize("command", every_command(), ids=" ".join)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_has_help(tablectl, command, flag):
    output = tablectl(*command, flag).stdout
    assert output.startswith(f"Usage: main {' '.join(command)}".rstrip())
    assert len(output.split("\n\n")[1].strip()) > 20  # and says what it does


def test_the_commands_of_the_journal():
    assert {" ".join(command) for command in every_command() if command[:1] == ["journal"]} >= {
        "journal list", "journal show", "journal verify", "journal export", "journal replay",
    }  # fmt: skip


def test_help_lists_every_command(tablectl):
    sections = dict(re.findall(r"^(\S[^\n]*):\n((?:  .*\n)+)", tablectl("--help").stdout, re.MULTILINE))
    listed = {heading: re.findall(r"^  (\S+)", sections[heading], re.MULTILINE) for heading in HEADINGS}
    assert listed == {heading: list(names) for heading, names in HEADINGS.items()}


def test_help_cuts_no_sentence_short(tablectl):
    assert "..." not in tablectl("--help").stdout.partition("At a running table")[2]


def test_version(tablectl):
    assert tablectl("--version").stdout.endswith(f", version {__version__}, from {sys.prefix}\n")


@pytest.mark.parametrize(
    "arguments",
    [["nosuch"], ["play"], ["play", "nosuch"], ["check"], ["diagram"], ["diagram", "nosuch"], ["journal", "nosuch"],
     ["journal", "show"], ["run"], ["demo", "nosuch"], ["demo", "--rounds", "0"], ["demo", "--speed", "fast"],
     ["demo", "--speed", "nan"], ["demo", "--by-hand", "--no-web"],
     ["play", "baccarat", "--no"]],
    ids=" ".join,
)  # fmt: skip
def test_bad_usage_is_2_with_a_message(tablectl, arguments):
    result = tablectl(*arguments, exit_code=2)
    assert result.stdout == ""
    assert result.stderr.startswith("tablectl: ")


def test_a_path_keeps_its_first_letter_in_an_error(tablectl):
    for path in ("NoSuch.journal", "Table 1.toml"):
        said = tablectl("report", path, "--day", "2026-01-01", exit_code=2).stderr
        assert said.startswith(f"tablectl: {path}: no such file")


def test_an_unknown_game_is_refused_with_the_nearest_name(tablectl):
    for command in ("demo", "play"):
        (line,) = tablectl(command, "blackjak", exit_code=2).stderr.splitlines()
        assert f"expected a game out of {', '.join(sorted(GAMES))}, got 'blackjak' (did you mean blackjack?)" in line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chekc"], "no such command 'chekc' (did you mean check?)"),
        (["jornal", "list"], "no such command 'jornal' (did you mean journal?)"),
        (["journal", "lst"], "no such command 'lst' (did you mean list?)"),
        (["user", "ad", "t.toml", "anna"], "no such command 'ad' (did you mean add?)"),
        (["xyz"], "no such command 'xyz'; see"),
        (["press", "finsh"], "a key out of dropped, exposed, finish, manager, got 'finsh' (did you mean finish?)"),
        (["shoe", "redy"], "a word out of change, cut, readout, ready, uncut, got 'redy' (did you mean ready?)"),
        (["diagram", "bacarat"], "got 'bacarat' (did you mean baccarat?)"),
        (["rule", "brun", "--because", "x"], "got 'brun' (did you mean burn?)"),
        (["journal", "export", "t", "--format", "cvs"], "a format out of csv, jsonl, got 'cvs' (did you mean csv?)"),
    ],
)  # fmt: skip
def test_an_unknown_word_is_refused_with_the_nearest_name(tablectl, arguments, said):
    (line,) = tablectl(*arguments, exit_code=2).stderr.splitlines()
    assert line.startswith("tablectl: ")
    assert said in line


def test_a_refused_demo_is_one_line_and_keeps_its_log(tablectl, tmp_path):
    (tmp_path / "shoe").touch()
    (tmp_path / "demo.log").write_text("of a running demo\n")
    (line,) = tablectl("demo", "--journal", tmp_path, exit_code=2).stderr.splitlines()
    assert f"expected {tmp_path}/shoe to be free" in line
    assert (tmp_path / "demo.log").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "demo.log").read_text() == "of a running demo\n"
    (tmp_path / "demo.log").unlink()
    (tmp_path / "demo.log").mkdir()
    (line,) = tablectl("demo", "--journal", tmp_path, exit_code=2).stderr.splitlines()
    assert f"{tmp_path}/demo.log: is a directory" in line


# ── check ────────────────────────────────────────────────────────────────────────────────────────────────────────


def config(folder: Path, text: str | bytes) -> Path:
    path = folder / "table.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_there_are_examples_to_check():
    assert EXAMPLES, "config/ holds no example: one commented .toml for each game belongs there"


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.name for path in EXAMPLES])
def test_every_example_passes_check(tablectl, path, tmp_path):
    text = path.read_text(encoding="utf-8").replace('# listen = "127.0.0.1:8032"', 'listen = "127.0.0.1:0"')
    here = config(tmp_path, text)  # on a free port: a running demo may have the usual one
    assert f"{here}: sound" in tablectl("check", here).stdout
    assert json.loads(tablectl("check", here, "--json").stdout)["game"]["name"] in GAMES


def test_check_says_what_the_table_would_be(tablectl, tmp_path):
    text = (
        "[game]\nname = 'baccarat'\ndecks = 8\n[shoe]\nport = '/dev/ttyS9'\nallow = ['lock']\n[panel]\nmodel = 'xk24'\n"
        "[journal]\npath = 't.journal'\n[web]\nlisten = '127.0.0.1:0'\n"
    )
    output = tablectl("check", config(tmp_path, text)).stdout
    assert all(
        word in output for word in ("baccarat", "416 cards", "confirmed by dealer", "/dev/ttyS9", "lock", "xk24")
    )


BROKEN = {
    "a misspelt key": ("[table]\nconfrim = 'dealer'", "table.confrim: no such key (did you mean confirm?)"),
    "a wrong type": ("[game]\nname = 'baccarat'\ndecks = 'six'", "game.decks: expected a whole number from 1 to 8"),
    "an unknown game": ("[game]\nname = 'bacarat'", f"game.name: expected one of {', '.join(sorted(GAMES))}"),
    "no game": ("", "game.name: no game given"),
    "an unknown shoe": ("[game]\nname = 'baccarat'\n[shoe]\nmodel = 'angeleye'", "shoe.model: "),
    "an unknown panel": ("[game]\nname = 'baccarat'\n[panel]\nmodel = 'xk25'", "panel.model: "),
    "an unknown section": ("[shoo]\nport = 'x'", "shoo: no such key (did you mean shoe?)"),
    "a list instead of a section": ("[[shoe]]\nport = 'x'", "shoe: expected a section"),
    "a number out of range": ("[timers]\nbetting = 0", "timers.betting: expected a whole number from 1 to 3600"),
    "no TOML": ("[table", "not TOML"),
    "no UTF-8": (b"# a\na = '\xff'", "not TOML: expected text in UTF-8, got byte FF in line 2: save the file as UTF-8"),
    "a record": (b"SQLite format 3\0\xff", "not TOML: this file is a table's record; name the table's config"),
}


@pytest.mark.parametrize("case", BROKEN.values(), ids=BROKEN)
def test_check_names_the_key_and_the_fix_in_one_line(tablectl, tmp_path, case):
    text, message = case
    path = config(tmp_path, text)
    result = tablectl("check", path, exit_code=2)
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"tablectl: {path}: ")
    assert message in line
    assert result.stdout == ""


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_check_prints_nothing_sound_before_reading_the_certificate(tablectl, tmp_path, form):
    text = "[game]\nname = 'baccarat'\n[shoe]\nport = '/dev/none'\n[journal]\npath = 't.journal'\n"
    text += "[web]\ncertificate = 'none.pem'\nkey = 'none.key'\n"
    result = tablectl("check", config(tmp_path, text), *form, exit_code=2)
    (line,) = result.stderr.splitlines()
    assert "web.certificate: expected a certificate and its key" in line
    assert result.stdout == ""


def test_check_of_a_file_that_is_not_there(tablectl, tmp_path):
    (line,) = tablectl("check", tmp_path / "none.toml", exit_code=2).stderr.splitlines()
    assert "no such file" in line


def test_run_refuses_a_broken_config_the_same_way(tablectl, tmp_path):
    (line,) = tablectl("run", config(tmp_path, "[table]\nconfrim = 'x'"), exit_code=2).stderr.splitlines()
    assert "table.confrim: no such key" in line


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("", "game.name"),
        ("[game]\nname = 'baccarat'", "shoe.port"),
        ("[game]\nname = 'baccarat'\n[shoe]\nport = '/dev/none'", "journal.path"),
    ],
)
def test_run_names_what_a_running_table_cannot_do_without(tablectl, tmp_path, text, missing):
    (line,) = tablectl("run", config(tmp_path, text), exit_code=2).stderr.splitlines()
    assert f"{missing}: no " in line
    assert "write" in line


def test_run_on_a_refused_journal_path_is_one_line(tablectl, tmp_path):
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for path, reason in ((tmp_path / ("a" * 300), "file name too long"), (loop, "too many levels of symbolic links")):
        text = f"[game]\nname = 'baccarat'\n[shoe]\nport = '/dev/none'\n[journal]\npath = '{path}'\n"
        (line,) = tablectl("run", config(tmp_path, text), exit_code=2).stderr.splitlines()
        assert reason in line


def test_run_whose_users_file_cannot_be_reached_is_one_line(tablectl, tmp_path):
    text = (
        f"[game]\nname = 'baccarat'\n[shoe]\nport = '/dev/none'\n[journal]\npath = '{tmp_path}/t.journal'\n"
        f"[api]\nsocket = '{tmp_path}/t.sock'\n[web]\nlisten = '127.0.0.1:0'\nusers = '{'a' * 300}/users'\n"
    )
    (line,) = tablectl("run", config(tmp_path, text), exit_code=2).stderr.splitlines()
    assert line.startswith("tablectl: web.users: expected a file in a folder that can be entered, got ")
    assert not (tmp_path / "t.sock").exists()


# ── check of random TOML ─────────────────────────────────────────────────────────────────────────────────────────


def toml(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int() | float():
            return str(value)
        case str():
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case datetime() | date() | time():
            return value.isoformat()
        case list():
            return f"[{', '.join(map(toml, value))}]"
        case dict():
            return f"{{{', '.join(f'{toml(key)} = {toml(inner)}' for key, inner in value.items())}}}"
    raise TypeError(value)


TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=6)
SCALARS = st.one_of(
    st.booleans(), st.integers(), st.floats(), TEXT, st.dates(), st.datetimes(), st.times(),
    st.sampled_from(["baccarat", "casino_holdem", "dealer", "angel_eye", "xk24", "lock"]),
)  # fmt: skip
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=4
)
VOCABULARY = """
name dealer confirm reveal carry panel_loss model port baud allow keys serial betting decision path decks
"""
SECTION = st.dictionaries(st.sampled_from(VOCABULARY.split()) | TEXT, VALUES, max_size=3)
FILE = st.dictionaries(
    st.sampled_from(["table", "game", "shoe", "panel", "timers", "journal"]) | TEXT, SECTION | VALUES, max_size=3
)


@settings(max_examples=50)  # tests/config/test_config.py tries more configs
@given(FILE)
def test_check_never_tracebacks_on_arbitrary_toml(tmp_path_factory, raw):
    path = tmp_path_factory.getbasetemp() / "arbitrary.toml"
    path.write_text(
        "".join(f"{toml(key)} = {toml(value)}\n" for key, value in raw.items()), encoding="utf-8", newline=""
    )
    result = CliRunner().invoke(main, ["check", str(path)], catch_exceptions=False)
    assert result.exit_code in (0, 2)
    if result.exit_code:
        assert len(result.stderr.strip("\n").split("\n")) == 1


# ── diagram ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_diagram_of_a_round(tablectl):
    assert tablectl("diagram", "round").stdout == round_diagram() + "\n"


@pytest.mark.parametrize("game", sorted(GAMES))
def test_diagram_of_a_game(tablectl, game):
    output = tablectl("diagram", game).stdout
    assert output == game_diagram(GAMES[game]) + "\n"
    assert output.startswith("flowchart ")


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["demo", "--speed", "nan"], "--speed"),
        (["demo", "--speed", "fast"], "--speed"),
        (["demo", "--rounds", "0"], "--rounds"),
        (["demo", "--tables", "201"], "--tables"),
        (["play", "nosuch"], "a game"),
        (["diagram", "nosuch"], "a drawing"),
        (["report", "x", "--lang", "xx"], "a language"),
        (["report", "x", "--begin", "25:00"], "--begin"),
    ],
    ids=lambda one: " ".join(one) if isinstance(one, list) else "",
)
def test_bad_usage_names_the_option_that_is_wrong(tablectl, arguments, option):
    assert option in tablectl(*arguments, exit_code=2).stderr
