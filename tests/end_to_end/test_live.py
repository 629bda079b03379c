"""A shift manager's commands at a running table: `tablectl run`, and the commands sent to it."""

import json
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.cli.client import NoAnswer, ask
from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.pty_port import PtyPort
from tests.end_to_end.rig import Folder, RunningProgram, start_table
from tests.patience import eventually
from tests.processes import TABLECTL, finish

EARLY = ("5H", "6H")
NATURAL = ("9C", "2D", "KD", "3H")  # Player 9, Banker 5: nobody draws
UNUSED = "shoe 1: 312 cards, 0 dealt, 0 burnt, 312 left, not counted"
LIGHT = 60 * 1024  # kB of memory


class CommandResult:
    """Run a `tablectl` command; holds its exit code, output and errors."""

    def __init__(self, *words: object) -> None:
        ended = finish([TABLECTL, *map(str, words)], cwd="/")
        self.code, self.out, self.errors = ended.returncode, ended.stdout, ended.stderr


@pytest.fixture
def folder(tmp_path) -> Folder:
    folder = Folder(tmp_path)
    folder.write_config(panel=None)
    return folder


@pytest.fixture
def shoe(folder) -> Iterator[EmulatedAngelEye]:
    emulated = EmulatedAngelEye(PtyPort(folder.port), cards=EARLY + NATURAL)
    emulated.plug()
    yield emulated
    emulated.unplug()


@pytest.fixture
def table(folder, shoe) -> Iterator[RunningProgram]:
    with start_table(folder.config) as running:
        eventually(lambda: folder.count("device_found", device="shoe"))
        yield running


def test_a_fault_is_ruled_on_from_the_command_line(folder, shoe, table):
    here = ("--socket", folder.socket)
    opened = CommandResult("open", "--config", folder.config, "--by", "anna")
    assert (opened.code, opened.out) == (0, "round 1 open for bets (baccarat)\n")
    shoe.draw()
    eventually(lambda: folder.codes() == ["card_before_close"])
    (fault,) = [record for record in folder.records() if record.kind == "faulted"]

    lines = CommandResult("status", folder.config).out.splitlines()
    assert lines[0] == "table t1: PAUSED, round 1 (baccarat), dealer d1"
    assert lines[1].startswith(f"fault {fault.seq} since ")
    assert lines[1].endswith(": card_before_close: expected no more bets, got 5H at player")
    assert lines[2:4] == ["  draw 1: 5H, without a place, said to lie at player", "rulings: burn, void, cancel"]
    assert json.loads(CommandResult("status", "--json", *here).out)["fault"]["rulings"] == ["burn", "void", "cancel"]

    acknowledged = CommandResult("ack", "--by", "anna", *here)
    assert (acknowledged.code, acknowledged.out) == (0, "anna has seen the fault\n")
    own = CommandResult("rule", "burn", "--by", "d1", "--because", "mine", *here)
    assert (own.code, own.out) == (1, "")
    assert own.errors == (
        "tablectl: refused: the dealer of a round can never rule on it: call another shift manager\n"
    )  # fmt: skip
    ruled = CommandResult("rule", "burn", "by", "anna", "because", "too early", *here)
    assert (ruled.code, ruled.out.splitlines()[0]) == (0, 'anna ruled burn draw 1 because "too early"')
    assert CommandResult("rule", "burn", "--because", "again", *here).errors == "tablectl: refused: nothing is paused\n"

    shoe.draw()
    eventually(lambda: len(folder.codes()) == 2)
    stale = CommandResult("rule", "burn", "--fault", fault.seq, "--because", "the same click again", *here)
    assert (stale.code, stale.errors) == (1, "tablectl: refused: another fault is open by now: look again\n")
    assert CommandResult("rule", "burn", "2", "--because", "too early", *here).code == 0

    assert CommandResult("close", *here).out == "no more bets\n"
    for _ in NATURAL:
        shoe.draw()
    eventually(lambda: folder.count("completed"))
    assert "round 1 settled: winner player" in CommandResult("press", "finish", *here).out
    assert CommandResult("status", *here).out.splitlines()[:3] == [
        "table t1: settled, round 1 (baccarat), dealer d1",
        "next: no round is on",
        "cards: player 9C KD · banker 2D 3H",
    ]


def test_commands_change_dealer_shoe_and_table_between_rounds(folder, table):
    here = ("--socket", folder.socket)
    for words, output in (
        (("dealer", "d2"), "dealer d2 signed on"),
        (("shoe", "change"), f"{UNUSED}\nthe shoe is taken away"),
        (("shoe", "cut"), "the cards are cut"),
        (("shoe", "ready", "S17", "312"), "shoe S17 ready, 312 cards"),
        (("table", "close"), "table t1 closed"),
        (("table", "open"), "table t1 open"),
    ):
        assert CommandResult(*words, *here).out == f"{output}\n"
    again = CommandResult("table", "open", "--json", *here)
    assert (again.code, json.loads(again.out)["reason"]) == (1, "open_already")
    assert again.errors == "tablectl: refused: the table is open already\n"


MALFORMED = {
    ("rule", "bun", "--because", "x"): "expected one of resume, enter, rescan, correct",
    ("rule", "correct", "4", "--because", "x"): "expected rule enter CARD, correct N CARD, move N PLACE",
    ("rule", "enter", "1H", "--because", "x"): "expected a card such as 9H, TD or AS, got '1H'",
    ("rule", "burn"): "expected a reason: --because TEXT",
    ("dealer", "d\n2"): "expected characters that can be seen, got U+000A - at `$.name`",
    ("shoe", "lost"): "expected a word out of change, cut, readout, ready, uncut, got 'lost'",
}


def test_a_malformed_command_is_refused_in_one_line(folder, table):
    for words, reason in MALFORMED.items():
        result = CommandResult(*words, "--socket", folder.socket)
        assert result.code == 2
        assert result.errors.startswith(f"tablectl: {reason}")
        assert result.errors.count("\n") == 1


def test_a_command_without_a_running_table_says_the_remedy(folder):
    result = CommandResult("status", folder.config)
    assert result.code == 2
    assert result.errors == (
        f"tablectl: no table runs at {folder.socket}: start it with `tablectl run CONFIG`, "
        "or say which table with --config, --table or --socket\n"
    )


def test_a_command_is_done_once_though_its_answer_was_lost(folder, shoe):
    command = {"command": "open", "id": "k1", "by": "anna"}
    with start_table(folder.config) as first:
        eventually(lambda: folder.count("device_found", device="shoe"))
        answer = ask(folder.socket, "POST", "/api/commands", command)
        first.process.kill()
        first.ends()
    assert folder.socket.exists()  # no program listens there any more
    assert CommandResult("open", "--config", folder.config).code == 2
    with start_table(folder.config):
        eventually(lambda: folder.count("faulted"))  # the running round is paused
        assert eventually(lambda: reply_of(folder.socket, command)) == answer.body
        assert folder.count("opened") == 1


def reply_of(path: Path, command: dict) -> object:
    try:
        return ask(path, "POST", "/api/commands", command).body
    except NoAnswer:
        return None


def test_a_running_table_takes_less_than_60_mb(folder, shoe):
    with start_table(folder.config, forked=False) as table:
        eventually(lambda: folder.count("device_found", device="shoe"))
        status = Path(f"/proc/{table.process.pid}/status").read_text(encoding="ascii")
    (memory,) = [line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")]
    assert int(memory) < LIGHT


def test_the_program_ends_at_once_though_somebody_follows_its_events(folder, table):
    with socket.socket(socket.AF_UNIX) as following:
        following.connect(str(folder.socket))
        following.sendall(b"GET /api/events?after=0 HTTP/1.1\r\nhost: t\r\n\r\n")
        assert following.recv(12) == b"HTTP/1.1 200"
        table.process.send_signal(signal.SIGTERM)
        assert table.ends() == 0  # does not wait for the stream, which never ends
    assert not folder.socket.exists()
    assert "crashed" not in table.events()


def test_a_running_tables_socket_is_not_taken(folder, table, tmp_path):
    other = tmp_path / "other.toml"
    (tmp_path / "other").mkdir()
    other.write_text(folder.config.read_text().replace("table.journal", "other/table.journal"), encoding="utf-8")
    run = CommandResult("run", other)
    assert run.code == 2
    assert run.errors.startswith(f"tablectl: {folder.socket}: a program listens there already; is this table running?")
    assert CommandResult("status", "--socket", folder.socket).code == 0
