"""The file of a journal: its format, how it is opened, and what can be wrong with it.

Nothing is taken for a journal that does not say so itself.
"""

import os
import secrets
import sqlite3
import time
from pathlib import Path
from typing import NamedTuple, Self

from .. import Unusable
from ..text.errors import system_says

APPLICATION_ID = 0x7461626C  # "tabl"
FORMAT = 2
GENESIS = bytes(32)
EPOCH = 16  # bytes of chance, by which one journal is told from every other
WHEN = 6  # bytes of it that are the time, in milliseconds of Unix time
SALT = 16  # bytes of chance, in the hash of a record that withholds a card
PAGE = 1024  # bytes: what one record dirties is written whole, so a small page is a faster commit

_RECORDS = "CREATE TABLE records (seq INTEGER PRIMARY KEY, record TEXT NOT NULL, input TEXT, hash BLOB NOT NULL) STRICT"
_ORIGIN = "CREATE TABLE origin (seq INTEGER NOT NULL, hash BLOB NOT NULL) STRICT"


class JournalError(Unusable):
    """A journal that cannot be used."""


class JournalFailed(JournalError):
    """Records could not be made durable. None of them is in the journal."""


class JournalUnbegun(JournalFailed):
    """A new journal whose making was cut off, as by a power cut; it has no record, and the next start makes it anew."""


class JournalInUse(JournalError):
    """Another process writes this journal."""


class NotAJournal(JournalError):
    """A file that holds something else, or nothing."""


class OtherFormat(JournalError):
    """A journal that another version of this program wrote."""


class Damaged(JournalError):
    """A journal with a record that cannot be read, or that does not follow from those before it."""


class CannotRotate(JournalError):
    """A journal that stays in its file for now. Nothing has changed."""


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


NOTHING = Head(0, GENESIS)  # the head of a journal without records


def new_epoch() -> str:
    """Make the name of an epoch: random digits, and at its end the time, by which `core.witness` orders epochs."""
    return f"{secrets.token_hex(EPOCH - WHEN)}{time.time_ns() // 1_000_000:0{2 * WHEN}x}"


def new_salt() -> str:
    """Return random hex text that nobody can guess, to hash with a record that withholds a card."""
    return secrets.token_hex(SALT)


def is_there(path: Path) -> bool:
    """Whether there is such a file. Raises JournalFailed where that cannot be seen."""
    try:
        return path.is_file()
    except OSError as error:
        raise broken(path, error) from None


def open_file(path: Path, mode: str, patience: float = 5.0) -> sqlite3.Connection:
    """`patience`: seconds to wait for somebody else's lock."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=patience)
    db.text_factory = bytes  # an edited record may be no text at all
    return db


def own(db: sqlite3.Connection, path: Path) -> None:
    """Raise NotAJournal unless this is a journal, OtherFormat unless it has this version's format."""
    if db.execute("PRAGMA application_id").fetchone() != (APPLICATION_ID,):
        raise NotAJournal(f"{path}: not a journal of tablectl")
    (kind,) = db.execute("PRAGMA user_version").fetchone()
    if kind > FORMAT:
        raise OtherFormat(f"{path}: a journal of format {kind}, of a later version; this one knows format {FORMAT}")
    if kind < FORMAT:
        raise OtherFormat(
            f"{path}: a journal of format 1, which `tablectl journal export` of the version before reads; to begin"
            f" anew, move it away and set [journal] first_round = {_last_round(db) + 1}"
        )


def _last_round(db: sqlite3.Connection) -> int:
    """The number of the last round in a journal of whatever format; 0 where there is none."""
    numbers = db.execute("SELECT json_extract(record, '$.round') AS round FROM records ORDER BY seq DESC")
    return next((number for (number,) in numbers if number is not None), 0)


def first(db: sqlite3.Connection) -> int | None:
    """The number of the first record."""
    row = db.execute("SELECT seq FROM records ORDER BY seq LIMIT 1").fetchone()
    return int(row[0]) if row else None


def last(db: sqlite3.Connection) -> Head:
    """Return number and hash of the last record; of an empty journal those of its origin."""
    row = db.execute("SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1").fetchone()
    return Head(*row) if row else origin(db)


def origin(db: sqlite3.Connection) -> Head:
    """The record before the first: the last one of the archive that this file goes on from."""
    (follows,) = db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'origin'").fetchone()
    row = db.execute("SELECT seq, hash FROM origin").fetchone() if follows else None
    return Head(*row) if row and isinstance(row[0], int) and isinstance(row[1], bytes) else NOTHING


def create(db: sqlite3.Connection, before: Head) -> None:
    """Make an empty file a journal that goes on after `before`."""
    db.execute(f"PRAGMA page_size = {PAGE}")
    db.execute("BEGIN IMMEDIATE")
    db.execute(_RECORDS)
    if before.seq:
        db.execute(_ORIGIN)
        db.execute("INSERT INTO origin VALUES (?, ?)", before)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {FORMAT}")
    db.execute("COMMIT")


def write_ahead(db: sqlite3.Connection) -> None:
    """Have commits written to a log beside the file first, and each of them synced."""
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")  # NORMAL loses the last commits at a power cut


def clear(new: Path) -> None:
    """Take away a new file that did not come to its name."""
    for end in ("", "-journal", "-wal", "-shm"):
        new.with_name(new.name + end).unlink(missing_ok=True)


def sync(folder: Path) -> None:
    """Make durable which names there are in a folder."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def broken(path: Path | str, error: sqlite3.DatabaseError | OSError) -> JournalError:
    """Return the JournalError for an error of SQLite or of the system."""
    if isinstance(error, OSError):
        return JournalFailed(f"{path}: {system_says(error)}")
    if getattr(error, "sqlite_errorname", None) == "SQLITE_READONLY_ROLLBACK":
        return JournalUnbegun(f"{path}: cut off while it was made, before its first record; start the table to make it")
    if isinstance(error, sqlite3.OperationalError):
        return JournalFailed(f"{path}: {error}")
    return NotAJournal(f"{path}: {error}")
