"""Error of the floor's own files and connection."""

import sqlite3
from pathlib import Path

from ...core.coded_message import coded
from ...journal.file import disk_error_text
from ...text.coded import CodedError

DAMAGED = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})  # ERROR: a table is missing


class FloorFailed(CodedError):
    """Floor cannot use one of its files or its connection."""


def file_failed(path: Path, error: sqlite3.Error) -> FloorFailed:
    """Return the error for a file that SQLite cannot use; it says what is wrong with the file or its disk."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_CANTOPEN and not path.exists():
        return FloorFailed(coded("floor_file_missing", path=str(path)))
    if code == sqlite3.SQLITE_CANTOPEN:
        return FloorFailed(coded("no_permission", path=str(path)))
    if code in DAMAGED:
        return FloorFailed(coded("floor_file_damaged", path=str(path)))
    return FloorFailed(disk_error_text(path, error))
