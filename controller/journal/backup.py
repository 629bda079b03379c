"""A copy of a journal that may be in use.

The one rule: under its name there is a whole copy, as of one moment, or nothing.
"""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from .file import JournalFailed
from .reader import Verdict, reading, verify


def backup(path: Path, to: Path) -> Verdict:
    """Copy a journal, and follow the chain through the copy. Raises NotAJournal, JournalFailed."""
    if os.path.lexists(to):
        raise JournalFailed(f"{to}: expected the name of a new file, something is there already")
    part = to.with_name(f"{to.name}.part")
    try:
        part.unlink(missing_ok=True)
        with reading(path) as db:
            _copy(db, part)
        verdict = verify(part)
        part.rename(to)
        _sync(to.parent)
    except OSError as error:
        raise JournalFailed(f"{to}: {(error.strerror or str(error)).lower()}") from None
    return verdict


def _copy(db: sqlite3.Connection, to: Path) -> None:
    with closing(sqlite3.connect(to)) as copy:
        db.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # all of it in the one file


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
