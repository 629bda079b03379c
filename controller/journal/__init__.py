"""The record on disk: SQLite, one record a row, each with the hash of all before it.

A row is seq, record (JSON text), input (JSON text, at the first of the records it led to; else null) and hash. That
is SHA-256(hash of the row before + record), or where there is an input SHA-256(that hash + record + line feed + input);
before the first row it is 32 zero bytes.
"""

from .anchor import (
    AnchorRefused,
    answers,
    begin,
    find,
    find_contradiction,
    flaw,
    foreign_reason,
    mark_of,
    new_anchor,
    recall,
    remember,
    rounds_after,
)
from .anchor_file import AnchorFolder, BadAnchor, FoundAnchor
from .archive import archives, begin_after, set_aside
from .backup import backup, copy_database
from .file import (
    GENESIS,
    CannotRotate,
    Damaged,
    Head,
    JournalError,
    JournalFailed,
    JournalInUse,
    JournalUnbegun,
    NoJournalYet,
    NotAJournal,
    OtherFormat,
    clear,
    is_there,
    new_epoch,
    new_salt,
)
from .later_files import continues, later_files
from .lock import is_written, refuse_locked
from .past_rounds import record_at, with_past
from .reader import first_absent, head_of, origin_of, reach, read, read_back, read_rows
from .recovery import recover_state
from .rounds import devices_found, opening_seq, read_backwards
from .rows import Row
from .spans import Stretch, stretches_within
from .verification import (
    Finding,
    JournalVerification,
    Passed,
    hash_at,
    ignore_progress,
    verify,
    verify_all,
    verify_in_steps,
)
from .writer import Bounds, Journal

__all__ = [
    "GENESIS",
    "AnchorFolder",
    "AnchorRefused",
    "BadAnchor",
    "Bounds",
    "CannotRotate",
    "Damaged",
    "Finding",
    "FoundAnchor",
    "Head",
    "Journal",
    "JournalError",
    "JournalFailed",
    "JournalInUse",
    "JournalUnbegun",
    "JournalVerification",
    "NoJournalYet",
    "NotAJournal",
    "OtherFormat",
    "Passed",
    "Row",
    "Stretch",
    "answers",
    "archives",
    "backup",
    "begin",
    "begin_after",
    "clear",
    "continues",
    "copy_database",
    "devices_found",
    "find",
    "find_contradiction",
    "first_absent",
    "flaw",
    "foreign_reason",
    "hash_at",
    "head_of",
    "ignore_progress",
    "is_there",
    "is_written",
    "later_files",
    "mark_of",
    "new_anchor",
    "new_epoch",
    "new_salt",
    "opening_seq",
    "origin_of",
    "reach",
    "read",
    "read_back",
    "read_backwards",
    "read_rows",
    "recall",
    "record_at",
    "recover_state",
    "refuse_locked",
    "remember",
    "rounds_after",
    "set_aside",
    "stretches_within",
    "verify",
    "verify_all",
    "verify_in_steps",
    "with_past",
]
