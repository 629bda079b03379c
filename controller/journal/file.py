"""File of a journal: its format, how it is opened, and the errors it can have.

Only a file with the application id of a journal is taken for one.
"""

import errno
import os
import secrets
import sqlite3
import time
from pathlib import Path
from typing import NamedTuple, Self

from ..core.coded_message import CodedMessage, coded
from ..text.coded import CodedError, render
from ..text.errors import system_message

APPLICATION_ID = 0x7461626C  # "tabl"
FORMAT = 2
GENESIS = bytes(32)
EPOCH = 16  # bytes of an epoch's name, which is unique to a journal
WHEN = 6  # bytes of the time in that name, in milliseconds of Unix time
SALT = 16  # random bytes that are hashed with a record that withholds a card
PAGE = 1024  # bytes; pages are written whole, so small pages make faster commits

_RECORDS = "CREATE TABLE records (seq INTEGER PRIMARY KEY, record TEXT NOT NULL, input TEXT, hash BLOB NOT NULL) STRICT"
OF_CLOCK_SETS = 'instr(record, \'"kind":"clock_set"\')'  # SQL condition: records at which times may go back
OF_DEVICES_FOUND = 'instr(record, \'"kind":"device_found"\')'  # SQL condition: records that name a table's devices
_INDEXES = {"clock_sets": OF_CLOCK_SETS, "devices_found": OF_DEVICES_FOUND}  # each lists a few records
_ORIGIN = "CREATE TABLE origin (seq INTEGER NOT NULL, hash BLOB NOT NULL) STRICT"


class JournalError(CodedError):
    """Journal cannot be used; the subclasses say why."""


class JournalFailed(JournalError):
    """Records could not be made durable; none of them is in the journal."""


class JournalUnbegun(JournalFailed):
    """New journal was cut off while it was created, as by a power cut.

    It has no record, and the next start creates it again.
    """


class JournalInUse(JournalError):
    """Another process writes this journal."""


class NotAJournal(JournalError):
    """File is missing, or has other content than a journal."""


class NoJournalYet(NotAJournal):
    """File is missing or empty, as before and while a journal is created."""


class OtherFormat(JournalError):
    """Journal was written by another version of this program."""


class Damaged(JournalError):
    """Journal has a record that cannot be read, or does not follow from those before it."""


class CannotRotate(JournalError):
    """Journal cannot be rotated now and stays in its file. Nothing has changed."""


class Head(NamedTuple):
    """Last record of a journal: its number, and the hash over everything up to it."""

    seq: int
    hash: bytes

    def __str__(self) -> str:
        return f"{self.seq}:{self.hash.hex()}"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse `SEQ:HASH` as it is announced; before the first record it is 0 and zeros. Raises ValueError."""
        seq, _, digest = text.partition(":")
        try:
            head = cls(int(seq), bytes.fromhex(digest))
        except ValueError:
            head = cls(-1, b"")
        if head.seq < 0 or len(head.hash) != len(GENESIS) or (head.seq == 0 and head != NOTHING):
            raise ValueError(render(coded("expected_head", said=repr(text))))
        return head


NOTHING = Head(0, GENESIS)  # head of a journal without records


def new_epoch() -> str:
    """Make the name of an epoch: random digits, then the time, by which epochs are ordered.

    `core.witness` orders them.
    """
    return f"{secrets.token_hex(EPOCH - WHEN)}{time.time_ns() // 1_000_000:0{2 * WHEN}x}"


def new_salt() -> str:
    """Return random hex text that nobody can guess, to hash with a record that withholds a card."""
    return secrets.token_hex(SALT)


def is_there(path: Path) -> bool:
    """True if the file exists. Raises JournalFailed if that cannot be found out."""
    try:
        return path.is_file()
    except OSError as error:
        raise journal_error(path, error) from None


def open_file(path: Path, mode: str, patience: float = 5.0) -> sqlite3.Connection:
    """Open a database file in an SQLite URI mode, such as "ro" or "rw".

    `patience`: seconds to wait for another process's lock. Raises sqlite3.Error.
    """
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    db = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=patience)
    db.text_factory = bytes  # an edited record may not be valid text
    return db


def require_journal(db: sqlite3.Connection, path: Path) -> None:
    """Raise NotAJournal unless this is a journal, OtherFormat unless it has this version's format.

    Raises NoJournalYet if there is nothing in it.
    """
    if db.execute("PRAGMA page_count").fetchone() == (0,):
        raise NoJournalYet(coded("empty_file", path=str(path)))
    if db.execute("PRAGMA application_id").fetchone() != (APPLICATION_ID,):
        raise NotAJournal(coded("not_a_journal", path=str(path)))
    (kind,) = db.execute("PRAGMA user_version").fetchone()
    if kind > FORMAT:
        raise OtherFormat(coded("later_format", path=str(path), format=kind, known=FORMAT))
    if kind < FORMAT:
        raise OtherFormat(coded("first_format", path=str(path), number=_last_round(db) + 1))


def _last_round(db: sqlite3.Connection) -> int:
    """Number of the last round in a journal of any format; 0 if it has none."""
    numbers = db.execute("SELECT json_extract(record, '$.round') AS round FROM records ORDER BY seq DESC")
    return next((number for (number,) in numbers if number is not None), 0)


def first(db: sqlite3.Connection) -> int | None:
    """Return the number of a journal's first record; None if it has none."""
    row = db.execute("SELECT seq FROM records ORDER BY seq LIMIT 1").fetchone()
    return int(row[0]) if row else None


def last_head(db: sqlite3.Connection) -> Head:
    """Return number and hash of the last record; of an empty journal those of its origin."""
    row = db.execute("SELECT seq, hash FROM records ORDER BY seq DESC LIMIT 1").fetchone()
    return Head(*row) if row else origin(db)


def origin(db: sqlite3.Connection) -> Head:
    """Head that the first record follows: the last record of the archive before this file.

    Without an archive it is NOTHING.
    """
    (follows,) = db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'origin'").fetchone()
    row = db.execute("SELECT seq, hash FROM origin").fetchone() if follows else None
    return Head(*row) if row and isinstance(row[0], int) and isinstance(row[1], bytes) else NOTHING


def create(db: sqlite3.Connection, before: Head) -> None:
    """Create the tables of a journal that continues after `before`, in an empty file."""
    db.execute(f"PRAGMA page_size = {PAGE}")
    db.execute("BEGIN IMMEDIATE")
    db.execute(_RECORDS)
    for name, condition in _INDEXES.items():
        db.execute(f"CREATE INDEX {name} ON records (seq) WHERE {condition}")
    if before.seq:
        db.execute(_ORIGIN)
        db.execute("INSERT INTO origin VALUES (?, ?)", before)
    db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    db.execute(f"PRAGMA user_version = {FORMAT}")
    db.execute("COMMIT")


def set_write_ahead(db: sqlite3.Connection) -> None:
    """Write commits to a log beside the file first, each of them synced."""
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")  # NORMAL loses the last commits at a power cut


def clear(new: Path) -> None:
    """Delete an unfinished new file and SQLite's files beside it."""
    for end in ("", "-journal", "-wal", "-shm"):
        new.with_name(new.name + end).unlink(missing_ok=True)


def sync(folder: Path) -> None:
    """Make the file names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def journal_error(path: Path | str, error: sqlite3.DatabaseError | OSError) -> JournalError:
    """Return the JournalError for an error of SQLite or of the system."""
    if isinstance(error, OSError):
        return JournalFailed(disk_error_text(path, error))
    if getattr(error, "sqlite_errorname", None) == "SQLITE_READONLY_ROLLBACK":
        return JournalUnbegun(coded("journal_cut_off", path=str(path)))
    if getattr(error, "sqlite_errorname", None) == "SQLITE_CANTOPEN" and _is_closed_to_this_user(path):
        return JournalFailed(_open_problem(path))
    if isinstance(error, sqlite3.OperationalError):
        unread = str(error) == "malformed JSON"  # in a record that a search has looked at
        return JournalFailed(coded("search_stopped", path=str(path)) if unread else disk_error_text(path, error))
    if getattr(error, "sqlite_errorname", None) == "SQLITE_NOTADB":
        return NotAJournal(coded("not_a_journal", path=str(path)))
    return NotAJournal(f"{path}: {error}")


AS_SYSTEM = {  # SQLite's code of an error, extended or primary, as the system's number
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_IOERR_SHMSIZE: errno.ENOSPC,  # no room for the file `-shm`, which every reader needs
    sqlite3.SQLITE_IOERR: errno.EIO,
    sqlite3.SQLITE_READONLY: errno.EROFS,
}


def disk_error_text(path: Path | str, error: sqlite3.Error | OSError) -> CodedMessage | str:
    """Return what is wrong with the disk of a file; any other error in the words of SQLite or of the system."""
    if isinstance(error, OSError):
        number, text = error.errno, system_message(error)
    else:
        code = getattr(error, "sqlite_errorcode", 0)
        number, text = AS_SYSTEM.get(code) or AS_SYSTEM.get(code & 0xFF), str(error)
    match number:
        case errno.ENOSPC | errno.EDQUOT:
            return coded("disk_out_of_room", path=str(path))
        case errno.EIO:
            return coded("disk_failing", path=str(path))
        case errno.EROFS:
            return coded("disk_read_only", path=str(path))
    return f"{path}: {text}"


def _is_closed_to_this_user(path: Path | str) -> bool:
    """True if the file exists and this user may not read or write it."""
    return Path(path).exists() and not os.access(path, os.R_OK | os.W_OK)


def _open_problem(path: Path | str) -> CodedMessage:
    """Return why this user cannot open the file: SQLite reads a log beside it only where it can write."""
    has_log = os.access(path, os.R_OK) and Path(f"{path}-wal").exists() and not os.access(Path(path).parent, os.W_OK)
    return coded("log_unreadable", path=str(path)) if has_log else coded("no_permission", path=str(path))
