"""The record on disk: SQLite, one record a row, each with the hash of all before it.

The one rule: `append` returns when the records are durable, all of them, or raises and none is there. One connection
writes and checkpoints (SQLite's WAL-reset flaw needs two); everybody else opens the file read-only.

    row    seq, record (the JSON text), hash = SHA-256(hash of the row before + record); before the first: 32 zero bytes
"""

import fcntl
import hashlib
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

from .core.records import BadRecord, Checkpoint, Record, decode, encode
from .core.state import State, fold

APPLICATION_ID = 0x7461626C  # "tabl"
GENESIS = bytes(32)
PAGE = 1024  # bytes: what one record dirties is written whole, so a small page is a faster commit
LOG_BYTES = 256 * 2**10  # of the write-ahead log, before it is moved; one that is written over is also faster to sync

_INSERT = "INSERT INTO records VALUES (?, ?, ?)"
_SCHEMA = "CREATE TABLE records (seq INTEGER PRIMARY KEY, record TEXT NOT NULL, hash BLOB NOT NULL) STRICT"


class JournalError(Exception):
    """A journal that cannot be used."""


class JournalFailed(JournalError):
    """Records could not be made durable. None of them is in the journal."""


class JournalInUse(JournalError):
    """Another process writes this journal."""


class NotAJournal(JournalError):
    """A file that holds something else, or nothing."""


class Head(NamedTuple):
    """The last record: its number, and the hash of everything up to it."""

    seq: int
    hash: bytes

    def __str__(self) -> str:
        return f"{self.seq}:{self.hash.hex()}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """`SEQ:HASH` as it is announced. Raises ValueError."""
        seq, _, digest = text.partition(":")
        try:
            head = cls(int(seq), bytes.fromhex(digest))
        except ValueError:
            head = cls(-1, b"")
        if head.seq < 0 or len(head.hash) != len(GENESIS):
            raise ValueError(f"expected SEQ:HASH with 64 hex digits, got {text!r}")
        return head


class Finding(NamedTuple):
    """What is wrong with a journal, and with which record first."""

    seq: int
    reason: str


class Verdict(NamedTuple):
    """What `verify` found: how many records stand, the last of them, and what is wrong after it."""

    records: int
    head: Head
    finding: Finding | None


class Journal:
    """The one writer of a journal."""

    def __init__(self, path: Path) -> None:
        """Open a journal, or begin one. Raises JournalInUse, NotAJournal, JournalFailed."""
        self.path = path
        self._lock = _lock(path)
        self._logged = 0
        try:
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.text_factory = bytes
            _prepare(self._db, path)
            self.head = _head(self._db)
        except sqlite3.DatabaseError as error:
            self._lock.close()
            raise _broken(path, error) from None
        except JournalError:
            self._db.close()
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
            raise JournalFailed(f"{self.path}: {error}") from None
        self._logged += sum(2 * PAGE + len(line) for _, line, _ in rows)  # roughly: a leaf, at times its parent
        if rows:
            self.head = Head(rows[-1][0], digest)
        return self.head

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
        """The state after the last record, read from the last checkpoint on."""
        return _recover(self._db)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()
        self._lock.close()


def read(path: Path, after: int = 0) -> Iterator[Record]:
    """The records of a journal, also while it is being written. Raises NotAJournal, BadRecord."""
    with _reading(path) as db:
        for _, line, _ in _rows(db, after):
            yield decode(line)


def head_of(path: Path) -> Head:
    """The last record of a journal."""
    with _reading(path) as db:
        return _head(db)


def verify(path: Path, announced: Head | None = None) -> Verdict:
    """Follow the chain of hashes. `announced`: a head that went out earlier and must still be there."""
    head = Head(0, GENESIS)
    try:
        with _reading(path) as db:
            for seq, line, digest in _rows(db, 0):
                reason = _flaw(head, seq, line, digest)
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


def _flaw(head: Head, seq: int, line: bytes, digest: bytes) -> str | None:
    if seq != head.seq + 1:
        return f"missing: record {seq} comes after record {head.seq}"
    if hashlib.sha256(head.hash + line).digest() != digest:
        return "changed: the hash does not fit the record and those before it"
    try:
        record = decode(line)
    except BadRecord as error:
        return str(error)
    return None if record.seq == seq else f"misplaced: the record says it is number {record.seq}"


class _reading:  # noqa: N801 - a context manager, used as a function
    """A read-only connection, closed at the end."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __enter__(self) -> sqlite3.Connection:
        if not self._path.is_file():
            raise NotAJournal(f"{self._path}: no such file")
        try:
            self._db = sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=ro", uri=True)
            self._db.text_factory = bytes  # an edited record may be no text at all
            if self._db.execute("PRAGMA application_id").fetchone() != (APPLICATION_ID,):
                self._db.close()
                raise NotAJournal(f"{self._path}: not a journal of tablectl")
        except sqlite3.DatabaseError as error:
            raise _broken(self._path, error) from None
        return self._db

    def __exit__(self, *_: object) -> None:
        self._db.close()


def _rows(db: sqlite3.Connection, after: int) -> Iterator[tuple[int, bytes, bytes]]:
    yield from db.execute("SELECT seq, record, hash FROM records WHERE seq > ? ORDER BY seq", (after,))


def _head(db: sqlite3.Connection) -> Head:
    row = db.execute("SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1").fetchone()
    return Head(*row) if row else Head(0, GENESIS)


def _recover(db: sqlite3.Connection) -> State:
    tail: list[Record] = []
    state = State()
    for (line,) in db.execute("SELECT record FROM records ORDER BY seq DESC"):
        record = decode(line)
        tail.append(record)
        if isinstance(record.what, Checkpoint):
            state = msgspec.json.decode(record.what.state, type=State)
            break
    return fold(state, reversed(tail))


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    (owner,) = db.execute("PRAGMA application_id").fetchone()
    if tables and owner != APPLICATION_ID:
        raise NotAJournal(f"{path}: not a journal of tablectl")
    db.execute(f"PRAGMA page_size = {PAGE}")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")  # NORMAL loses the last commits at a power cut
    if not tables:
        db.execute("BEGIN IMMEDIATE")
        db.execute(_SCHEMA)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute("COMMIT")


def _lock(path: Path) -> "_Lock":
    return _Lock(path.with_name(path.name + ".lock"))


class _Lock:
    """Keeps a second writer out, also one that a crash left behind: the kernel lets go with the process."""

    def __init__(self, path: Path) -> None:
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o640)
        except OSError as error:
            raise JournalFailed(f"{path}: {error.strerror}") from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise JournalInUse(f"{path}: another process writes this journal") from None

    def close(self) -> None:
        os.close(self._file)


def _broken(path: Path, error: sqlite3.DatabaseError) -> JournalError:
    if isinstance(error, sqlite3.OperationalError):
        return JournalFailed(f"{path}: {error}")
    return NotAJournal(f"{path}: {error}")


__all__ = [
    "Finding", "Head", "Journal", "JournalError", "JournalFailed", "JournalInUse", "NotAJournal", "Verdict",
    "head_of", "read", "verify",
]  # fmt: skip
