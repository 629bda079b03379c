"""The record on disk: SQLite, one record a row, each with the hash of all before it.

A row is seq, record (the JSON text) and hash = SHA-256(hash of the row before + record); before the first row stand 32
zero bytes.
"""

from .file import GENESIS, Damaged, Head, JournalError, JournalFailed, JournalInUse, NotAJournal
from .reader import Finding, Verdict, head_of, read, verify
from .writer import Journal

__all__ = [
    "GENESIS",
    "Damaged",
    "Finding",
    "Head",
    "Journal",
    "JournalError",
    "JournalFailed",
    "JournalInUse",
    "NotAJournal",
    "Verdict",
    "head_of",
    "read",
    "verify",
]
