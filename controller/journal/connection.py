"""Single writing connection of a journal, and the files that it has open.

Before each use it checks that they are still there, so that nothing durable is lost when one of them is removed.
"""

import sqlite3
from contextlib import suppress
from pathlib import Path

from .backup import copy_database
from .file import (
    NOTHING,
    JournalError,
    JournalFailed,
    create,
    journal_error,
    last_head,
    open_file,
    require_journal,
    set_write_ahead,
)
from .journal_traces import rescue_path
from .presence import Presence

PATIENCE = 0.05  # seconds: a table does not wait for somebody's SQLite shell, it halts and tries again
AT_START = 5.0  # seconds: after a crash the first program that opens the journal recovers its log, also a reader


class JournalConnection:
    """Open connection to an existing journal file."""

    def __init__(self, path: Path, real: Path, patience: float = PATIENCE) -> None:
        """Open the journal and read its head. Raises NotAJournal, JournalFailed.

        `path`: name of the journal, which may be a link to `real`; `patience`: seconds to wait for others' locks, until
        it is open.
        """
        self._path = path.absolute()  # stays right if the working directory is moved
        try:
            self.db = open_file(real, "rw", patience)
            try:
                _prepare(self.db, path)
                self.head = last_head(self.db)
                self.db.execute(f"PRAGMA busy_timeout = {PATIENCE * 1000:.0f}")
                self._presence = Presence(self._path, real)
            except BaseException:
                self.db.close()
                raise
        except sqlite3.DatabaseError as error:
            raise journal_error(path, error) from None

    @property
    def size(self) -> int:
        """Size of the file in bytes."""
        return self._presence.size

    def check_files(self) -> None:
        """Check that the files are still there under their names. Raises JournalFailed."""
        try:
            self._presence.check()
        except JournalFailed:
            if self._presence.is_ours:
                self.empty_log("TRUNCATE")  # the log may have no name any more, and must not become another file's log
            raise

    def note_own_write(self) -> None:
        """Note that the latest change of the file was ours."""
        self._presence.note()

    def empty_log(self, how: str) -> None:
        """Move records from the write-ahead log into the file. `how`: mode of SQLite's `wal_checkpoint`."""
        with suppress(sqlite3.Error):  # durable records stay durable; the next call tries again
            self.db.execute(f"PRAGMA wal_checkpoint({how})").fetchall()
        self.note_own_write()

    def close(self) -> None:
        """Close the files. If the journal was removed, a copy of it is saved."""
        with suppress(JournalFailed):  # SQLite does not empty the log of a file that was removed or renamed
            self.check_files()
        if self._presence.is_removed:
            self._rescue()
        self._presence.close()
        self.db.close()

    def _rescue(self) -> None:
        import structlog  # it brings rich and asyncio: most commands log nothing

        log, to = structlog.get_logger().bind(journal=str(self._path)), rescue_path(self._path)
        try:
            copy_database(self.db, to)
            log.warning("rescued", to=str(to))
        except (JournalError, sqlite3.Error) as error:
            log.warning("not_rescued", reason=str(error))


def _prepare(db: sqlite3.Connection, path: Path) -> None:
    (owner,) = db.execute("PRAGMA application_id").fetchone()
    (tables,) = db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if tables or owner:
        require_journal(db, path)
        db.execute("SELECT seq, record, input, hash FROM records LIMIT 0")  # an error if our table is gone
    else:
        create(db, NOTHING)
    set_write_ahead(db)
