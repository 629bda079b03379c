"""The floor's own record: durable, in order, chained by hashes, readable by its owner only."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from controller.core.clock import to_text
from controller.floor.storage import floor_record as records
from controller.floor.storage.failures import FloorFailed
from controller.floor.storage.floor_record import FloorRecord, read, verify
from controller.text.coded import render
from tests.floor.statuses import START


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "main.floor.record"


def open_record(path: Path) -> FloorRecord:
    """Open the record at this path."""
    return FloorRecord(path, lambda: START)


def with_entries(path: Path) -> Path:
    """Write a record with five entries; return its path."""
    record = open_record(path)
    for number in range(5):
        record.append("claimed", table=f"t{number}", by="7")
    record.close()
    return path


def test_records_are_read_back_in_order_after_a_restart(path):
    record = open_record(path)
    assert record.append("claimed", table="t1", by="7") == 1
    record.close()
    again = open_record(path)
    assert again.append("released", table="t1", by="7") == 2
    expected = [{"kind": kind, "at": to_text(START), "table": "t1", "by": "7"} for kind in ("claimed", "released")]
    assert [entry.fields for entry in again.read()] == expected
    assert [entry.seq for entry in again.read(1)] == [2]
    again.close()
    assert (verify(path).records, verify(path).wrong) == (2, None)


def test_the_floors_record_is_readable_by_its_owner_only(path):
    before = os.umask(0)
    try:
        record = open_record(path)
        record.append("started")
        modes = {one.name: one.stat().st_mode & 0o777 for one in path.parent.glob(f"{path.name}*")}
        record.close()
    finally:
        os.umask(before)
    assert set(modes.values()) == {0o600}
    assert f"{path.name}-wal" in modes


def test_a_second_floor_on_one_record_is_refused(path):
    record = open_record(path)
    try:
        with pytest.raises(FloorFailed, match=r"another floor writes it: give each its own \[floor] store"):
            open_record(path)
        record.append("started")
    finally:
        record.close()
    open_record(path).close()


def test_a_file_that_is_no_floor_record_is_refused(path):
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE other (one)")
    db.close()
    with pytest.raises(FloorFailed, match="not the record of a floor"):
        open_record(path)
    with pytest.raises(FloorFailed, match="not the record of a floor"):
        verify(path)


@pytest.mark.parametrize(
    ("change", "stands", "says"),
    [
        ("UPDATE records SET record = replace(record, 't2', 't9') WHERE seq = 3", 2, "changed: the hash of entry 3"),
        ("DELETE FROM records WHERE seq = 3", 2, "missing: entry 4 comes after entry 2"),
        ("UPDATE records SET hash = zeroblob(32) WHERE seq = 5", 4, "changed: the hash of entry 5"),
        ("DELETE FROM records WHERE seq = 1", 0, "missing: entry 2 comes after entry 0"),
    ],
)
def test_a_changed_or_missing_entry_is_found(path, change, stands, says):
    with_entries(path)
    with sqlite3.connect(path) as db:
        db.execute(change)
    db.close()
    verdict = verify(path)
    assert verdict.records == stands
    assert render(verdict.wrong).startswith(says)


def test_a_failed_write_is_reported_and_leaves_the_chain_whole(path, monkeypatch):
    monkeypatch.setattr(records, "PATIENCE", 0.01)
    record = open_record(path)
    record.append("started")
    with sqlite3.connect(path, isolation_level=None) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(FloorFailed, match="locked"):
            record.append("claimed", table="t1")
        other.execute("ROLLBACK")
    other.close()
    assert record.append("claimed", table="t2") == 2
    record.close()
    assert (verify(path).records, verify(path).wrong) == (2, None)


def test_a_moved_or_replaced_record_is_not_written(path):
    record, elsewhere = open_record(path), path.with_name("elsewhere")
    record.append("started")
    for put in (lambda: None, lambda: path.write_bytes(b"")):
        path.rename(elsewhere)
        put()
        with pytest.raises(FloorFailed, match="not the file any more"):
            record.append("claimed", table="t1")
        elsewhere.replace(path)
    assert record.append("claimed", table="t2") == 2
    record.close()
    assert (verify(path).records, verify(path).wrong) == (2, None)


def test_many_threads_write_one_chain(path):
    record = open_record(path)
    threads = [
        threading.Thread(target=lambda: [record.append("commanded", table="t1") for _ in range(10)]) for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    record.close()
    assert (verify(path).records, verify(path).wrong) == (50, None)


WRITER = """
import sys
from pathlib import Path
from controller.floor.storage.floor_record import FloorRecord
record = FloorRecord(Path(sys.argv[1]), lambda: 0)
while True:
    print(record.append("commanded", table="t1"), flush=True)
"""


def test_confirmed_records_survive_a_kill(path):
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE)
    try:
        seqs = [int(writer.stdout.readline()) for _ in range(50)]
    finally:
        writer.send_signal(signal.SIGKILL)
        seqs += [int(line) for line in writer.stdout.read().split(b"\n")[:-1]]
        writer.stdout.close()
        writer.wait()
    assert [entry.seq for entry in read(path)][: len(seqs)] == seqs
    record = open_record(path)
    record.append("started")
    record.close()
    assert verify(path).wrong is None
