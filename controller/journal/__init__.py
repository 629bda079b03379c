"""The record on disk: SQLite, one record a row, each with the hash of all before it.

A row is seq, record (JSON text), input (JSON text, at the first of the records it led to; else null) and hash. That
is SHA-256(hash of the row before + record), or where there is an input SHA-256(that hash + record + line feed + input);
before the first row stand 32 zero bytes.
"""

from .archive import archives, begin_after
from .backup import backup, put
from .file import GENESIS, CannotRotate, Damaged, Head, JournalError, JournalFailed, JournalInUse, NotAJournal, is_there
from .lock import is_written
from .reader import Verdict, head_of, origin_of, reach, read, read_back, verify, verify_all
from .rounds import back, opening
from .writer import Bounds, Journal

__all__ = [
    "GENESIS",
    "Bounds",
    "CannotRotate",
    "Damaged",
    "Head",
    "Journal",
    "JournalError",
    "JournalFailed",
    "JournalInUse",
    "NotAJournal",
    "Verdict",
    "archives",
    "back",
    "backup",
    "begin_after",
    "head_of",
    "is_there",
    "is_written",
    "opening",
    "origin_of",
    "put",
    "reach",
    "read",
    "read_back",
    "verify",
    "verify_all",
]
