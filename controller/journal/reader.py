"""Reading of a journal, also while it is being written.

Invariant: a reader never writes to the file and never delays its writer.
"""

import os
import sqlite3
import time
from collections.abc import Collection, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

from ..core.coded_message import coded
from ..core.records import Record
from .archive import archives, first_seq_of
from .file import (
    Damaged,
    Head,
    JournalError,
    NoJournalYet,
    NotAJournal,
    is_there,
    journal_error,
    last_head,
    open_file,
    origin,
    require_journal,
)
from .rows import Row, decode_row, rows, rows_before

PATIENCE = 0.5  # seconds to wait while the writer rotates the journal


def read(path: Path, after: int | None = None, kinds: Collection[str] = ()) -> Iterator[Record]:
    """Yield the records of a journal, also while it is being written.

    `after`: yields all records after this number, from archives too. None: the records of this file alone. `kinds`:
    only these kinds; empty: all, so that a missing record is noticed. Raises NotAJournal, JournalFailed; Damaged at a
    gap.
    """
    with open_read_only(path) as db:
        begins = origin(db).seq
        if after is not None and after < begins:
            yield from _archived_records(path, after, begins, kinds)
        yield from _records(path, db, max(after or 0, begins), kinds)


def read_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of this file as stored, for a comparison byte by byte."""
    with open_read_only(path) as db:
        yield from rows(db, 0)


def read_back(path: Path, before: int, kinds: Collection[str]) -> Iterator[Record]:
    """Yield records of these kinds before number `before`, from this file alone, the latest first."""
    with open_read_only(path) as db:
        for row in rows_before(db, before, kinds):
            yield decode_row(path, row)


def _archived_records(path: Path, after: int, up_to: int, kinds: Collection[str]) -> Iterator[Record]:
    """Records from the archives beside a journal. Raises Damaged if one is not beside it."""
    for archive in archives(path):
        with open_read_only(archive) as db:
            if last_head(db).seq <= after or origin(db).seq >= up_to:
                continue
            if origin(db).seq > after:
                raise Damaged(coded("archive_absent", path=str(path), first=after + 1, last=origin(db).seq))
            end = min(last_head(db).seq, up_to)
            for record in _records(archive, db, after, kinds):
                if record.seq > end:
                    break
                yield record
            after = end
    if after < up_to:
        raise Damaged(coded("archive_absent", path=str(path), first=after + 1, last=up_to))


def _records(path: Path, db: sqlite3.Connection, after: int, kinds: Collection[str]) -> Iterator[Record]:
    """Records of one file after number `after`. Raises Damaged if one is missing among records of all kinds."""
    for row in rows(db, after, kinds):
        if not kinds and row[0] != after + 1:
            skipped = coded("record_skipped", seq=row[0], after=after)
            raise Damaged(coded("record_unsound", path=str(path), reason=skipped))
        after = row[0]
        yield decode_row(path, row)


def head_of(path: Path) -> Head:
    """Return the last record of a journal. Raises NotAJournal, JournalFailed."""
    with open_read_only(path) as db:
        return last_head(db)


def origin_of(path: Path) -> Head:
    """Return the record before the first one: the last of an archive, or NOTHING."""
    with open_read_only(path) as db:
        return origin(db)


def reach(path: Path) -> int:
    """Return the number after which all records are available, in this file and the archives beside it."""
    begin = origin_of(path).seq
    for archive in reversed(archives(path)):
        with suppress(JournalError), open_read_only(archive) as db:
            begin = origin(db).seq if origin(db).seq < begin <= last_head(db).seq else begin
    return begin


def first_absent(path: Path, seq: int) -> int:
    """Return the first record up to `seq` that no file has, if record `seq` is in none."""
    older = [archive for archive in archives(path) if first_seq_of(archive) <= seq]
    return head_of(older[-1]).seq + 1 if older else 1


@contextmanager
def open_read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a read-only connection that sees the file as of this moment, closed at the end.

    Raises NotAJournal, JournalFailed.
    """
    try:
        with closing(_open_journal(path)) as db:
            require_journal(db, path)
            yield db
    except sqlite3.DatabaseError as error:
        raise journal_error(path, error) from None


def _open_journal(path: Path) -> sqlite3.Connection:
    if not is_there(path):
        if path.is_dir():
            raise NotAJournal(coded("is_a_folder", path=str(path)))
        raise NoJournalYet(coded("no_such_file", path=str(path)))
    try:
        return _frozen(path) if _is_frozen(path) else _open_live(path)
    except OSError as error:
        raise journal_error(path, error) from None


def _is_frozen(path: Path) -> bool:
    """True if nothing can be written beside the file and nobody has it open, as on an auditor's medium."""
    beside = (path.with_name(path.name + end) for end in ("-wal", "-journal"))
    return not os.access(path.parent, os.W_OK) and not any(one.exists() for one in beside)


def _frozen(path: Path) -> sqlite3.Connection:
    return open_file(path, "ro&immutable=1")


def _open_live(path: Path) -> sqlite3.Connection:
    """Open a journal in use, with a transaction that keeps one state until the end.

    SQLite finds a file's log by its name. If the name goes to the next file while opening, the file is opened again.
    """
    deadline = time.monotonic() + PATIENCE
    while True:
        file = path.stat().st_ino
        with ExitStack() as undone:
            db = undone.enter_context(closing(open_file(path, "ro")))
            try:
                db.execute("BEGIN")
                db.execute("SELECT count(*) FROM sqlite_master").fetchone()
                if path.stat().st_ino == file:
                    undone.pop_all()
                    return db
            except sqlite3.DatabaseError as error:
                waits = isinstance(error, sqlite3.OperationalError) and time.monotonic() < deadline
                if path.stat().st_ino == file and not waits:
                    raise
        time.sleep(0.01)
