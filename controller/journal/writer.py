"""The one writer of a journal.

The one rule: `append` returns when the records are durable, all of them, or raises and none is there. One connection
writes and checkpoints (SQLite's WAL-reset flaw needs two); everybody else opens the file read-only.
"""

import fcntl
import hashlib
import os
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ..core.records import Record, encode
from ..core.state import State
from .file import APPLICATION_ID, Head, JournalFailed, JournalInUse, broken, last, open_file, own
from .recovery import recover

PAGE = 1024  # bytes: what one record dirties is written whole, so a small page is a faster commit
PATIENCE = 0.05  # seconds: a table does not wait for somebody's SQLite shell, it halts and tries again
LOG_BYTES = 256 * 2**10  # of the write-ahead log, before it is moved; one that is written over is also faster to sync

_INSERT = "INSERT INTO records VALUES (?, ?, ?)"
_SCHEMA = "CREATE TABLE records (seq INTEGER PRIMARY KEY, record TEXT NOT NULL, hash BLOB NOT NULL) STRICT"


class Journal:
    """The one writer of a journal."""

    def __init__(self, path: Path) -> None:
        """Open a journal, or begin one. Raises JournalInUse, NotAJournal, JournalFailed, Damaged."""
        self.path = path
        self._logged = 0
        self._lock = Lock(path)
        try:
            self._db = open_file(path, "rwc", PATIENCE)
            try:
                _prepare(self._db, path)
                self.head = last(self._db)
            except BaseException:
                self._db.close()
                raise
        except sqlite3.DatabaseError as error:
            self._lock.close()
            raise broken(path, error) from None
        except BaseException:
            self._lock.close()
            raise

    def append(self, records: Sequence[Record]) -> Head:
        """Make records durable, as one transaction. Raises JournalFailed, with none of them written."""
        rows, digest = [], self.head.hash
        for record in records:
            line = encode(record)
            digest = hashlib.sha256(digest + line).digest()
            rows.append((record.seq, line.decode(), digest))
        try:
            self._insert(rows)
        except sqlite3.Error as error:
            self._roll_back()
            if not rows or not self._holds(Head(rows[-1][0], digest)):
                raise JournalFailed(f"{self.path}: {error}") from None
        self._logged += sum(2 * PAGE + len(line) for _, line, _ in rows)  # roughly: a leaf, at times its parent
        if rows:
            self.head = Head(rows[-1][0], digest)
        return self.head

    def _holds(self, head: Head) -> bool:
        """Whether a commit that was reported as failed is there all the same."""
        with suppress(sqlite3.Error):
            return last(self._db) == head
        return False

    def _insert(self, rows: list[tuple[int, str, bytes]]) -> None:
        if len(rows) == 1:  # a statement is a transaction of its own
            self._db.execute(_INSERT, rows[0])
            return
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany(_INSERT, rows)
        self._db.execute("COMMIT")

    def tidy(self) -> None:
        """Move what is in the write-ahead log to its place, if there is much of it. For moments when nothing is due."""
        if self._logged < LOG_BYTES:
            return
        self._logged = 0
        with suppress(sqlite3.Error):  # what is durable stays so; the next time will do
            self._db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    def _roll_back(self) -> None:
        try:
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")
        except sqlite3.Error:
            pass  # SQLite has rolled back by itself; the next BEGIN tells if it has not

    def recover(self) -> State:
        """The state after the last record, read from the last checkpoint on. Raises Damaged, JournalFailed."""
        try:
            return recover(self._db, self.path)
        except sqlite3.DatabaseError as error:
            raise broken(self.path, error) from None

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()
        self._lock.close()


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    (owner,) = db.execute("PRAGMA application_id").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if tables or owner:
        own(db, path)
        db.execute("SELECT seq, record, hash FROM records LIMIT 0")  # ours, and its table is gone: an error
    db.execute(f"PRAGMA page_size = {PAGE}")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")  # NORMAL loses the last commits at a power cut
    if not (tables or owner):
        db.execute("BEGIN IMMEDIATE")
        db.execute(_SCHEMA)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute("COMMIT")


class Lock:
    """Keeps a second writer out, under any name of the file. The kernel lets go with the process, also at a crash."""

    def __init__(self, path: Path) -> None:
        real = path.resolve()
        if real.is_dir():
            raise JournalFailed(f"{path}: expected a file, this is a folder")
        self._path = real.with_name(real.name + ".lock")
        try:
            self._file: int | None = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
        except OSError as error:
            raise JournalFailed(f"{self._path}: {(error.strerror or str(error)).lower()}") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise JournalInUse(f"{path}: another process writes this journal") from None

    def close(self) -> None:
        """Once is enough; again does nothing."""
        if self._file is not None:
            os.close(self._file)
        self._file = None
