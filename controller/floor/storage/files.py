"""SQLite files of a floor: readable by their owner alone, each written by one floor at a time.

Invariant: data reported as stored is on the disk. The kernel releases the lock when the process ends, however it ends.
"""

import fcntl
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ...core.coded_message import coded
from ...text.errors import system_message
from .failures import FloorFailed, file_failed

OWN = 0o600
PATIENCE = 5.0  # seconds to wait for another process's lock
_TABLE = re.compile(r"CREATE TABLE IF NOT EXISTS (\w+)")


class FileIdentity:
    """Identity of an open file and its log on disk.

    If another file has taken the name, further writes would be lost. Create it when both files exist.
    Raises FloorFailed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._files = {file: _identity(file) for file in (path, path.with_name(f"{path.name}-wal"))}
        self.check()

    def check(self) -> None:
        """Check that both files are still the ones that were opened. Raises FloorFailed if not."""
        for file, before in self._files.items():
            if before is None or _identity(file) != before:
                raise FloorFailed(coded("floor_file_replaced", path=str(file)))


def _identity(file: Path) -> tuple[int, int] | None:
    """Device and inode of the file with this name; None if there is none."""
    try:
        stat = file.stat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


class OwnFile:
    """SQLite file of a floor, opened and locked. Raises FloorFailed.

    `db`: its writing connection, for one thread at a time.
    """

    def __init__(self, path: Path, schema: str) -> None:
        self.path = path
        self._lock = _lock_file(path)
        try:
            _make(path)
            self.db = _connect(path, "rw")
        except OSError as error:
            self._unlock()
            raise FloorFailed(f"{path}: {system_message(error)}") from None
        except sqlite3.Error as error:
            self._unlock()
            raise file_failed(path, error) from None
        try:
            self._prepare(schema)
            self._identity = FileIdentity(path)
        except BaseException:
            self.close()
            raise

    def _prepare(self, schema: str) -> None:
        with convert_sqlite_errors(self.path):
            _require_own(self.db, self.path, schema)
            self.db.execute("PRAGMA journal_mode = WAL")
            self.db.execute("PRAGMA synchronous = FULL")  # NORMAL loses the last commits at a power cut
            self.db.executescript(schema)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Run the block as one transaction, rolled back on any error. Raises FloorFailed."""
        self._identity.check()
        with convert_sqlite_errors(self.path):
            self.db.execute("BEGIN IMMEDIATE")
            try:
                yield self.db
                self.db.execute("COMMIT")
            finally:
                if self.db.in_transaction:
                    self.db.execute("ROLLBACK")

    def close(self) -> None:
        """Close the file and release its lock."""
        self.db.close()
        self._unlock()

    def _unlock(self) -> None:
        os.close(self._lock)


@contextmanager
def open_read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a read-only connection for any thread, usable while a floor writes. Raises FloorFailed."""
    with convert_sqlite_errors(path), closing(_connect(path, "ro")) as db:
        yield db


@contextmanager
def convert_sqlite_errors(path: Path) -> Iterator[None]:
    """Convert SQLite errors to FloorFailed, with the name of the file."""
    try:
        yield
    except sqlite3.Error as error:
        raise file_failed(path, error) from None


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False)


def _require_own(db: sqlite3.Connection, path: Path, schema: str) -> None:
    """Check that the database is empty or has a table of the schema. Raises FloorFailed if it is another program's."""
    tables = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if tables and tables.isdisjoint(_TABLE.findall(schema)):
        raise FloorFailed(coded("no_floor_store", path=str(path)))


def _lock_file(path: Path) -> int:
    """Lock the file for this process; return the lock's descriptor.

    Raises FloorFailed if another process has it.
    """
    try:
        lock = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWN)
    except OSError as error:
        raise FloorFailed(f"{path}: {system_message(error)}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise FloorFailed(coded("floor_store_in_use", path=str(path))) from None
    return lock


def _make(path: Path) -> None:
    """Create the file with its mode before it has content. Raises OSError.

    SQLite gives the log beside it the same mode.
    """
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWN))
    path.chmod(OWN)
