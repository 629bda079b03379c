"""Shared by the end-to-end tests: a table's config and files, and programs in their own processes.

The program under test reads a real pty with real pyserial; nothing in it is patched.
"""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from controller.core.records import Record
from controller.journal import Head, JournalError, origin_of, read
from tests.patience import PATIENCE
from tests.processes import TABLECTL, ForkableProgram, can_fork, finish

ROOT = Path(__file__).parents[2]
OLD = "[clock]\nahead_days = 36500\n"  # for a record with times that a script has made up


class Folder:
    """Files of one table: config, journal, anchor, API socket and the shoe's port."""

    def __init__(self, path: Path) -> None:
        self.config, self.journal, self.port = path / "table.toml", path / "table.journal", path / "shoe"
        self.socket, self.anchor = path / "table.sock", path.with_name(f"{path.name}.anchor")
        self._begins, self._known = Head(0, b""), list[Record]()  # records read last, and the origin of their journal

    def write_config(self, allow: Sequence[str] = (), panel: str | None = "xk24", journal: str = "") -> Path:
        """Write the config of a baccarat table; return its path.

        The dealer closes the betting and confirms results; the timers are too long to run out in a test.
        `journal`: more lines of that section.
        """
        self.config.write_text(
            f"""
[table]
name = "t1"
dealer = "d1"
[game]
name = "baccarat"
[shoe]
port = "{self.port}"
allow = {json.dumps(list(allow))}
[panel]
{f'model = "{panel}"' if panel else ""}
[timers]
betting = 3600
stall = 3600
acknowledge = 3600
ruling = 3600
[journal]
path = "{self.journal}"
{journal}
[api]
socket = "{self.socket}"
[web]
listen = "127.0.0.1:0"
""",
            encoding="utf-8",
        )
        return self.config

    def records(self) -> list[Record]:
        """Return the journal's records at this moment; empty if there is no journal yet."""
        try:
            begins = origin_of(self.journal)
            prefix = self._known if begins == self._begins else []
            tail = list(read(self.journal, prefix[-1].seq - 1)) if prefix else []
            if prefix and tail[:1] == prefix[-1:]:
                self._known = [*prefix, *tail[1:]]
            else:
                self._begins, self._known = begins, list(read(self.journal))
        except JournalError:
            self._known = []
        return [*self._known]

    def kinds(self) -> list[str]:
        return [record.kind for record in self.records()]

    def codes(self) -> list[str]:
        """Return the codes of all recorded faults, in order."""
        return [record.what.code for record in self.records() if record.kind == "faulted"]

    def count(self, kind: str, **fields: str) -> int:
        """Count the records of a kind that have these values in these fields."""
        return sum(
            record.kind == kind and all(getattr(record.what, name) == value for name, value in fields.items())
            for record in self.records()
        )


class RunningProgram:
    """Program in a process of its own; as a context manager it is killed at the end if it still runs.

    `forked`: fork it, where possible, from a process that has imported all of tablectl (see `tests.processes`).
    """

    def __init__(self, command: Sequence[str | Path], log: Path, *, forked: bool = True) -> None:
        self._log = log
        start = ForkableProgram if forked and can_fork(command) else subprocess.Popen
        with log.open("ab") as errors:
            self.process = start(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, cwd=ROOT, text=True
            )

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    @property
    def running(self) -> bool:
        return self.process.poll() is None

    def errors(self) -> str:
        """Return what the program has written to standard error."""
        return self._log.read_text(encoding="utf-8")

    def events(self) -> list[str]:
        """Return the names of the events in the program's log."""
        whole, _, _ = self.errors().rpartition("\n")  # the last line may be incomplete
        return [json.loads(line)["event"] for line in whole.splitlines() if line.startswith("{")]

    def ends(self) -> int:
        """Wait for the program's end; return its exit code."""
        return self.process.wait(PATIENCE)


def tablectl(*words: str | Path) -> "subprocess.CompletedProcess[str]":
    """Run a `tablectl` command to its end; return the finished process."""
    return finish([TABLECTL, *words])


def start_table(config: Path, *, forked: bool = True) -> RunningProgram:
    """Start `tablectl run` with this config."""
    return RunningProgram([TABLECTL, "run", config], config.with_suffix(".log"), forked=forked)


class StationProcess(RunningProgram):
    """Table with an emulated panel in its process, controlled line by line (see `station_process`).

    `through`: a command that starts it, such as `strace` with its options.
    """

    STARTS = 0.1  # seconds that a start takes on an idle machine, roughly

    def __init__(self, config: Path, through: Sequence[str | Path] = ()) -> None:
        command = [*through, sys.executable, "-m", "tests.end_to_end.station_process", config]
        super().__init__(command, config.with_suffix(".log"))

    def say(self, line: str) -> None:
        """Send a line of the script language or `plug`, `unplug`, `standing`; ignored by an ended process."""
        with contextlib.suppress(BrokenPipeError):
            os.write(self.process.stdin.fileno(), f"{line}\n".encode())

    def finishes(self) -> int:
        """Close standard input and wait for the process's end; return its exit code."""
        self.process.communicate(timeout=PATIENCE)
        return self.process.returncode

    def hush(self) -> None:
        """Close standard input, so that the process ends cleanly."""
        self.process.stdin.close()
        self.process.stdin = None

    def hears(self) -> Iterator[dict[str, Any]]:
        """Yield each line that the process writes, until its end; an incomplete last line is dropped."""
        for line in self.process.stdout:
            if line.endswith("\n"):
                yield json.loads(line)
