"""Command `tablectl play`: scripts, answers and exit codes."""

import json
import os
import subprocess
from contextlib import closing

import pytest

from controller.journal import Journal
from tests.cli.conftest import HOLDEM_LIVE, SETTLED
from tests.processes import TABLECTL, ForkableProgram

TABLEAU = "open\nclose\ncard 2C\ncard 3D\ncard 2D\ncard AS\ncard {}\n"


def lines(output: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in output.splitlines()]


def run(*arguments: str, script: bytes, forked: bool = True) -> subprocess.CompletedProcess[bytes]:
    """Run a command in its own process with bytes as its input; return the finished process."""
    start, pipe = ForkableProgram if forked else subprocess.Popen, subprocess.PIPE
    with start([TABLECTL, *arguments], stdin=pipe, stdout=pipe, stderr=pipe) as program:
        try:
            output, errors = program.communicate(script, timeout=60)
        finally:
            program.kill()
    return subprocess.CompletedProcess(program.args, program.returncode, output, errors)


def test_acceptance_the_console_script_settles_a_round():
    done = run("play", "baccarat", "--json", script=TABLEAU.format("8H").encode(), forked=False)
    assert (done.returncode, done.stderr) == (0, b"")
    *records, standing = lines(done.stdout.decode())
    (settled,) = [record for record in records if record["kind"] == "settled"]
    assert settled["outcome"] == {
        "winner": "banker", "player": 2, "banker": 4, "natural": False, "cards": 5, "pairs": ["player"],
    }  # fmt: skip
    assert standing == {"kind": "state", "state": "settled", "due": None}


def test_acceptance_the_console_script_says_what_is_due():
    done = run("play", "baccarat", "--json", script=TABLEAU.format("7H").encode())
    assert done.returncode == 0
    assert lines(done.stdout.decode())[-1] == {
        "kind": "state", "state": "dealing", "due": {"step": "deal", "to": "banker", "face_up": True},
    }  # fmt: skip


def test_a_malformed_script_exits_2_with_one_line():
    done = run("play", "baccarat", script=b"open\ncard XX\nclose\n")
    assert done.returncode == 2
    assert done.stdout == b""
    (line,) = done.stderr.decode().splitlines()
    assert line.startswith("tablectl: line 2: ")
    assert "card XX" in line


def test_the_console_script_refuses_a_script_that_is_no_text():
    done = run("play", "baccarat", script=b"open\n\xff\xfe\n")
    assert done.returncode == 2
    assert b"Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (b"open\nclose\nwait \xff1s\n", "line 3: expected text in UTF-8: 'wait \ufffd1s'"),
        (b"\xef\xbb\xbfopen\r\n card \xe99H\r\n", "line 2: expected text in UTF-8: 'card \ufffd9H'"),
        (b"\xff\n", "line 1: expected text in UTF-8: '\ufffd'"),
    ],
)
def test_a_script_that_is_no_text_names_its_line(script, said):
    assert run("play", "baccarat", script=script).stderr.decode() == f"tablectl: {said}\n"


def test_a_script_may_begin_with_a_byte_order_mark():
    assert run("play", "baccarat", script=b"\xef\xbb\xbfopen\r\nclose\r\n").returncode == 0


@pytest.mark.parametrize(
    ("output", "ended"),
    [("/dev/full", (2, b"tablectl: standard output: no space left on device\n")), ("pipe", (0, b""))],
)
@pytest.mark.parametrize("command", [("api",), ("faults",), ("glossary",), ("help", "operating")])
def test_a_full_output_is_one_line_a_closed_pipe_none(command, output, ended):
    if output == "pipe":
        reader, out = os.pipe()
        os.close(reader)
    else:
        out = os.open(output, os.O_WRONLY)
    try:
        done = subprocess.run([TABLECTL, *command], stdout=out, stderr=subprocess.PIPE, timeout=60, check=False)
    finally:
        os.close(out)
    assert (done.returncode, done.stderr) == ended


@pytest.mark.parametrize(
    ("closed", "command", "code"),
    [
        ("<&-", "play baccarat", 0),
        ("<&-", "user add t1.toml anna", 2),
        (">&-", "api", 0),
        ("</dev/null >&-", "journal export t1.journal", 2),
        (">&- 2>&-", "play nope", 2),
    ],
)
def test_a_closed_standard_stream_is_like_an_empty_one(tmp_path, closed, command, code):
    (tmp_path / "t1.toml").write_text('[game]\nname = "baccarat"\n[journal]\npath = "t1.journal"\n')
    done = subprocess.run(
        ["sh", "-c", f"{TABLECTL} {command} {closed}"], capture_output=True, cwd=tmp_path, timeout=60, check=False
    )
    assert (done.returncode, b"Traceback" in done.stderr) == (code, False)


def test_nothing_runs_if_a_line_is_malformed(tablectl, tmp_path):
    journal = tmp_path / "x.journal"
    result = tablectl("play", "baccarat", "--journal", journal, "--json", stdin=SETTLED + "hello\n", exit_code=2)
    assert result.stdout == ""
    assert not journal.exists()


@pytest.mark.parametrize("script", ["", "open\n", "open\ncard 9C\n", HOLDEM_LIVE])
def test_exit_0_whatever_state_is_left(tablectl, script):
    tablectl("play", "casino_holdem", stdin=script)


def test_json_is_one_record_a_line_and_the_state_last(tablectl):
    *records, standing = lines(tablectl("play", "baccarat", "--json", stdin=SETTLED).stdout)
    assert [record["seq"] for record in records] == list(range(1, len(records) + 1))
    assert all({"seq", "at", "kind", "table"} <= set(record) for record in records)
    assert standing["kind"] == "state"


def test_the_auditor_sees_hidden_cards(tablectl):
    records = lines(tablectl("play", "casino_holdem", "--json", stdin=HOLDEM_LIVE).stdout)
    assert [record["card"] for record in records if record.get("face_up") is False] == ["5C", "5D"]


def test_without_json_it_is_plain_lines(tablectl):
    output = tablectl("play", "baccarat", stdin=SETTLED).stdout
    assert "9C to player" in output
    assert "winner player" in output
    assert output.splitlines()[-1].split() == ["=", "settled;", "due:", "nothing"]


def test_what_is_due_is_told_without_brackets(tablectl):
    last = tablectl("play", "casino_holdem", stdin=HOLDEM_LIVE).stdout.splitlines()[-1]
    assert last == "    =  deciding; due: step ask, who p1, options call fold, default fold, seconds 15"


def test_a_script_may_be_a_file(tablectl, tmp_path):
    path = tmp_path / "round.script"
    path.write_text(SETTLED, encoding="utf-8")
    assert "winner player" in tablectl("play", "baccarat", path).stdout


def test_a_script_that_is_not_there(tablectl, tmp_path):
    assert "No such file" in tablectl("play", "baccarat", tmp_path / "none", exit_code=2).stderr


def test_an_unknown_game(tablectl):
    assert "got 'baccara' (did you mean baccarat?)" in tablectl("play", "baccara", exit_code=2).stderr


def test_the_config_sets_the_table(tablectl, tmp_path):
    config = tmp_path / "table.toml"
    config.write_text("[table]\nconfirm = 'dealer'\nname = 't7'\n[game]\nname = 'baccarat'\n", encoding="utf-8")
    *records, standing = lines(tablectl("play", "baccarat", "--config", config, "--json", stdin=SETTLED).stdout)
    assert standing["state"] == "complete"
    assert {record["table"] for record in records} == {"t7"}


def test_a_config_for_another_game_is_refused(tablectl, tmp_path):
    config = tmp_path / "table.toml"
    config.write_text("[game]\nname = 'casino_holdem'\n", encoding="utf-8")
    assert "casino_holdem" in tablectl("play", "baccarat", "--config", config, exit_code=2).stderr


def test_a_broken_config_is_one_line(tablectl, tmp_path):
    config = tmp_path / "table.toml"
    config.write_text("[game]\ndecks = 'six'\n", encoding="utf-8")
    (line,) = tablectl("play", "baccarat", "--config", config, exit_code=2).stderr.splitlines()
    assert "game.decks: expected a whole number from 1 to 8" in line


def test_the_journal_keeps_what_was_printed(tablectl, tmp_path):
    path = tmp_path / "x.journal"
    printed = tablectl("play", "baccarat", "--journal", path, "--json", stdin=SETTLED).stdout.splitlines()[:-1]
    assert tablectl("journal", "export", path).stdout.splitlines() == printed


def test_a_journal_that_exists_is_refused_and_left_alone(tablectl, record):
    path = record(SETTLED)
    before = path.read_bytes()
    assert "exists" in tablectl("play", "baccarat", "--journal", path, stdin=SETTLED, exit_code=2).stderr
    assert path.read_bytes() == before


def test_no_file_is_left_in_a_running_tables_folder(tablectl, record, tmp_path):
    later = tablectl("journal", "export", "--script", "--round", 2, record(2 * SETTLED)).stdout
    folder = tmp_path / "running"
    folder.mkdir()
    with closing(Journal(folder / "t.journal")):
        before = sorted(folder.iterdir())
        for script in (SETTLED, later):
            tablectl("play", "baccarat", "--journal", folder / "x.journal", stdin=script, exit_code=2)
            assert sorted(folder.iterdir()) == before


def test_a_journal_that_cannot_be_written(tablectl, tmp_path):
    result = tablectl("play", "baccarat", "--journal", tmp_path / "none" / "x", stdin=SETTLED, exit_code=2)
    assert len(result.stderr.splitlines()) == 1
