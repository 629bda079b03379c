"""The floor's own files: SQLite, which their owner alone reads, each written by one floor at a time.

The one rule: what was said to be kept is on the disk. The kernel lets go of the lock with the process, however it ends.
"""

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from ..text.errors import system_says
from .failures import FloorFailed

OWN = 0o600
PATIENCE = 5.0  # seconds for somebody else's look at it


class Place:
    """Where an open file and its log lie: what is written to one that has not its name any more is lost. To be made
    when both are there. Raises FloorFailed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._files = {file: _identity(file) for file in (path, path.with_name(f"{path.name}-wal"))}
        self.check()

    def check(self) -> None:
        """Raises FloorFailed where they are others, or none."""
        for file, before in self._files.items():
            if before is None or _identity(file) != before:
                raise FloorFailed(
                    f"{file}: not the file any more that the floor has opened: stop the floor, put that there, start it"
                )


def _identity(file: Path) -> tuple[int, int] | None:
    """Which file has that name, if any has."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


class OwnFile:
    """One such file. `db`: its writing connection, for one thread at a time. Raises FloorFailed."""

    def __init__(self, path: Path, schema: str) -> None:
        self.path = path
        self._lock = _locked(path)
        try:
            _make(path)
            self.db = sqlite3.connect(_uri(path, "rw"), uri=True, isolation_level=None, check_same_thread=False)
        except OSError as error:
            self._unlock()
            raise FloorFailed(f"{path}: {system_says(error)}") from None
        except sqlite3.Error as error:
            self._unlock()
            raise FloorFailed(f"{path}: {error}") from None
        try:
            self._prepare(schema)
            self._place = Place(path)
        except BaseException:
            self.close()
            raise

    def _prepare(self, schema: str) -> None:
        with failing(self.path):
            self.db.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}")
            self.db.execute("PRAGMA journal_mode = WAL")
            self.db.execute("PRAGMA synchronous = FULL")  # NORMAL loses the last commits at a power cut
            self.db.executescript(schema)

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """All of it or nothing. Raises FloorFailed."""
        self._place.check()
        with failing(self.path):
            self.db.execute("BEGIN IMMEDIATE")
            try:
                yield self.db
                self.db.execute("COMMIT")
            finally:
                if self.db.in_transaction:
                    self.db.execute("ROLLBACK")

    def close(self) -> None:
        """Let go of it."""
        self.db.close()
        self._unlock()

    def _unlock(self) -> None:
        os.close(self._lock)


@contextmanager
def reading(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that changes nothing, for any thread, also while a floor writes. Raises FloorFailed."""
    with failing(path), closing(sqlite3.connect(_uri(path, "ro"), uri=True, isolation_level=None)) as db:
        db.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}")
        yield db


@contextmanager
def failing(path: Path) -> Iterator[None]:
    """Says of which file an error of SQLite's is. Raises FloorFailed."""
    try:
        yield
    except sqlite3.Error as error:
        raise FloorFailed(f"{path}: {error}") from None


def _uri(path: Path, mode: str) -> str:
    return f"{path.absolute().as_uri()}?mode={mode}"


def _locked(path: Path) -> int:
    """Raises FloorFailed where another process has it."""
    try:
        lock = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWN)
    except OSError as error:
        raise FloorFailed(f"{path}: {system_says(error)}") from None
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(lock)
        raise FloorFailed(f"{path}: another floor writes it; each has a store of its own") from None
    return lock


def _make(path: Path) -> None:
    """With its mode before anything is in it; SQLite gives the log beside it the same. Raises OSError."""
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWN))
    path.chmod(OWN)
