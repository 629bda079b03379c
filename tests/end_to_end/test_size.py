"""A table with a record of 20,000 rounds starts as fast as a new one."""

import re
import socket
import time
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from controller.core.records import Checkpoint, Record
from controller.core.state import State
from controller.journal import Journal, head_of
from tests.end_to_end.rig import OLD, Folder, start_table, tablectl
from tests.journal.test_journal import RECORDS
from tests.patience import PATIENCE

BATCH = 500  # rounds in a transaction; a real table commits each event
OPENED, SETTLED = (next(record.seq for record in RECORDS if record.kind == kind) for kind in ("opened", "checkpoint"))
ROUND = RECORDS[OPENED - 1 : SETTLED]


def later(record: Record, seq: int, number: int) -> Record:
    """Return a record of the first round, changed to one of another round."""
    what = record.what
    if isinstance(what, Checkpoint):
        state = msgspec.json.decode(what.state, type=State)
        state = replace(state, seq=seq - 1, round=replace(state.round, number=number), table="t1")
        what = Checkpoint(msgspec.Raw(msgspec.json.encode(state)))
    return replace(record, seq=seq, round=number, what=what, table="t1")


def played(path: Path, rounds: int) -> None:
    """Write a journal of this many rounds."""
    book = Journal(path)
    book.append([replace(record, table="t1") for record in RECORDS[: OPENED - 1]])
    seq = OPENED - 1
    for first in range(1, rounds + 1, BATCH):
        records = []
        for number in range(first, min(first + BATCH, rounds + 1)):
            records += [later(record, seq + n, number) for n, record in enumerate(ROUND, start=1 + len(records))]
        book.append(records)
        seq += len(records)
    book.close()


def seconds_until_ready(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> float:
    """Start the program, and return the seconds until it reports READY to systemd."""
    name = str(folder.journal.with_name("notify"))
    monkeypatch.setenv("NOTIFY_SOCKET", name)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(name)
        systemd.settimeout(PATIENCE)
        began = time.monotonic()
        with start_table(folder.write_config(panel=None, journal=OLD), forked=False) as table:
            assert systemd.recv(4096).startswith(b"READY=1")
            took = time.monotonic() - began
            table.process.terminate()
            assert table.ends() == 0
    Path(name).unlink()
    return took


@pytest.mark.proof
@pytest.mark.timeout(600)
def test_after_20_000_rounds_a_table_starts_as_fast(tmp_path, monkeypatch, capsys):
    """With 20,000 rounds the start takes less than 1.5 times the time with one; the record verifies."""
    new, old = (Folder(tmp_path / name) for name in ("new", "old"))
    for folder, rounds in ((new, 1), (old, 20_000)):
        folder.journal.parent.mkdir()
        played(folder.journal, rounds)
    took = [[seconds_until_ready(folder, monkeypatch) for folder in (new, old)] for _ in range(5)]
    first, later = (min(times) for times in zip(*took, strict=True))  # the least of five: the PC may be busy
    verified = tablectl("journal", "verify", old.journal).stdout
    with capsys.disabled():
        size = old.journal.stat().st_size / 1e6
        print(f"\n{size:.0f} MB: ready after {later:.2f} s, with one round after {first:.2f} s; {verified}")
    assert later < 1.5 * first
    assert re.match(rf"{head_of(old.journal).seq} records valid, [\d,]+ a second; head ", verified)
