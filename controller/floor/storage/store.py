"""Floor's copy of all tables' events, each once, with rows derived from them.

Invariant: an event is stored by table, epoch and number, in one transaction with the position in the stream and the
derived rows. So repeated, late or unordered events and interruptions lead to the same content. Missing numbers are a
gap, which is kept until it is filled.
"""

import sqlite3
import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from .byte_limits import ByteLimits
from .derived_rows import derive, derive_anew
from .files import OwnFile, convert_sqlite_errors, open_read_only
from .schema import EVENTS, SCHEMA, events_of_round, forget, give_up, id_of, insert
from .table_epochs import ends
from .table_events import TableEvent

MOST = 1000  # events read at a time


class Gap(NamedTuple):
    """Gap in the stored events; `first` and `last` are included."""

    table: str
    epoch: str
    first: int
    last: int


class Store:
    """Event store of one floor. Thread-safe. Its methods raise FloorFailed."""

    def __init__(self, path: Path, byte_limits: ByteLimits | None = None) -> None:
        self.path, self.byte_limits = path, byte_limits or ByteLimits()
        self._file = OwnFile(path, SCHEMA)
        self._writing = threading.Lock()
        with self._file.transaction() as db:
            derive_anew(db)

    def close(self) -> None:
        """Close the database file."""
        with self._writing:
            self._file.close()

    def open_read_only(self) -> AbstractContextManager[sqlite3.Connection]:
        """Read-only connection to the database, as a context manager."""
        return open_read_only(self.path)

    # ── writing ──────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def cursor(self) -> int:
        """Sequence number in the stream up to which all events are stored."""
        with self._writing, convert_sqlite_errors(self.path):
            (cursor,) = self._file.db.execute("SELECT cursor FROM places").fetchone()
        return int(cursor)

    def follow(self, stream: str, last: int) -> int:
        """Return the sequence number after which to continue in this stream: 0 if the stream was recreated.

        `stream`: creation time; `last`: its last sequence number.
        """
        with self._writing, self._file.transaction() as db:
            was, cursor = db.execute("SELECT stream, cursor FROM places").fetchone()
            cursor = 0 if (was and was != stream) or cursor > last else int(cursor)
            db.execute("UPDATE places SET stream = ?, cursor = ?", (stream, cursor))
        return cursor

    def add(self, events: Sequence[TableEvent], cursor: int | None = None) -> list[TableEvent]:
        """Store events within the tables' byte limits; return those that are new.

        `cursor`: sequence number of the last one in the stream, if they came from there.
        """
        with self._writing, self._file.transaction() as db:
            new = list[TableEvent]()
            for one in events:
                if self.byte_limits.has_room(one.table) and insert(db, one):
                    self.byte_limits.count(one.table, len(one.body))
                    new.append(one)
            derive(db, new)
            if cursor is not None:
                db.execute("UPDATE places SET cursor = max(cursor, ?)", (cursor,))
        return new

    def gaps(self) -> list[Gap]:
        """Gaps in the stored events, per table and epoch."""
        with self._writing, convert_sqlite_errors(self.path):
            rows = self._file.db.execute(
                "SELECT table_, epochs.epoch, holes.first, holes.last FROM holes JOIN epochs ON epochs.id = holes.epoch"
            )
            return [Gap(*row) for row in rows]

    def give_up(self, gap: Gap) -> None:
        """Give up a gap whose events nobody has any more."""
        with self._writing, self._file.transaction() as db:
            give_up(db, id_of(db, gap.table, gap.epoch), gap.first, gap.last)

    def forget(self, before: str) -> int:
        """Delete some of the oldest events from before this time (ISO text); return how many.

        Repeat until it returns 0. Rounds, faults and the last event of each epoch are kept.
        """
        with self._writing, self._file.transaction() as db:
            epochs = db.execute("SELECT id, last FROM epochs").fetchall()
            return sum(forget(db, epoch, last, before) for epoch, last in epochs)

    # ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────

    def epochs(self) -> list[tuple[str, str, int]]:
        """Table, epoch and number of its last event, for all epochs with events."""
        with self.open_read_only() as db:
            return db.execute("SELECT table_, epoch, last FROM epochs ORDER BY table_, id").fetchall()

    def ends(self) -> dict[tuple[str, str], int | None]:
        """Last record that counts, by table and epoch. None: all of them; `table_epochs.NONE`: no record."""
        with self.open_read_only() as db:
            db.execute("BEGIN")  # all queries see the same state
            rows = db.execute("SELECT table_, epoch FROM epochs").fetchall()
            return {(table, epoch): ends(db, table, epoch) for table, epoch in rows}

    def last_seq(self, table: str, epoch: str) -> int:
        """Number of the last stored event of an epoch; 0 if there is none."""
        with self.open_read_only() as db:
            row = db.execute("SELECT last FROM epochs WHERE table_ = ? AND epoch = ?", (table, epoch)).fetchone()
        return int(row[0]) if row else 0

    def events(self, table: str, epoch: str, after: int = 0, most: int = MOST) -> list[TableEvent]:
        """Read up to `most` stored events of an epoch behind `after`, in order."""
        with self.open_read_only() as db:
            of = (id_of(db, table, epoch), after, most)
            rows = db.execute(f"{EVENTS} AND seq > ? ORDER BY seq LIMIT ?", of)
            return [TableEvent(table, epoch, *row) for row in rows]

    def events_of_round(self, table: str, epoch: str, number: int) -> list[TableEvent]:
        """Stored events of a round, in order, also if an epoch began within it or after its end."""
        with self.open_read_only() as db:
            return events_of_round(db, table, epoch, number)
