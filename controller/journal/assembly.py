"""Assembly of a journal from shipped parts, for a takeover by another PC.

Invariant: every record's hash is checked when it is copied, and nothing has the journal's name until everything is
durable.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path

from ..core.records import Record
from .archive import begin_after
from .file import Head, clear, journal_error, last_head, open_file, sync
from .journal_traces import JournalTraces, takeover_path
from .parts import PartFile, rows_of
from .rows import INSERT, Row
from .writer import row_chain


def write_journal(parts: Sequence[PartFile], to: Path) -> Head:
    """Write the parts' records to a new journal file; return its last record.

    Raises Damaged, JournalFailed.
    """
    begin_after(to, parts[0].begin)
    _insert(to, chain.from_iterable(rows_of(part) for part in parts), "PRAGMA journal_mode = DELETE")  # no log
    return parts[-1].end


def delete_records_from(to: Path, seq: int) -> Head:
    """Delete record `seq` and all after it; the parts keep them.

    Returns the new last record. Raises JournalFailed.
    """
    try:
        with closing(open_file(to, "rw")) as db:
            db.execute("DELETE FROM records WHERE seq >= ?", (seq,))
            return last_head(db)
    except sqlite3.DatabaseError as error:
        raise journal_error(to, error) from None


def temporary_path(path: Path) -> Path:
    """Return the path of the temporary file in which the journal for `path` is built."""
    return path.with_name(f"{path.name}.takeover")


def remove_temporary_files(path: Path) -> None:
    """Delete temporary files that an earlier attempt for `path` has left. Raises JournalFailed."""
    for temporary in (temporary_path(path), takeover_path(path)):
        try:
            clear(temporary)
        except OSError as error:
            raise journal_error(temporary, error) from None


def require_vacant(path: Path) -> None:
    """Check that no journal is or was at this path. Raises JournalFailed."""
    JournalTraces(path, None).require_no_traces()


def give_name(new: Path, path: Path) -> None:
    """Rename the finished file to the journal's name, durably. Raises JournalFailed."""
    try:
        new.rename(path)
        sync(path.parent)
    except OSError as error:
        raise journal_error(path, error) from None


def append_records(to: Path, head: Head, records: Sequence[Record]) -> Head:
    """Append records to the journal file `to`, which ends at `head`; returns the new end. Raises JournalFailed."""
    rows = row_chain(head, records)
    _insert(to, rows)
    return Head(rows[-1][0], rows[-1][-1])


def _insert(to: Path, rows: Iterable[Row], *then: str) -> None:
    """Insert all rows in one durable transaction, then run the statements `then`.

    Raises JournalFailed; Damaged if the rows' source raises it.
    """
    try:
        with closing(open_file(to, "rw")) as db:
            db.execute("PRAGMA synchronous = FULL")
            db.execute("BEGIN IMMEDIATE")
            db.executemany(INSERT, rows)
            db.execute("COMMIT")
            for statement in then:
                db.execute(statement)
    except sqlite3.DatabaseError as error:
        raise journal_error(to, error) from None
