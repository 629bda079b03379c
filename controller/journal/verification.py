"""Following the chain of hashes: through whole files at once, or through a journal in use, a little at a time.

A record stands when its row follows from the row before it. Anything else is reported as a finding and never a crash.
"""

import sqlite3
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from .archive import archives, begins_with
from .file import NOTHING, Head, NotAJournal, origin
from .reader import head_of, reading
from .rows import Row, flaw, rows

FETCHED, FOLLOWED = 64, 16  # rows read at a time, with the file open; and looked at, with a processor taken


class Finding(NamedTuple):
    """What is wrong with a journal, and with which record first."""

    seq: int
    reason: str


class Verdict(NamedTuple):
    """What `verify` found: how many records stand, the last of them, and what is wrong after it."""

    records: int
    head: Head
    finding: Finding | None


def verify(path: Path, announced: Head | None = None) -> Verdict:
    """Follow the chain of hashes. `announced`: a head that went out earlier and must still be there."""
    return verify_all([path], announced)


def verify_all(paths: Sequence[Path], announced: Head | None = None) -> Verdict:
    """Follow the chain through the files of one table, the oldest first."""
    begin = head = None
    finding: Finding | None = None
    for path in paths:
        with reading(path) as db:
            start, head, reason = _follow(db, path, head, announced)
        begin = begin or start
        if reason:
            finding = Finding(head.seq + 1, reason)
            break
    begin, head = begin or NOTHING, head or NOTHING
    if finding is None and announced:
        finding = missing(begin, head, announced)
    return Verdict(head.seq - begin.seq, head, finding)


def _follow(
    db: sqlite3.Connection, path: Path, before: Head | None, announced: Head | None
) -> tuple[Head, Head, str | None]:
    """Follow the chain through one more file: its origin, its last sound record, what is wrong behind that."""
    start = head = before or NOTHING
    try:
        start = origin(db)
        if before not in (None, start):
            return start, head, f"missing: {path} does not go on from here, but from record {start}"
        head = start
        for row in rows(db, 0):
            after = Head(row[0], row[-1])
            reason = flaw(head, row) or replaced(after, announced)
            if reason:
                return start, head, reason
            head = after
    except sqlite3.DatabaseError as error:
        return start, head, f"unreadable: {error}"
    return start, head, None


def replaced(head: Head, announced: Head | None) -> str | None:
    """What is wrong with a record, where another one was announced under its number."""
    if announced and announced.seq == head.seq and announced.hash != head.hash:
        return "replaced: another record was announced under this number"
    return None


def missing(begin: Head, head: Head, announced: Head) -> Finding | None:
    """What a sound chain from `begin` to `head` cannot prove of a head that was announced."""
    if announced.seq > head.seq:
        reason = f"missing: records {head.seq + 1} to {announced.seq} were announced and are not there"
        return Finding(head.seq + 1, reason)
    if 0 < announced.seq < begin.seq:
        return Finding(announced.seq, f"missing: it is in an archive; what is here begins with record {begin.seq + 1}")
    other = replaced(begin, announced)
    return Finding(begin.seq, other) if other and begin.seq else None


def stretches(path: Path, after: int = 0) -> Iterator[Verdict | None]:
    """Follow the chain through a journal in use and the archives beside it, from the record behind `after` to the one
    that is the last now: null after every few rows, and at the end the verdict. Raises JournalFailed.

    In between no file is open: the writer may go on in a new one.
    """
    begin = head = NOTHING
    finding = None
    try:
        end, begin = head_of(path).seq, _behind(path, after)
        head = begin
        while head.seq < end and finding is None:
            some = fetched(path, head.seq)
            if not some:
                finding = Finding(head.seq + 1, f"missing: there is none after record {head.seq}")
            for start in range(0, len(some), FOLLOWED):
                head, finding = _through(head, some[start : start + FOLLOWED])
                if finding is not None:
                    break
                yield None
    except NotAJournal as error:
        finding = Finding(head.seq + 1, f"unreadable: {error}")
    yield Verdict(head.seq - begin.seq, head, finding)


def _through(head: Head, some: Sequence[Row]) -> tuple[Head, Finding | None]:
    """The last of these rows that stands, and what is wrong behind it."""
    for row in some:
        reason = flaw(head, row)
        if reason:
            return head, Finding(head.seq + 1, reason)
        head = Head(row[0], row[-1])
    return head, None


def fetched(path: Path, after: int, most: int = FETCHED) -> list[Row]:
    """Some rows behind a record, from the file that has them.

    The journal comes first: where its writer goes on in a new one meanwhile, the archive is seen after that.
    """
    with reading(path) as db:
        if origin(db).seq <= after:
            return list(islice(rows(db, after), most))
    older = [archive for archive in archives(path) if begins_with(archive) <= after + 1]
    for file in (*older[-1:], path):
        with reading(file) as db:
            found = list(islice(rows(db, after), most))
        if found:
            return found
    return []


def _behind(path: Path, after: int) -> Head:
    """The record to begin behind: that one, or where what is at hand begins later."""
    with reading(next(iter(archives(path)), path)) as db:
        begin = origin(db)
    digest = hash_at(path, after) if after > begin.seq else None
    return begin if digest is None else Head(after, digest)


def hash_at(path: Path, seq: int) -> bytes | None:
    """The hash of a record; None where it is in an archive that is not beside the journal, or nowhere.

    Raises NotAJournal, JournalFailed.
    """
    for file in _newest_first(path):
        with reading(file) as db:
            begin = origin(db)
            if begin.seq < seq:
                row = db.execute("SELECT hash FROM records WHERE seq = ?", (seq,)).fetchone()
                return bytes(row[0]) if row else None
            if begin.seq == seq:
                return begin.hash
    return None


def _newest_first(path: Path) -> Iterator[Path]:
    """A journal's files. The archives are looked for once it was read: its writer may have made one meanwhile."""
    yield path
    yield from reversed(archives(path))
