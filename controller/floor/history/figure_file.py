"""Figures of all tables, in a file of the floor: `NAME.floor.numbers`.

Invariant: the file holds nothing that is stored nowhere else. New figures and the position up to which records are
counted are written in one transaction, so each record counts once, whenever the process is killed. A file of another
version is deleted and counted again.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from threading import Lock
from typing import Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from ...accounts.entry import CountedDevice
from ...config.shifts import ShiftsSection
from ...core import records as r
from ...core.clock import DAY, Time
from ...core.records import Record
from ...reports.figures import Figures, KeptFigures
from ..storage.complete_records import records_before_gap
from ..storage.files import OwnFile, open_read_only
from ..storage.store import Gap, Store
from ..storage.table_epochs import NONE
from .figure_pieces import CountingState, FigureKey, Pieces
from .sums import Brief

VERSION = 4
TAKEN_BACK: Time = 40 * DAY  # figures up to this age can be taken back after a loss
SCHEMA = """
CREATE TABLE IF NOT EXISTS standing (table_ TEXT, epoch TEXT, kept BLOB NOT NULL, PRIMARY KEY (table_, epoch))
    STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS parts (table_ TEXT, epoch TEXT, part INTEGER, at INTEGER NOT NULL, kept BLOB NOT NULL,
    PRIMARY KEY (table_, epoch, part)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS figures (table_ TEXT, epoch TEXT, part INTEGER, since INTEGER, dealer TEXT, game TEXT,
    by_ TEXT, name TEXT, kept BLOB NOT NULL, PRIMARY KEY (table_, epoch, part, since, dealer, game, by_, name))
    STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS devices (name TEXT PRIMARY KEY, kept BLOB NOT NULL) STRICT, WITHOUT ROWID;
DROP INDEX IF EXISTS figures_since;
CREATE INDEX IF NOT EXISTS figures_of ON figures (table_, by_, since);
"""
_KEY = "table_ = ? AND epoch = ? AND part = ? AND since = ? AND dealer = ? AND game = ? AND by_ = ? AND name = ?"
_OF_TABLES = (  # table by table: reads neighbouring pages together
    "FROM (SELECT DISTINCT table_ AS one FROM standing) CROSS JOIN figures INDEXED BY figures_of ON table_ = one"
)
_device = msgspec.json.Decoder(CountedDevice)
_standing, _kept, _brief = (
    msgspec.json.Decoder(CountingState),
    msgspec.json.Decoder(KeptFigures),
    msgspec.json.Decoder(Brief),
)
Column = Literal["table_", "dealer", "game", "name"]
Ends = Mapping[tuple[str, str], int | None]  # last record that counts, by table and epoch; see `Store.ends`
Span = tuple[Time, Time]  # begin and end; the end is not included


class FigureRow(NamedTuple):
    """Figures of one table and piece."""

    table: str
    key: FigureKey
    kept: KeptFigures


class FigureFile:
    """Open file of figures; usable from any thread. All methods raise FloorFailed."""

    def __init__(self, path: Path, shifts: ShiftsSection) -> None:
        self._shifts, self._lock = shifts, Lock()
        if _version(path) not in (None, VERSION):
            for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
                path.with_name(name).unlink(missing_ok=True)
        self._file = OwnFile(path, f"{SCHEMA} PRAGMA user_version = {VERSION};")

    def close(self) -> None:
        """Close the file and release its lock."""
        with self._lock:
            self._file.close()

    def follow(self, store: Store) -> int:
        """Count the records stored since the last call; return how many there were."""
        with self._lock:
            ends = store.ends()
            for (table, epoch), last in ends.items():
                self._drop(table, epoch, is_given_up=last == NONE)
                self._end(table, epoch, last)
            return sum(self._follow(store, ends, table, epoch) for table, epoch in ends)

    def _drop(self, table: str, epoch: str, *, is_given_up: bool) -> None:
        """Delete the figures of an epoch that was given up; count it again if that no longer holds."""
        standing = self._read(table, epoch)
        if is_given_up == (standing is not None and standing.ends == NONE):
            return
        with self._file.transaction() as db:
            db.execute("DELETE FROM standing WHERE table_ = ? AND epoch = ?", (table, epoch))
            db.execute("DELETE FROM parts WHERE table_ = ? AND epoch = ?", (table, epoch))
            db.execute("DELETE FROM figures WHERE table_ = ? AND epoch = ?", (table, epoch))
            if is_given_up:
                _stand(db, table, epoch, CountingState(ends=NONE))

    def _follow(self, store: Store, ends: Ends, table: str, epoch: str) -> int:
        count, last = 0, ends.get((table, epoch))
        while True:
            standing = self._read(table, epoch)
            after = 0 if standing is None else standing.seq
            until, records = records_before_gap(store, table, epoch, after, last)
            if until == after:
                return count
            standing = standing or self._begin_state(store, ends, (table, epoch), records)
            if standing is None:
                return count
            self._add(table, epoch, replace(standing, ends=last), records, until)
            count += len(records)

    def _read(self, table: str, epoch: str) -> CountingState | None:
        cursor = self._file.db.execute("SELECT kept FROM standing WHERE table_ = ? AND epoch = ?", (table, epoch))
        row = cursor.fetchone()
        return None if row is None else _standing.decode(row[0])

    def _begin_state(
        self, store: Store, ends: Ends, of: tuple[str, str], records: Sequence[Record]
    ) -> CountingState | None:
        """Return the state of the counting from which the figures of epoch `of` begin; None: they cannot begin yet.

        After an accepted loss: the state that the valid records of the previous epoch left open; else empty. While
        events before the first one are missing and still requested, the figures do not begin.
        """
        table, first = of[0], store.events(*of, most=1)[0].seq
        payload = records[0].what if records else None
        before = payload.before if isinstance(payload, r.LossAccepted) else None
        if any(_is_before(gap, of, before, first) for gap in store.gaps()):
            return None
        if before is None:
            return CountingState()
        self._follow(store, ends, table, before)
        left = self._read(table, before)
        if left is None:
            seq, _ = records_before_gap(store, table, before, 0, ends.get((table, before)))
            return None if seq else CountingState()  # the previous epoch waits for events itself
        return CountingState() if left.ends == NONE else replace(left, seq=first - 1)

    def _end(self, table: str, epoch: str, ends: int | None) -> None:
        """End an epoch at record `ends`; later records and their figures count no more. None: all records count."""
        standing = self._read(table, epoch)
        if standing is None or standing.ends == ends:
            return
        with self._file.transaction() as db:
            of = table, epoch
            late = ends is not None and standing.seq > ends
            back = db.execute(
                "SELECT part, kept FROM parts WHERE table_ = ? AND epoch = ? AND part <= ? ORDER BY part DESC",
                (*of, ends),
            ).fetchone()
            if late and back is not None:
                standing = _standing.decode(back[1])
                for name in ("parts", "figures"):
                    where = "table_ = ? AND epoch = ? AND part >= ?"
                    db.execute(f"DELETE FROM {name} WHERE {where}", (*of, back[0]))  # noqa: S608 - names of ours
            _stand(db, *of, replace(standing, ends=ends))

    def _add(self, table: str, epoch: str, standing: CountingState, records: Sequence[Record], until: int) -> None:
        pieces = Pieces(standing, self._shifts)
        for record in records:
            pieces.take(record)
        pieces.standing.seq = until
        with self._file.transaction() as db:
            for key, figures in pieces.figures():
                _join(db, (table, epoch, *key), figures)
            db.executemany(
                "INSERT OR IGNORE INTO devices VALUES (?, ?)",
                [(name, msgspec.json.encode(one)) for name, one in pieces.devices()],
            )
            for part, body in pieces.began:
                db.execute(
                    "INSERT INTO parts VALUES (?, ?, ?, ?, ?)", (table, epoch, part, pieces.standing.open.at, body)
                )
            db.execute("DELETE FROM parts WHERE table_ = ? AND at < ?", (table, pieces.standing.open.at - TAKEN_BACK))
            _stand(db, table, epoch, pieces.standing)

    def rows(self, since: Time, until: Time) -> Iterator[FigureRow]:
        """Yield the stored figures of the pieces that begin in a time span, one row each."""
        with open_read_only(self._file.path) as db:
            of = f"{_OF_TABLES} WHERE since >= ? AND since < ?"
            cursor = db.execute(f"SELECT table_, part, since, dealer, game, by_, name, kept {of}", (since, until))
            for table, *key, body in cursor:
                yield FigureRow(table, FigureKey(*key), _kept.decode(body))

    def devices(self) -> dict[str, CountedDevice]:
        """Devices by their names in stored figures. Figures of older versions may have none."""
        with open_read_only(self._file.path) as db:
            return {name: _device.decode(body) for name, body in db.execute("SELECT name, kept FROM devices")}

    def briefs(self, by: Literal["all", "device"], column: Column, span: Span) -> Iterator[tuple[str, Time, Brief]]:
        """Yield brief figures of the pieces that begin in a time span, read from one column.

        `by`: what the figures are grouped by; yields the value of `column`, the beginning of the piece, and its
        figures in brief.
        """
        with open_read_only(self._file.path) as db:
            of = f"{_OF_TABLES} WHERE since >= ? AND since < ? AND by_ = ?"
            for whose, since, body in db.execute(f"SELECT {column}, since, kept {of}", (*span, by)):
                yield whose, since, _brief.decode(body)


def _is_before(gap: Gap, of: tuple[str, str], before: str | None, first: int) -> bool:
    """True if a gap contains events before the first one of an epoch. `before`: epoch that it continues."""
    table, epoch = of
    if gap.table != table or gap.epoch == epoch:
        return False
    return gap.last == first - 1 if before is None else gap.epoch == before and gap.first < first


def _join(db: sqlite3.Connection, key: tuple[object, ...], figures: Figures) -> None:
    row = db.execute(f"SELECT kept FROM figures WHERE {_KEY}", key).fetchone()  # noqa: S608 - names of ours
    if row is not None:
        figures.join(_kept.decode(row[0]))
    db.execute(
        "INSERT OR REPLACE INTO figures VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*key, msgspec.json.encode(figures.stored_form)),
    )


def _stand(db: sqlite3.Connection, table: str, epoch: str, standing: CountingState) -> None:
    db.execute("INSERT OR REPLACE INTO standing VALUES (?, ?, ?)", (table, epoch, msgspec.json.encode(standing)))


def _version(path: Path) -> int | None:
    """Return the `user_version` of a file; None if there is no file, -1 for a non-database."""
    if not path.exists():
        return None
    try:
        with closing(sqlite3.connect(path)) as db:
            return int(db.execute("PRAGMA user_version").fetchone()[0])
    except sqlite3.DatabaseError:  # not a database
        return -1
