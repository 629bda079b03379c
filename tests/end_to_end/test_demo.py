"""`tablectl demo` as a person starts it."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.core.records import Record
from controller.journal import head_of, read, verify
from tests.end_to_end.rig import PROGRAM, eventually


def demo(*options: str) -> list[str]:
    """The lines a demo prints, its times left out."""
    ended = subprocess.run([PROGRAM, "demo", *options], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    return [re.sub(r"^\d\d:\d\d:\d\d\.\d\d  ", "", line) for line in ended.stdout.splitlines()]


def recorded(folder: Path) -> list[Record]:
    return list(read(folder / "demo.journal"))


def faults(records: list[Record]) -> dict[int, str]:
    """By round: what was wrong."""
    return {record.round: record.what.code for record in records if record.kind == "faulted"}


def ended(records: list[Record]) -> dict[int, str]:
    """By round: how it ended."""
    return {record.round: record.kind for record in records if record.kind in ("settled", "cancelled")}


# ── as lines ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_demo_of_five_rounds_settles_five_rounds(tmp_path):
    lines = demo("--rounds", "5", "--seed", "7", "--speed", "100", "--journal", str(tmp_path))
    assert sum(line.startswith("round ") and " settled: " in line for line in lines) == 5
    assert lines[-2].startswith("5 rounds: 5 settled")
    assert lines[-2].endswith("0 cancelled; 0 faults")
    assert lines[-1] == f"journal: {head_of(tmp_path / 'demo.journal').seq} records stand, head " + str(
        head_of(tmp_path / "demo.journal")
    )
    assert verify(tmp_path / "demo.journal").finding is None


def test_with_faults_one_round_is_ruled_on_and_settled_and_another_is_cancelled(tmp_path):
    lines = demo("--faults", "--seed", "3", "--rounds", "5", "--speed", "100", "--journal", str(tmp_path))
    records = recorded(tmp_path)
    wrong, ends = faults(records), ended(records)
    assert sorted(wrong.values()) == ["card_before_close", "unread_card"]
    assert {code: ends[number] for number, code in wrong.items()} == {
        "card_before_close": "cancelled",
        "unread_card": "settled",
    }
    assert sorted(ends.values()) == ["cancelled", *["settled"] * 4]
    rulings = {record.round: record.what.ruling for record in records if record.kind == "ruled"}
    assert {wrong[number]: ruling for number, ruling in rulings.items()} == {
        "card_before_close": "cancel",
        "unread_card": "rescan",
    }
    assert any(line.startswith("FAULT unread_card") for line in lines)
    assert lines[-2].endswith("1 cancelled; 2 faults")


def test_any_seed_shows_both_faults_within_its_first_rounds(tmp_path):
    for seed in ("1", "2"):
        folder = tmp_path / seed
        demo("--faults", "--seed", seed, "--rounds", "2", "--speed", "1000", "--journal", str(folder))
        assert sorted(faults(recorded(folder)).values()) == ["card_before_close", "unread_card"]


def test_the_same_seed_gives_the_same_cards_and_another_one_others():
    options = ("--rounds", "4", "--speed", "1000", "--faults", "--seed")
    first, again, other = (what_was_dealt(demo(*options, seed)) for seed in ("5", "5", "6"))
    assert first == again != other
    assert len(first) > 12


def what_was_dealt(lines: list[str]) -> list[str]:
    return [line for line in lines if re.match(r"[2-9TJQKA][CDHS] |FAULT|round \d+ (settled|cancelled)", line)]


def test_the_shoe_is_changed_when_cards_run_low(tmp_path):
    demo("--rounds", "110", "--seed", "4", "--speed", "1000", "--journal", str(tmp_path))
    records = recorded(tmp_path)
    kinds = [record.kind for record in records]
    assert kinds.count("shoe_change") == kinds.count("cut_card") == 2
    assert kinds.count("shoe_ready") == 3  # the first was full at the start
    assert set(ended(records).values()) == {"settled"}
    assert not faults(records)


def test_a_demo_goes_on_with_the_record_of_one_that_was_killed_in_a_round(tmp_path):
    command = [PROGRAM, "demo", "--speed", "20", "--journal", tmp_path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if " to banker" in line:
                process.kill()
    demo("--rounds", "3", "--seed", "2", "--speed", "1000", "--journal", str(tmp_path))
    assert "restarted" in faults(recorded(tmp_path)).values()
    assert verify(tmp_path / "demo.journal").finding is None


# ── in a terminal ────────────────────────────────────────────────────────────────────────────────────────────────


class Terminal:
    """What a program shows to a person."""

    def __init__(self, process: "subprocess.Popen[bytes]", line: int) -> None:
        self.process, self._line = process, line
        self.shown = ""

    def shows(self, holds: Callable[[str], object]) -> str:
        """Wait until what was shown so far holds; that."""
        eventually(lambda: self._read() and holds(self.shown))
        return self.shown

    def ends(self) -> int:
        """Wait for the end; the exit code."""
        deadline = time.monotonic() + 15
        while self.process.poll() is None and time.monotonic() < deadline:
            self._read()
        self._read()
        return self.process.wait(1)

    def _read(self) -> bool:
        while select.select([self._line], [], [], 0.01)[0]:
            try:
                self.shown += os.read(self._line, 65536).decode(errors="replace")
            except OSError:  # the program has gone
                break
        return True


@contextmanager
def terminal(*options: str) -> Iterator[Terminal]:
    """A demo in a terminal of 100 columns."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    process = subprocess.Popen(
        [PROGRAM, "demo", *options],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        env={**os.environ, "TERM": "xterm-256color"},
    )
    os.close(slave)
    try:
        yield Terminal(process, master)
    finally:
        process.kill()
        process.wait()
        os.close(master)


def test_in_a_terminal_the_demo_draws_the_table_and_its_faults():
    with terminal("--faults", "--seed", "3", "--rounds", "2", "--speed", "20") as screen:
        assert screen.ends() == 0
        for word in ("PLAYER", "BANKER", "FAULT", "OPEN BETS", "next: CARD TO BANKER", "wait for the shift manager"):
            assert word in screen.shown
        assert "2 rounds: 1 settled" in screen.shown
        assert "Traceback" not in screen.shown


def test_ctrl_c_ends_a_demo_in_a_terminal_and_gives_the_cursor_back():
    with terminal("--seed", "3") as screen:
        screen.shows(lambda shown: "PLAYER" in shown)
        screen.process.send_signal(signal.SIGINT)
        assert screen.ends() == 0
        assert "Traceback" not in screen.shown
        assert screen.shown.rindex("\x1b[?25h") > screen.shown.rindex("\x1b[?25l")


def test_ctrl_c_ends_a_demo_without_a_traceback_and_leaves_a_sound_journal(tmp_path):
    command = [PROGRAM, "demo", "--speed", "50", "--journal", tmp_path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if " settled: " in line:
                break
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        assert (process.wait(15), process.stderr.read()) == (0, "")
    assert verify(tmp_path / "demo.journal").finding is None
