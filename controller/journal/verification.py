"""Verification of the hash chain: of whole files at once, or of a journal in use in small steps.

A record is valid if its row follows from the row before it. Anything else is reported as a finding, never as a crash.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ..core.coded_message import CodedMessage, coded
from .archive import archives, first_seq_of
from .file import NOTHING, Head, NotAJournal, origin
from .reader import head_of, open_read_only
from .rows import Row, flaw, rows

Passed = Callable[[int], None]  # called now and then with the number of the record that long work has reached
STEP = 1024  # records between two calls of Passed
FETCHED, FOLLOWED = 64, 16  # rows read at once with the file open; rows verified at once without a pause


class Finding(NamedTuple):
    """Defect of a journal. `seq`: first record that it concerns."""

    seq: int
    reason: CodedMessage | str


class JournalVerification(NamedTuple):
    """Result of a verification: number of valid records, the last of them, and the defect after it."""

    records: int
    head: Head
    finding: Finding | None


def ignore_progress(_: int) -> None:
    """Do nothing with the number of the record that was reached."""


def verify(path: Path, announced: Head | None = None, passed: Passed = ignore_progress) -> JournalVerification:
    """Verify the hash chain of one file. `announced`: earlier published head that must still be there."""
    return verify_all([path], announced, passed)


def verify_all(
    paths: Sequence[Path], announced: Head | None = None, passed: Passed = ignore_progress
) -> JournalVerification:
    """Verify the hash chain through the files of one table, the oldest first."""
    begin = head = None
    finding: Finding | None = None
    for path in paths:
        with open_read_only(path) as db:
            start, head, reason = _follow(db, path, head, announced, passed)
        begin = begin or start
        if reason:
            finding = Finding(head.seq + 1, reason)
            break
    begin, head = begin or NOTHING, head or NOTHING
    if finding is None and announced:
        finding = check_announced_head(begin, head, announced)
    return JournalVerification(head.seq - begin.seq, head, finding)


def _follow(
    db: sqlite3.Connection, path: Path, before: Head | None, announced: Head | None, passed: Passed
) -> tuple[Head, Head, CodedMessage | None]:
    """Verify one more file; return its origin, its last valid record, and the defect after that or None."""
    start = head = before or NOTHING
    try:
        start = origin(db)
        if before not in (None, start):
            return start, head, coded("file_elsewhere", path=str(path), name=str(start))
        head = start
        for row in rows(db, 0):
            after = Head(row[0], row[-1])
            reason = flaw(head, row) or hash_mismatch(after, announced)
            if reason:
                return start, head, reason
            head = after
            if not head.seq % STEP:
                passed(head.seq)
    except sqlite3.DatabaseError as error:
        return start, head, coded("file_unreadable", error=str(error))
    return start, head, None


def hash_mismatch(head: Head, announced: Head | None) -> CodedMessage | None:
    """Return a defect if another record was announced under this number; None if not."""
    if announced and announced.seq == head.seq and announced.hash != head.hash:
        return coded("record_replaced")
    return None


def check_announced_head(begin: Head, head: Head, announced: Head) -> Finding | None:
    """Return why a valid chain from `begin` to `head` does not prove an announced head; None if it does."""
    if announced.seq > head.seq:
        return Finding(head.seq + 1, coded("announced_absent", first=head.seq + 1, last=announced.seq))
    if 0 < announced.seq < begin.seq:
        return Finding(announced.seq, coded("announced_archived", first=begin.seq + 1))
    other = hash_mismatch(begin, announced)
    return Finding(begin.seq, other) if other else None


def verify_in_steps(path: Path, after: int = 0) -> Iterator[JournalVerification | None]:
    """Verify a journal in use and its archives, from the record after `after` to the present last one.

    Yields None after every few rows, then the verdict. In between no file is open, so the writer may rotate the
    journal. Raises JournalFailed.
    """
    begin = head = NOTHING
    finding = None
    try:
        end, begin = head_of(path).seq, _begin_head(path, after)
        head = begin
        while head.seq < end and finding is None:
            some = fetch_rows(path, head.seq)
            if not some:
                finding = Finding(head.seq + 1, coded("none_after", after=head.seq))
            for start in range(0, len(some), FOLLOWED):
                head, finding = _verify_rows(head, some[start : start + FOLLOWED])
                if finding is not None:
                    break
                yield None
    except NotAJournal as error:
        finding = Finding(head.seq + 1, coded("file_unreadable", error=str(error)))
    yield JournalVerification(head.seq - begin.seq, head, finding)


def _verify_rows(head: Head, some: Sequence[Row]) -> tuple[Head, Finding | None]:
    """Return the last valid row of these, and the finding after it or None."""
    for row in some:
        reason = flaw(head, row)
        if reason:
            return head, Finding(head.seq + 1, reason)
        head = Head(row[0], row[-1])
    return head, None


def fetch_rows(path: Path, after: int, most: int = FETCHED) -> list[Row]:
    """Return up to `most` rows after a record, from the file that has them.

    The journal is read first: if it is rotated meanwhile, its archive is seen afterwards.
    """
    with open_read_only(path) as db:
        if origin(db).seq <= after:
            return list(islice(rows(db, after), most))
    beside = archives(path)
    older = sum(first_seq_of(archive) <= after + 1 for archive in beside)
    for file in (*beside[max(0, older - 1) :], path):
        with open_read_only(file) as db:
            batch = list(islice(rows(db, after), most))
        if batch:
            return batch
    return []


def _begin_head(path: Path, after: int) -> Head:
    """Return the head to begin after: record `after`, or the origin of the oldest file if that is later."""
    with open_read_only(next(iter(archives(path)), path)) as db:
        begin = origin(db)
    digest = hash_at(path, after) if after > begin.seq else None
    return begin if digest is None else Head(after, digest)


def hash_at(path: Path, seq: int) -> bytes | None:
    """Return the hash of a record; None if its archive is not beside the journal, or it does not exist.

    Raises NotAJournal, JournalFailed.
    """
    for file in _newest_first(path):
        with open_read_only(file) as db:
            begin = origin(db)
            if begin.seq < seq:
                row = db.execute("SELECT hash FROM records WHERE seq = ?", (seq,)).fetchone()
                return bytes(row[0]) if row else None
            if begin.seq == seq:
                return begin.hash
    return None


def _newest_first(path: Path) -> Iterator[Path]:
    """Yield the files of a journal, the newest first.

    Archives are listed after the journal was read: its writer may have made one meanwhile.
    """
    yield path
    yield from reversed(archives(path))
