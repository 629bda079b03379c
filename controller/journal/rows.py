"""Rows of a journal: their hash chain, their defects, and their records.

Invariant: a row is valid if its hash follows from its whole content and the hash before.
"""

import hashlib
import sqlite3
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from ..core.coded_message import CodedMessage, coded
from ..core.encoding import BadRecord, decode
from ..core.records import Record
from .file import OF_DEVICES_FOUND, Damaged, Head

Row = tuple[int, bytes, bytes | None, bytes]  # seq, record, input, hash

INSERT = "INSERT INTO records VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT), ?)"  # parameters: a Row

_ROWS = "SELECT seq, record, input, hash FROM records WHERE"
_CHOSEN = "json_extract(record, '$.kind') IN (SELECT value FROM json_each(?))"


def rows(db: sqlite3.Connection, after: int, kinds: Collection[str] = ()) -> Iterator[Row]:
    """Yield the rows after a record, in order.

    `kinds`: only these kinds; SQLite skips the others, some hundred thousand a second.
    """
    if kinds:
        yield from _rows_of_kinds(db, kinds, "seq > ? ORDER BY seq", after)
    else:
        yield from db.execute(f"{_ROWS} seq > ? ORDER BY seq", (after,))


def backwards(db: sqlite3.Connection) -> Iterator[Row]:
    """Yield all rows, the latest first."""
    yield from db.execute(f"{_ROWS} TRUE ORDER BY seq DESC")


def rows_before(db: sqlite3.Connection, before: int, kinds: Collection[str]) -> Iterator[Row]:
    """Yield the rows of these kinds before a record, the latest first."""
    yield from _rows_of_kinds(db, kinds, "seq < ? ORDER BY seq DESC", before)


def rows_of_devices(db: sqlite3.Connection) -> Iterator[Row]:
    """Yield the rows that say where a device was found, the latest first; an index lists them."""
    yield from db.execute(f"{_ROWS} {OF_DEVICES_FOUND} ORDER BY seq DESC")


def _rows_of_kinds(db: sqlite3.Connection, kinds: Collection[str], which: str, seq: int) -> Iterator[Row]:
    """Yield rows of these kinds. If SQLite stops at a record that is no JSON, yield that row, so that it is refused."""
    try:
        yield from db.execute(f"{_ROWS} {_CHOSEN} AND {which}", (_list(kinds), seq))
    except sqlite3.OperationalError:
        unread = db.execute(f"{_ROWS} NOT json_valid(record) ORDER BY seq LIMIT 1").fetchone()
        if unread is None:
            raise
        yield unread


def _list(kinds: Collection[str]) -> str:
    return msgspec.json.encode(sorted(kinds)).decode()


def row_hash(before: bytes, line: bytes, input_line: bytes | None) -> bytes:
    """Return the hash of a row.

    Our JSON has no line feed, so the end of the record is unambiguous.
    """
    return hashlib.sha256(before + line if input_line is None else b"%b%b\n%b" % (before, line, input_line)).digest()


def flaw(head: Head, row: Row) -> CodedMessage | None:
    """Return the defect of the row after `head`; None if it is valid."""
    seq, line, input_line, digest = row
    if seq != head.seq + 1:
        return coded("record_skipped", seq=seq, after=head.seq)
    if not _is_text(line, input_line) or not isinstance(digest, bytes):
        return coded("record_no_text")
    if row_hash(head.hash, line, input_line) != digest:
        return coded("record_hash_wrong")
    try:
        record = decode(line, input_line)
    except BadRecord as error:
        return error.message
    return None if record.seq == seq else coded("record_misplaced", seq=record.seq)


def decode_row(path: Path, row: Row) -> Record:
    """Decode the record of a row. Raises Damaged."""
    seq, line, input_line, _ = row
    if _is_text(line, input_line):
        with suppress(BadRecord):
            return decode(line, input_line)
    raise Damaged(coded("record_unsound", path=str(path), reason=coded("record_not_read", seq=seq)))


def _is_text(line: object, input_line: object) -> bool:
    """True if both values have the types that were stored; an edited row may have any."""
    return isinstance(line, bytes) and isinstance(input_line, bytes | None)
