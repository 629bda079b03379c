"""Search of a journal for the place of a round, and for records of few kinds.

Round numbers only grow, so the place is found by bisection. It takes as long in a record of a year as in one of a day.
"""

import sqlite3
from collections.abc import Collection, Iterator
from pathlib import Path

from ..core.records import Record
from .archive import files_of
from .file import first, last_head
from .reader import open_read_only, read_back
from .rows import decode_row, rows_of_devices

# first record at or after a number that names a round; without the kinds that may name a much earlier one
_NUMBERED = (
    "SELECT seq, CAST(json_extract(record, '$.round') AS INTEGER), json_extract(record, '$.kind') FROM records"
    " WHERE seq >= ? AND json_extract(record, '$.round') IS NOT NULL"
    " AND json_extract(record, '$.kind') NOT IN ('resettled', 'resettle_refused', 'case_dismissed')"
    " ORDER BY seq LIMIT 1"
)


def opening_seq(path: Path, number: int) -> int | None:
    """Number of the record that opened a round; None if no file has that round.

    Looked for in the journal and in the archives beside it.

    Raises NotAJournal, JournalFailed.
    """
    for file in files_of(path):
        with open_read_only(file) as db:
            row = _first_record(db, number)
        if row is not None and row[1] < number:
            return None
        if row is not None and row[1:] == (number, b"opened"):
            return row[0]
    return None


def read_backwards(path: Path, before: int, kinds: Collection[str]) -> Iterator[Record]:
    """Yield the records of these kinds before that number, from the archives too, the latest first.

    During a rotation some records are in two files; each is yielded once.
    """
    for file in files_of(path):
        for record in read_back(file, before, kinds):
            before = record.seq
            yield record


def devices_found(path: Path) -> Iterator[Record]:
    """Yield the records that say where a device was found, from the archives too, the latest first.

    It takes as long in a record of a year as in one of a day, but a file from before its index is read through.
    """
    for file in files_of(path):
        with open_read_only(file) as db:
            for row in rows_of_devices(db):
                yield decode_row(file, row)


def _first_record(db: sqlite3.Connection, number: int) -> tuple[int, int, bytes] | None:
    """Number, round and kind of the first record in a file of this round or a later one.

    If there is none, those of the file's last record if it names a round, else None. A file begins with the end of a
    round that was opened in the file before.
    """
    low, high = first(db) or 0, last_head(db).seq
    while low < high:
        middle = (low + high) // 2
        row = db.execute(_NUMBERED, (middle,)).fetchone()
        if row is None or row[1] >= number:
            high = middle
        else:
            low = row[0] + 1
    row = db.execute(_NUMBERED, (low,)).fetchone()
    return None if row is None else (row[0], row[1], row[2])
