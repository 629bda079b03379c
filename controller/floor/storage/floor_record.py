"""Floor's own record: acts of people, and alarms and alerts of the floor itself, in a hash chain.

A row is seq, record (JSON text) and hash: SHA-256(hash of the row before + record), as in a table's record. The hash
before the first row is 32 zero bytes. The file is beside the store, readable by its owner alone.
"""

import fcntl
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from ...core.clock import Time, to_text
from ...core.coded_message import CodedMessage, coded
from ...journal import GENESIS
from ...journal.rows import row_hash
from ...text.errors import system_message
from .failures import FloorFailed, file_failed
from .files import FileIdentity

APPLICATION_ID = 0x666C6F72  # "flor"
MODE = 0o600
PATIENCE = 1.0  # seconds to wait for another process's lock

Kind = Literal[
    "started", "stopped", "signed_in", "sign_ins_refused", "claimed", "released", "commanded", "acknowledged",
    "shelved", "unshelved", "assigned", "unassigned", "raised", "cleared", "alerted", "handed_over",
]  # fmt: skip

_TABLE = "CREATE TABLE IF NOT EXISTS records (seq INTEGER PRIMARY KEY, record TEXT NOT NULL, hash BLOB NOT NULL) STRICT"
_ROWS = "SELECT seq, record, hash FROM records WHERE seq > ? ORDER BY seq"


class FloorRecordEntry(NamedTuple):
    """Entry of the record. `fields`: all that it contains, with its kind and time."""

    seq: int
    fields: dict[str, Any]


class FloorVerification(NamedTuple):
    """Result of a verification.

    `records`: number of valid entries; `hash`: hash of the last of them;
    `wrong`: defect of the next entry, None if all are valid.
    """

    records: int
    hash: str
    wrong: CodedMessage | None


class FloorRecord:
    """Only writer of the record, usable from any thread. Raises FloorFailed."""

    def __init__(self, path: Path, clock: Callable[[], Time]) -> None:
        self.path, self._clock, self._lock = path, clock, threading.Lock()
        self._file = _lock_file(path)
        try:
            self._db = _open_database(path)
        except BaseException:
            os.close(self._file)
            raise
        try:
            self._seq, self._hash = self._last_head()
            self._identity = FileIdentity(path)
        except BaseException:
            self.close()
            raise

    def _last_head(self) -> tuple[int, bytes]:
        row = self._db.execute("SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1").fetchone()
        return (0, GENESIS) if row is None else (row[0], row[1])

    def append(self, kind: Kind, at: str | None = None, **what: object) -> int:
        """Make an entry durable; return its number. Raises FloorFailed if the entry is not stored.

        `at`: time of the act, if it is not the present one.
        """
        with self._lock:
            line = msgspec.json.encode({"kind": kind, "at": at or to_text(self._clock()), **what})
            digest = row_hash(self._hash, line, None)
            self._identity.check()
            try:
                self._db.execute("INSERT INTO records VALUES (?, CAST(? AS TEXT), ?)", (self._seq + 1, line, digest))
            except sqlite3.Error as error:
                raise file_failed(self.path, error) from None
            self._seq, self._hash = self._seq + 1, digest
            return self._seq

    def read(self, after: int = 0) -> list[FloorRecordEntry]:
        """Return the entries behind number `after`. Raises FloorFailed."""
        return list(read(self.path, after))

    def close(self) -> None:
        """Close the file and release its lock."""
        with self._lock:
            self._db.close()
            os.close(self._file)


def _lock_file(path: Path) -> int:
    """Create the file if it is missing, readable by its owner alone, and lock it for this process.

    Returns its descriptor. Raises FloorFailed.
    """
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, MODE)
        try:
            os.fchmod(file, MODE)
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BaseException:
            os.close(file)
            raise
    except BlockingIOError:
        raise FloorFailed(coded("floor_store_in_use", path=str(path))) from None
    except OSError as error:
        raise FloorFailed(f"{path}: {system_message(error)}") from None
    return file


def _open_database(path: Path) -> sqlite3.Connection:
    """Open the database and create its table if it is missing. Raises FloorFailed."""
    try:
        db = sqlite3.connect(path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
        try:
            db.text_factory = bytes
            _prepare(db, path)
        except BaseException:
            db.close()
            raise
    except sqlite3.Error as error:
        raise file_failed(path, error) from None
    return db


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    _require_floor_record(db, path)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(_TABLE)


def _require_floor_record(db: sqlite3.Connection, path: Path) -> None:
    """Check that the database is a floor's record or empty. Raises FloorFailed if not."""
    (owner,) = db.execute("PRAGMA application_id").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if owner != APPLICATION_ID and (owner or tables):
        raise FloorFailed(coded("no_floor_record", path=str(path)))


def read(path: Path, after: int = 0) -> Iterator[FloorRecordEntry]:
    """Yield the entries behind number `after`. Raises FloorFailed."""
    for seq, line, _ in _rows(path, after):
        try:
            yield FloorRecordEntry(seq, msgspec.json.decode(line, type=dict[str, Any]))
        except msgspec.MsgspecError:
            raise FloorFailed(coded("floor_entry_unreadable", path=str(path), seq=seq)) from None


def verify(path: Path) -> FloorVerification:
    """Check that the hash of every entry follows from those before it. Raises FloorFailed."""
    seq, digest = 0, GENESIS
    for number, line, entry_hash in _rows(path, 0):
        if number != seq + 1:
            return FloorVerification(seq, digest.hex(), coded("floor_entry_skipped", seq=number, after=seq))
        if not isinstance(line, bytes) or row_hash(digest, line, None) != entry_hash:
            return FloorVerification(seq, digest.hex(), coded("floor_entry_changed", seq=number))
        seq, digest = number, entry_hash
    return FloorVerification(seq, digest.hex(), None)


def _rows(path: Path, after: int) -> Iterator[tuple[int, bytes, bytes]]:
    try:
        db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
    except sqlite3.Error as error:
        raise file_failed(path, error) from None
    try:
        db.text_factory = bytes
        _require_floor_record(db, path)
        yield from db.execute(_ROWS, (after,))
    except sqlite3.Error as error:
        raise file_failed(path, error) from None
    finally:
        db.close()
