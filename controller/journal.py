"""The record on disk: SQLite, one record a row, each with the hash of all before it.

The one rule: `append` returns when the records are durable, all of them, or raises and none is there. One connection
writes and checkpoints (SQLite's WAL-reset flaw needs two); everybody else opens the file read-only.

    row    seq, record (the JSON text), hash = SHA-256(hash of the row before + record); before the first: 32 zero bytes
"""

import fcntl
import hashlib
import os
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple, Self

import msgspec

from .core.fold import fold
from .core.records import BadRecord, Checkpoint, Record, decode, encode
from .core.state import State

APPLICATION_ID = 0x7461626C  # "tabl"
GENESIS = bytes(32)
PAGE = 1024  # bytes: what one record dirties is written whole, so a small page is a faster commit
PATIENCE = 0.05  # seconds: a table does not wait for somebody's SQLite shell, it halts and tries again
LOG_BYTES = 256 * 2**10  # of the write-ahead log, before it is moved; one that is written over is also faster to sync

_INSERT = "INSERT INTO records VALUES (?, ?, ?)"
_CHOSEN = "SELECT seq, record FROM records WHERE json_extract(record, '$.kind') IN (SELECT value FROM json_each(?))"
_SCHEMA = "CREATE TABLE records (seq INTEGER PRIMARY KEY, record TEXT NOT NULL, hash BLOB NOT NULL) STRICT"


class JournalError(Exception):
    """A journal that cannot be used."""


class JournalFailed(JournalError):
    """Records could not be made durable. None of them is in the journal."""


class JournalInUse(JournalError):
    """Another process writes this journal."""


class NotAJournal(JournalError):
    """A file that holds something else, or nothing."""


class Damaged(JournalError):
    """A journal with a record that cannot be read, or that does not follow from those before it."""


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
        """Open a journal, or begin one. Raises JournalInUse, NotAJournal, JournalFailed, Damaged."""
        self.path = path
        self._logged = 0
        self._lock = _Lock(path)
        try:
            self._db = _open(path, "rwc", PATIENCE)
            try:
                _prepare(self._db, path)
                self.head = _head(self._db)
            except BaseException:
                self._db.close()
                raise
        except sqlite3.DatabaseError as error:
            self._lock.close()
            raise _broken(path, error) from None
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
            return _head(self._db) == head
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
            return _recover(self._db, self.path)
        except sqlite3.DatabaseError as error:
            raise _broken(self.path, error) from None

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()
        self._lock.close()


def read(path: Path, after: int = 0, kinds: Collection[str] = ()) -> Iterator[Record]:
    """The records of a journal, also while it is being written. Raises NotAJournal, JournalFailed, Damaged.

    `kinds`: only these. SQLite passes over the others, some hundred thousand a second.
    """
    with _reading(path) as db:
        for seq, line, *_ in _some(db, after, kinds) if kinds else _rows(db, after):
            yield _decoded(path, seq, line)


def read_back(path: Path, before: int, kinds: Collection[str]) -> Iterator[Record]:
    """The records of these kinds before that one, the latest first."""
    with _reading(path) as db:
        for seq, line in db.execute(f"{_CHOSEN} AND seq < ? ORDER BY seq DESC", (_list(kinds), before)):
            yield _decoded(path, seq, line)


def _some(db: sqlite3.Connection, after: int, kinds: Collection[str]) -> Iterator[tuple[int, bytes]]:
    yield from db.execute(f"{_CHOSEN} AND seq > ? ORDER BY seq", (_list(kinds), after))


def _list(kinds: Collection[str]) -> str:
    return msgspec.json.encode(sorted(kinds)).decode()


def head_of(path: Path) -> Head:
    """The last record of a journal."""
    with _reading(path) as db:
        return _head(db)


def verify(path: Path, announced: Head | None = None) -> Verdict:
    """Follow the chain of hashes. `announced`: a head that went out earlier and must still be there."""
    head = Head(0, GENESIS)
    with _reading(path) as db:
        try:
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


def _flaw(head: Head, seq: int, line: object, digest: object) -> str | None:
    if seq != head.seq + 1:
        return f"missing: record {seq} comes after record {head.seq}"
    if not isinstance(line, bytes) or not isinstance(digest, bytes):
        return "changed: it is no text any more"
    if hashlib.sha256(head.hash + line).digest() != digest:
        return "changed: the hash does not fit the record and those before it"
    try:
        record = decode(line)
    except BadRecord as error:
        return str(error)
    return None if record.seq == seq else f"misplaced: the record says it is number {record.seq}"


def _decoded(path: Path, seq: int, line: object) -> Record:
    try:
        record = decode(line) if isinstance(line, bytes) else None
    except BadRecord:
        record = None
    if record is None:
        raise Damaged(f"{path}: record {seq} cannot be read; `tablectl journal verify` says what stands")
    return record


@contextmanager
def _reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A read-only connection, closed at the end."""
    if not path.is_file():
        raise NotAJournal(f"{path}: no such file")
    try:
        with closing(_readable(path)) as db:
            _own(db, path)
            yield db
    except sqlite3.DatabaseError as error:
        raise _broken(path, error) from None


def _readable(path: Path) -> sqlite3.Connection:
    db = _open(path, "ro")
    try:
        db.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.OperationalError:
        db.close()
        if path.with_name(path.name + "-wal").exists():
            raise
        return _open(path, "ro&immutable=1")  # where nothing can be written beside it: an auditor's copy
    return db


def _open(path: Path, mode: str, patience: float = 5.0) -> sqlite3.Connection:
    """`patience`: seconds to wait for somebody else's lock."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=patience)
    db.text_factory = bytes  # an edited record may be no text at all
    return db


def _own(db: sqlite3.Connection, path: Path) -> None:
    """Raises NotAJournal unless this is a file of ours."""
    if db.execute("PRAGMA application_id").fetchone() != (APPLICATION_ID,):
        raise NotAJournal(f"{path}: not a journal of tablectl")


def _rows(db: sqlite3.Connection, after: int) -> Iterator[tuple[int, bytes, bytes]]:
    yield from db.execute("SELECT seq, record, hash FROM records WHERE seq > ? ORDER BY seq", (after,))


def _head(db: sqlite3.Connection) -> Head:
    row = db.execute("SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1").fetchone()
    return Head(*row) if row else Head(0, GENESIS)


def _recover(db: sqlite3.Connection, path: Path) -> State:
    tail: list[Record] = []
    state = State()
    for seq, line in db.execute("SELECT seq, record FROM records ORDER BY seq DESC"):
        record = _decoded(path, seq, line)
        tail.append(record)
        if isinstance(record.what, Checkpoint):
            state = msgspec.json.decode(record.what.state, type=State)
            break
    _follow(db, path, tail[-1].seq if tail else 1)
    try:
        return fold(state, reversed(tail))
    except Exception as error:
        where = f"a record after {state.seq} does not follow from those before it ({type(error).__name__})"
        raise Damaged(f"{path}: {where}; `tablectl journal verify` says what stands") from error


def _follow(db: sqlite3.Connection, path: Path, first: int) -> None:
    """Follow the chain over the records that a restart builds on. Raises Damaged."""
    before = db.execute("SELECT seq, hash FROM records WHERE seq = ?", (first - 1,)).fetchone()
    head = Head(*before) if before else Head(0, GENESIS)
    for seq, line, digest in _rows(db, first - 1):
        reason = _flaw(head, seq, line, digest)
        if reason:
            raise Damaged(f"{path}: record {head.seq + 1}: {reason}")
        head = Head(seq, digest)


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    (owner,) = db.execute("PRAGMA application_id").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if tables or owner:
        _own(db, path)
        db.execute("SELECT seq, record, hash FROM records LIMIT 0")  # ours, and its table is gone: an error
    db.execute(f"PRAGMA page_size = {PAGE}")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")  # NORMAL loses the last commits at a power cut
    if not (tables or owner):
        db.execute("BEGIN IMMEDIATE")
        db.execute(_SCHEMA)
        db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        db.execute("COMMIT")


class _Lock:
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


def _broken(path: Path, error: sqlite3.DatabaseError) -> JournalError:
    if isinstance(error, sqlite3.OperationalError):
        return JournalFailed(f"{path}: {error}")
    return NotAJournal(f"{path}: {error}")
