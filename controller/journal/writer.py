"""Single writer of a journal, the only one that changes the file.

Invariant: `append` returns once all records are durable, or raises and none of them is written. One connection writes
and checkpoints (SQLite's WAL-reset flaw needs two); everybody else opens the file read-only."""

import os
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ..core.clock import Time
from ..core.coded_message import CodedMessage, coded
from ..core.encoding import BadRecord, decode, encode, encode_input
from ..core.records import Record
from ..core.state import State
from .archive import finish_rotation, rotate, trim
from .connection import AT_START, PATIENCE, JournalConnection
from .file import (
    NOTHING,
    PAGE,
    CannotRotate,
    Head,
    JournalError,
    JournalFailed,
    disk_error_text,
    journal_error,
    last_head,
)
from .journal_traces import JournalTraces
from .lock import Lock
from .recovery import recover
from .rows import INSERT, Row, row_hash

LOG_BYTES = 256 * 2**10  # size of the write-ahead log at which it is emptied; overwriting a log also syncs faster
NEXT_TRY = 500  # records after a failed rotation until the next attempt

_ENDS = "SELECT record FROM records WHERE seq IN (SELECT min(seq) FROM records UNION SELECT max(seq) FROM records)"


class Bounds(NamedTuple):
    """Limits of a journal file before a new one is begun; zero: no limit."""

    size: int = 0  # bytes
    age: Time = 0  # microseconds, from its first record to its last


class Journal:
    """Writer of a journal; there is one per table."""

    def __init__(
        self,
        path: Path,
        bounds: Bounds = Bounds(),  # noqa: B008 - it is frozen
        elsewhere: Path | None = None,
    ) -> None:
        """Open a journal, or begin one. Raises JournalInUse, NotAJournal, JournalFailed, Damaged.

        `elsewhere`: a further folder for a marker that the journal was begun (`JournalTraces`).
        """
        self.path = path
        self.head = NOTHING
        self._real = Path(os.path.realpath(path))  # `resolve` raises on a loop of links: that is for SQLite to refuse
        self._bounds = bounds
        self._logged = 0
        self._not_before = 0  # first record after which a rotation may be tried
        self._begun, self._has_markers = JournalTraces(path, elsewhere), False
        self._connection: JournalConnection | None = None
        self._lock = Lock(path)
        try:
            self._begun.ensure_file(self._real)
            finish_rotation(self._real, self._connect(AT_START).db)
        except BaseException:
            self.close()
            raise

    @property
    def _db(self) -> sqlite3.Connection:
        return self._connect().db

    def _connect(self, patience: float = PATIENCE) -> JournalConnection:
        """Connection to the journal, opened if necessary. Raises NotAJournal, JournalFailed.

        `patience`: seconds to wait for others' locks while it is opened.
        """
        if self._connection is None:
            connection = JournalConnection(self.path, self._real, patience)
            try:
                self._go_on_from(connection.head)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _go_on_from(self, head: Head) -> None:
        """Continue the journal after this head. Raises JournalFailed if the file ends elsewhere."""
        if not head.seq:
            self._begun.require_no_traces()
        if self.head.seq and head != self.head:
            raise JournalFailed(coded("other_end", path=str(self.path), last=self.head.seq, seq=head.seq))
        self.head = head

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _checked_connection(self) -> JournalConnection:
        """Connection, checked: the journal's file is still there under its name. Raises JournalFailed."""
        try:
            connection = self._connect()
            connection.check_files()
        except JournalError as error:
            raise JournalFailed(error.message) from None
        return connection

    def watch(self) -> None:
        """Check between records that the journal is still there, and create its markers once it has records.

        Raises JournalFailed.
        """
        self._checked_connection()
        if self.head.seq and not self._has_markers:
            self._has_markers = self._begun.create_markers()

    def append(self, records: Sequence[Record]) -> Head:
        """Make records durable, as one transaction. Raises JournalFailed, with none of them written."""
        connection = self._checked_connection()
        rows = row_chain(self.head, records)
        head = Head(rows[-1][0], rows[-1][-1]) if rows else self.head
        try:
            self._insert(rows)
        except sqlite3.Error as error:
            self._roll_back()
            if not rows or not self._holds(head):
                raise JournalFailed(_describe_error(error, self.path, head)) from None
        finally:
            connection.note_own_write()
        self._logged += sum(2 * PAGE + len(line) + len(input_line or b"") for _, line, input_line, _ in rows)  # roughly
        self.head = head
        return head

    def _holds(self, head: Head) -> bool:
        """True if a commit that was reported as failed is in the file nevertheless."""
        with suppress(sqlite3.Error):
            return last_head(self._db) == head
        return False

    def _insert(self, rows: list[Row]) -> None:
        if len(rows) == 1:  # a statement is a transaction of its own
            self._db.execute(INSERT, rows[0])
            return
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany(INSERT, rows)
        self._db.execute("COMMIT")

    def _roll_back(self) -> None:
        try:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        except sqlite3.Error:
            pass  # SQLite has rolled back by itself; if not, the next BEGIN fails

    def tidy(self) -> bool:
        """Do upkeep at a quiet moment: rotate a full journal, else empty a long write-ahead log.

        Returns True if there is a new file. Raises JournalFailed if the journal is no longer there.
        """
        connection = self._checked_connection()
        if self._is_full(connection.size):
            return self._rotate_if_possible()
        if self._logged >= LOG_BYTES:
            self._logged = 0
            connection.empty_log("PASSIVE")
        return False

    def _is_full(self, now: int) -> bool:
        if self.head.seq < self._not_before:
            return False
        size, age = self._bounds
        return bool(size and now >= size) or bool(age and self._age() >= age)

    def _age(self) -> Time:
        with suppress(sqlite3.Error, BadRecord):
            times = [decode(line).at for (line,) in self._db.execute(_ENDS)]
            return max(times) - min(times)
        return 0

    def _rotate_if_possible(self) -> bool:
        import structlog  # it brings rich and asyncio: most commands log nothing

        log = structlog.get_logger().bind(journal=str(self.path))
        try:
            log.info("rotated", archive=self.rotate().name)
        except JournalError as error:  # if the new file exists but does not open, `append` tries again
            log.warning("not_rotated", reason=str(error))
            self._not_before = self.head.seq + NEXT_TRY
            return not isinstance(error, CannotRotate)
        return True

    def rotate(self) -> Path:
        """Continue in a new file; return the old one, now an archive. Raises CannotRotate, JournalFailed."""
        try:
            archive = rotate(self._db, self._real)
        finally:
            self._disconnect()  # also after a failure: the log may be another file now
            self._connect()
        self._logged = 0
        with suppress(OSError, sqlite3.Error):  # else `finish_rotation` trims it at the next start
            trim(archive, self._db)
        return archive

    def recover(self) -> State:
        """Return the state after the last record, from the last checkpoint on. Raises Damaged, JournalFailed."""
        try:
            return recover(self._db, self.path)
        except sqlite3.DatabaseError as error:
            raise journal_error(self.path, error) from None

    def close(self) -> None:
        """Close the file and release the lock."""
        self._disconnect()
        self._lock.close()


def _describe_error(error: sqlite3.Error, path: Path, head: Head) -> CodedMessage | str:
    if isinstance(error, sqlite3.IntegrityError):  # the number is the key: the second of two writers fails
        return coded("two_writers", path=str(path), seq=head.seq)
    return disk_error_text(path, error)


def row_chain(head: Head, records: Sequence[Record]) -> list[Row]:
    """Rows of these records in the file, each with the hash that continues the chain from `head`."""
    rows: list[Row] = []
    digest = head.hash
    for record in records:
        line, input_line = encode(record), None if record.input is None else encode_input(record.input)
        digest = row_hash(digest, line, input_line)
        rows.append((record.seq, line, input_line, digest))
    return rows
