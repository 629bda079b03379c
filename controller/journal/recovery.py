"""Recovery of the state in which a journal ends.

It is computed from the last checkpoint on, however long the journal is; the records it depends on are verified first.
"""

import sqlite3
from pathlib import Path

from ..core.coded_message import coded
from ..core.fold import fold, state_before
from ..core.records import Checkpoint, Record
from ..core.state import State
from .file import Damaged, Head, origin
from .reader import open_read_only
from .rows import backwards, decode_row, flaw, rows


def recover_state(path: Path) -> State:
    """Return the state after the last record of a journal that may be in use.

    Raises NotAJournal, JournalFailed, Damaged.
    """
    with open_read_only(path) as db:
        return recover(db, path)


def recover(db: sqlite3.Connection, path: Path) -> State:
    """Return the state after the last record. Raises Damaged."""
    tail: list[Record] = []
    for row in backwards(db):
        record = decode_row(path, row)
        tail.append(record)
        if isinstance(record.what, Checkpoint):
            break
    start = tail[-1].seq if tail else 1
    _follow(db, path, start)
    has_checkpoint = bool(tail) and isinstance(tail[-1].what, Checkpoint)
    try:
        return fold(state_before(tail[-1]) if has_checkpoint else State(), reversed(tail))
    except Exception as error:
        where = coded("record_after", after=start - 1, name=type(error).__name__)
        raise Damaged(coded("record_unsound", path=str(path), reason=where)) from error


def _follow(db: sqlite3.Connection, path: Path, first: int) -> None:
    """Verify the hash chain from record `first` to the last one. Raises Damaged."""
    before = db.execute("SELECT seq, hash FROM records WHERE seq = ?", (first - 1,)).fetchone()
    head = Head(*before) if before else origin(db)
    for row in rows(db, first - 1):
        reason = flaw(head, row)
        if reason:
            raise Damaged(coded("record_damaged", path=str(path), seq=head.seq + 1, reason=reason))
        head = Head(row[0], row[-1])
