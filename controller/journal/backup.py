"""Copy of a journal that may be in use.

Invariant: under the copy's name there is a whole copy, as of one moment, or nothing.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from ..core.coded_message import coded
from .file import JournalFailed, clear, journal_error, open_file, sync
from .modes import make
from .reader import open_read_only
from .verification import JournalVerification, Passed, ignore_progress, verify


def backup(path: Path, to: Path, passed: Passed = ignore_progress) -> JournalVerification:
    """Copy a journal and verify the copy's hash chain. Raises NotAJournal, JournalFailed."""
    with open_read_only(path) as db:
        copy_database(db, to)
    return verify(to, passed=passed)


def copy_database(db: sqlite3.Connection, to: Path) -> None:
    """Copy the present content of a database to a new file. Raises JournalFailed if the name exists."""
    try:
        if os.path.lexists(to):
            raise JournalFailed(coded("file_exists", path=str(to)))
        part = to.with_name(f"{to.name}.part")
        clear(part)
        try:
            make(part)
            _copy(db, part)
            part.rename(to)
        finally:
            clear(part)
        sync(to.parent)
    except OSError as error:
        raise journal_error(to, error) from None


def _copy(db: sqlite3.Connection, to: Path) -> None:
    try:
        with closing(open_file(to, "rw")) as copy:
            db.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
    except sqlite3.OperationalError as error:  # other errors come from the source
        raise journal_error(to, error) from None
