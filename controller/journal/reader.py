"""Reading a journal, also while it is being written.

The one rule: a reader never writes to the file, and holds its writer up in nothing.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from ..core.records import Record
from .file import GENESIS, Head, NotAJournal, broken, decoded, flaw, last, open_file, own, rows


class Finding(NamedTuple):
    """What is wrong with a journal, and with which record first."""

    seq: int
    reason: str


class Verdict(NamedTuple):
    """What `verify` found: how many records stand, the last of them, and what is wrong after it."""

    records: int
    head: Head
    finding: Finding | None


def read(path: Path, after: int = 0) -> Iterator[Record]:
    """The records of a journal, also while it is being written. Raises NotAJournal, JournalFailed, Damaged."""
    with _reading(path) as db:
        for seq, line, _ in rows(db, after):
            yield decoded(path, seq, line)


def head_of(path: Path) -> Head:
    """The last record of a journal."""
    with _reading(path) as db:
        return last(db)


def verify(path: Path, announced: Head | None = None) -> Verdict:
    """Follow the chain of hashes. `announced`: a head that went out earlier and must still be there."""
    head = Head(0, GENESIS)
    with _reading(path) as db:
        try:
            for seq, line, digest in rows(db, 0):
                reason = flaw(head, seq, line, digest)
                if reason is None and announced and announced.seq == seq and announced.hash != digest:
                    reason = "replaced: another record was announced under this number"
                if reason:
                    return Verdict(head.seq, head, Finding(head.seq + 1, reason))
                head = Head(seq, digest)
        except sqlite3.DatabaseError as error:
            return Verdict(head.seq, head, Finding(head.seq + 1, f"unreadable: {error}"))
    if announced and announced.seq > head.seq:
        reason = f"missing: records {head.seq + 1} to {announced.seq} were announced and are not there"
        return Verdict(head.seq, head, Finding(head.seq + 1, reason))
    return Verdict(head.seq, head, None)


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A read-only connection, closed at the end."""
    if not path.is_file():
        raise NotAJournal(f"{path}: no such file")
    try:
        with closing(_readable(path)) as db:
            own(db, path)
            yield db
    except sqlite3.DatabaseError as error:
        raise broken(path, error) from None


def _readable(path: Path) -> sqlite3.Connection:
    db = open_file(path, "ro")
    try:
        db.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError:
        db.close()
        if path.with_name(path.name + "-wal").exists():
            raise
        return open_file(path, "ro&immutable=1")  # where nothing can be written beside it: an auditor's copy
    return db
