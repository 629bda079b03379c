"""Regression tests of a journal's file: locks, damage, read-only media, removal; each failed once."""

import json
import os
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from controller.journal import Journal, JournalError, JournalFailed, JournalInUse, read, verify
from tests.end_to_end.rig import Running, run, tablectl
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


@pytest.mark.parametrize("command", ["list", "show", "export", "replay", "verify"])
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE records SET record = replace(record, '\"kind\"', '\"kinf\"') WHERE seq = 5",
        "DELETE FROM records WHERE seq BETWEEN 4 AND 6",
        "DROP TABLE records",
    ],
    ids=["edited", "deleted", "dropped"],
)
def test_a_damaged_journal_is_no_traceback(tmp_path, command, damage):
    path = damaged(tmp_path, damage)
    ended = tablectl("journal", command, path)
    assert "Traceback" not in ended.stderr
    if command in ("verify", "replay"):
        assert ended.returncode in (1, 2)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE records SET record = replace(record, '\"kind\"', '\"?\"') WHERE seq = (SELECT max(seq) FROM records)",
        "DELETE FROM records WHERE seq = (SELECT max(seq) - 1 FROM records)",
        "DROP TABLE records",
    ],
    ids=["edited", "deleted", "dropped"],
)
def test_run_on_a_damaged_journal_is_one_line(tmp_path, folder, damage):
    """`run` refuses the journal with exit code 2: after a traceback systemd would restart it without end."""
    damaged(tmp_path, damage)
    ended = tablectl("run", folder.write_config(panel=None))
    assert "Traceback" not in ended.stderr
    assert ended.returncode == 2


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
    read_only = 'mount --bind "$0" "$0"; mount -o remount,bind,ro "$0"'
    command = shell(read_only, tmp_path, [TABLECTL, "journal", "verify", path])
    ended = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_removed_journal_halts_and_is_never_begun_anew(folder):
    config = folder.write_config(panel=None)
    with run(config) as table:
        address = eventually(lambda: web_of(table))
        before = list(read(folder.journal))
        folder.journal.unlink()
        health = eventually(lambda: asked(f"{address}/healthz", 503))  # noticed without any event at the table
        assert b"cannot be written" in health
        assert b'tablectl_halted{table="t1"} 1.0' in asked(f"{address}/metrics", 200)
        assert "HALTED: the record cannot be written: " in tablectl("status", "--socket", folder.socket).stdout
        assert "halted" in table.events()
        table.process.terminate()
        assert table.ends() == 0
    refused = tablectl("run", config)
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
    assert "there is none; put it back (" in refused.stderr
    assert not folder.journal.exists()
    folder.journal.with_name("table.journal.rescued").rename(folder.journal)
    with run(config) as table:
        eventually(lambda: table.events().count("started") == 2)
    assert folder.records()[: len(before)] == before


def web_of(table: Running) -> str | None:
    """Return the address of the table's pages; None until the table has started."""
    started = [line for line in table.errors().splitlines() if '"event":"started"' in line.replace(" ", "")]
    return json.loads(started[0])["web"] if started else None


def asked(url: str, status: int) -> bytes | None:
    """Return the answer's body if it has this status, else None."""
    try:
        with urlopen(url) as answer:
            got, body = answer.status, answer.read()
    except HTTPError as error:
        with error:
            got, body = error.code, error.read()
    return body if got == status else None
