"""Regression tests of a journal's file: locks, damage, read-only media, removal; each failed once."""

import json
import os
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from shutil import copy, copytree
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from controller.journal import Journal, JournalError, JournalFailed, JournalInUse, read, verify
from tests.end_to_end.rig import RunningProgram, start_table, tablectl
from tests.journal.test_journal import RECORDS
from tests.mounts import shell
from tests.patience import PATIENCE, eventually
from tests.processes import TABLECTL


def test_a_second_writer_is_refused_under_any_name(tmp_path):
    """A journal opened through a symbolic link has the same lock as the file itself."""
    book = Journal(tmp_path / "table.journal")
    (tmp_path / "link.journal").symlink_to(tmp_path / "table.journal")
    with pytest.raises(JournalInUse):
        Journal(tmp_path / "link.journal")
    book.close()


def test_no_change_of_a_byte_makes_verify_fail(tmp_path):
    """`verify` ends normally or raises JournalError, whatever byte before a record is changed.

    These bytes hold the types of the row's columns: a change can turn a column into nothing or a number.
    """
    path = tmp_path / "table.journal"
    book = Journal(path)
    book.append(RECORDS)
    book.close()
    raw = path.read_bytes()
    record = raw.index(b'{"seq":7,"at"')
    for at in range(record - 12, record):
        for value in (0, 1, 7, 8, 12, 13, 127, 255):
            changed = bytearray(raw)
            changed[at] = value
            path.write_bytes(changed)
            try:
                verify(path)
            except JournalError:
                pass
            except Exception as error:  # noqa: BLE001 - the point
                pytest.fail(f"byte {at - record} before the record set to {value}: {error!r}")


SOUND = "; `tablectl journal verify` says which records are sound"
DAMAGES = {
    "edited": "UPDATE records SET record = replace(record, '\"kind\"', '\"kinf\"') WHERE seq = 5",
    "deleted": "DELETE FROM records WHERE seq BETWEEN 4 AND 6",
    "dropped": "DROP TABLE records",
}


@pytest.mark.parametrize("command", ["list", "show", "export"])
@pytest.mark.parametrize(
    ("damage", "before", "reason"),
    [
        ("edited", 4, f"record 5 cannot be read{SOUND}"),
        ("deleted", 3, f"missing: record 7 comes after record 3{SOUND}"),
        ("dropped", 0, "no such table: records"),
    ],
)
def test_a_damaged_journal_is_read_up_to_the_damage(tmp_path, command, damage, before, reason):
    """The records before the damage are printed; `list` prints rounds, and the first one does not end before it."""
    path = damaged(tmp_path, DAMAGES[damage])
    ended = tablectl("journal", command, path)
    assert (ended.returncode, ended.stderr) == (2, f"tablectl: {path}: {reason}\n")
    assert len(ended.stdout.splitlines()) == (0 if command == "list" else before)


@pytest.mark.parametrize(
    ("damage", "sound", "reason"),
    [
        ("edited", 4, "changed: the hash does not fit the record and those before it"),
        ("deleted", 3, "missing: record 7 comes after record 3"),
        ("dropped", 0, "unreadable: no such table: records"),
    ],
)
def test_verify_names_the_first_damaged_record(tmp_path, damage, sound, reason):
    ended = tablectl("journal", "verify", damaged(tmp_path, DAMAGES[damage]))
    says = f"record {sound + 1}: {reason}; {sound} valid records before it\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, says, "")


@pytest.mark.parametrize(
    ("damage", "code", "differs"),
    [("edited", 1, "record 5: not a record: "), ("deleted", 1, "round 1: outcome: recorded"), ("dropped", 2, "")],
)
def test_replay_of_a_damaged_journal_names_what_differs(tmp_path, damage, code, differs):
    path = damaged(tmp_path, DAMAGES[damage])
    ended = tablectl("journal", "replay", path)
    assert (ended.returncode, ended.stderr) == (code, "" if differs else f"tablectl: {path}: no such table: records\n")
    assert ended.stdout.startswith(differs)


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (
            f"UPDATE records SET record = replace(record, '\"kind\"', '\"?\"') WHERE seq = {len(RECORDS)}",
            f"record {len(RECORDS)} cannot be read{SOUND}",
        ),
        (
            f"DELETE FROM records WHERE seq = {len(RECORDS) - 1}",
            f"record {len(RECORDS) - 1}: missing: record {len(RECORDS)} comes after record {len(RECORDS) - 2}",
        ),
        (DAMAGES["dropped"], "no such table: records"),
    ],
    ids=DAMAGES,
)
def test_run_on_a_damaged_journal_is_one_line(tmp_path, folder, damage, reason):
    """`run` refuses the journal with exit code 2: after a traceback systemd would restart it without end."""
    path = damaged(tmp_path, damage)
    ended = tablectl("run", folder.write_config(panel=None))
    lines = [line for line in ended.stderr.splitlines() if not line.startswith("{")]  # without the log, in JSON
    assert (ended.returncode, lines) == (2, [f"tablectl: {path}: {reason}"])


def damaged(tmp_path: Path, damage: str) -> Path:
    path = tmp_path / "table.journal"
    book = Journal(path)
    book.append(RECORDS)
    book.close()
    db = sqlite3.connect(path)
    with db:
        db.execute(damage)
    db.close()
    return path


def test_a_journal_locked_by_somebody_does_not_stop_the_loop(tmp_path):
    """While an SQLite shell holds a transaction, `append` fails within 50 ms; SQLite's default is 5 s."""
    book = Journal(tmp_path / "table.journal")
    (waits,) = book._connection.db.execute("PRAGMA busy_timeout").fetchone()  # milliseconds
    assert waits <= 50
    with closing(sqlite3.connect(tmp_path / "table.journal", isolation_level=None)) as shell:
        shell.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalFailed):
            book.append(RECORDS[:1])
    book.append(RECORDS[:1])
    book.close()


def test_a_closed_journal_can_be_closed_again(tmp_path):
    """The second close must not close another file that has been given the lock's file descriptor."""
    book = Journal(tmp_path / "table.journal")
    book.close()
    with (tmp_path / "other").open("w") as other:
        book.close()
        os.fstat(other.fileno())


def test_a_journal_on_read_only_media_can_be_verified(tmp_path):
    """An auditor's copy verifies, although SQLite can make no -shm file beside it."""
    path = tmp_path / "copy.journal"
    book = Journal(path)
    book.append(RECORDS)
    book.close()
    ended = verified_read_only(path)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_log_on_read_only_media_is_named_with_advice(tmp_path):
    """The copy of a table in use, with its log: without -shm SQLite cannot read the log there."""
    path, stick = tmp_path / "table.journal", tmp_path / "stick"
    stick.mkdir()
    with closing(Journal(path)) as book:
        book.append(RECORDS)
        for name in (path.name, f"{path.name}-wal"):
            copy(tmp_path / name, stick)
    ended = verified_read_only(stick / path.name)
    assert f"its last records are in {stick / path.name}-wal" in ended.stderr
    assert "copy both files to another folder" in ended.stderr
    here = Path(copytree(stick, tmp_path / "here"))
    assert verify(here / path.name).head.seq == len(RECORDS)


def verified_read_only(path: Path) -> "subprocess.CompletedProcess[str]":
    """Run `journal verify` where the journal's folder is mounted read-only."""
    read_only = 'mount --bind "$0" "$0"; mount -o remount,bind,ro "$0"'
    command = shell(read_only, path.parent, [TABLECTL, "journal", "verify", path])
    return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)


def test_a_removed_journal_halts_and_is_never_begun_anew(folder):
    config = folder.write_config(panel=None)
    with start_table(config) as table:
        address = eventually(lambda: web_of(table))
        before = list(read(folder.journal))
        folder.journal.unlink()
        health = eventually(lambda: body_if(f"{address}/healthz", 503))  # noticed without any event at the table
        assert b"cannot be written" in health
        assert b'tablectl_halted{table="t1"} 1.0' in body_if(f"{address}/metrics", 200)
        assert "HALTED: the record cannot be written: " in tablectl("status", "--socket", folder.socket).stdout
        assert "halted" in table.events()
        table.process.terminate()
        assert table.ends() == 0
    refused = tablectl("run", config)
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
    assert "there is none; put it back (" in refused.stderr
    assert not folder.journal.exists()
    folder.journal.with_name("table.journal.rescued").rename(folder.journal)
    with start_table(config) as table:
        eventually(lambda: table.events().count("started") == 2)
    assert folder.records()[: len(before)] == before


def web_of(table: RunningProgram) -> str | None:
    """Return the address of the table's pages; None until the table has started."""
    started = [line for line in table.errors().splitlines() if '"event":"started"' in line.replace(" ", "")]
    return json.loads(started[0])["web"] if started else None


def body_if(url: str, status: int) -> bytes | None:
    """Return the answer's body if it has this status, else None."""
    try:
        with urlopen(url) as answer:
            got, body = answer.status, answer.read()
    except HTTPError as error:
        with error:
            got, body = error.code, error.read()
    return body if got == status else None
