"""The figures of all tables, in a file of the floor's: `NAME.floor.numbers`.

The one rule: it holds nothing that is nowhere else. What is added and how far its counting has come are one
transaction, so each record counts once, whatever is killed when; a file of another version is counted anew.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from threading import Lock
from typing import NamedTuple, Protocol

import msgspec
import structlog

from .. import Unusable
from ..config.shifts import ShiftsSection
from ..core import records as r
from ..core.clock import Time
from ..core.encoding import BadRecord
from ..core.records import Record
from ..journal.modes import make
from ..reports.figures import Figures, Kept
from ..reports.told import record_of
from .pieces import HOUR, Key, Pieces, Standing

VERSION = 1
AT_ONCE = 4000  # records in a transaction
PATIENCE: Time = HOUR  # for which a record that is missing is waited for, by the times of those behind it
SCHEMA = """
CREATE TABLE standing ("table" TEXT, epoch TEXT, kept BLOB NOT NULL, PRIMARY KEY ("table", epoch)) WITHOUT ROWID;
CREATE TABLE figures ("table" TEXT, epoch TEXT, since INTEGER, dealer TEXT, game TEXT, "by" TEXT, name TEXT,
    kept BLOB NOT NULL, PRIMARY KEY ("table", epoch, since, dealer, game, "by", name)) WITHOUT ROWID;
CREATE INDEX figures_since ON figures (since);
"""
_standing, _kept = msgspec.json.Decoder(Standing), msgspec.json.Decoder(Kept)


class Event(Protocol):
    """A record as its table told it."""

    @property
    def seq(self) -> int: ...
    @property
    def body(self) -> bytes: ...


class Events(Protocol):
    """Where they are kept."""

    def epochs(self) -> Sequence[tuple[str, str, int]]:
        """Each table's, and the last record of it."""

    def events(self, table: str, epoch: str, after: int = 0, most: int = AT_ONCE) -> Sequence[Event]:
        """The ones behind a record, in their order."""


class Row(NamedTuple):
    """Figures of one table and piece."""

    table: str
    key: Key
    kept: Kept


class Counted:
    """The file, open. From any thread, one at a time."""

    def __init__(self, path: Path, shifts: ShiftsSection) -> None:
        """Raises Unusable."""
        self._path, self._shifts, self._lock = path, shifts, Lock()
        try:
            self._db = _opened(path)
        except (OSError, sqlite3.Error) as error:
            raise Unusable(f"{path}: {error}") from None

    def close(self) -> None:
        """Nothing is lost by it."""
        with self._lock:
            self._db.close()

    def follow(self, events: Events) -> int:
        """Count what has come since; how many records that were. Raises Unusable."""
        with self._lock:
            try:
                return sum(self._follow(events, *which) for which in events.epochs())
            except sqlite3.Error as error:
                raise Unusable(f"{self._path}: {error}") from None

    def _follow(self, events: Events, table: str, epoch: str, last: int) -> int:
        standing, count = self._read(table, epoch), 0
        while standing is None or standing.seq < last:
            after = 0 if standing is None else standing.seq
            told = events.events(table, epoch, after, AT_ONCE)
            records = list(whole(after, _records(told)))
            if not records:
                break
            standing = standing or self._begun(table, records[0])
            self._add(table, epoch, standing, records)
            count += len(records)
        return count

    def _begun(self, table: str, first: Record) -> Standing:
        """Where a record begins: after a loss, with what the one before has left open, if that is where it ends."""
        if isinstance(first.what, r.LossAccepted):
            before = self._read(table, first.what.before)
            if before is not None and before.seq == first.seq - 1:
                return before
        return Standing()

    def _read(self, table: str, epoch: str) -> Standing | None:
        row = self._db.execute('SELECT kept FROM standing WHERE "table" = ? AND epoch = ?', (table, epoch)).fetchone()
        return None if row is None else _standing.decode(row[0])

    def _add(self, table: str, epoch: str, standing: Standing, records: Iterable[Record]) -> None:
        pieces = Pieces(standing, self._shifts)
        for record in records:
            pieces.take(record)
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            for key, figures in pieces.figures():
                self._join(table, epoch, key, figures)
            kept = msgspec.json.encode(pieces.standing)
            self._db.execute("INSERT OR REPLACE INTO standing VALUES (?, ?, ?)", (table, epoch, kept))

    def _join(self, table: str, epoch: str, key: Key, figures: Figures) -> None:
        where = 'WHERE "table" = ? AND epoch = ? AND since = ? AND dealer = ? AND game = ? AND "by" = ? AND name = ?'
        row = self._db.execute(f"SELECT kept FROM figures {where}", (table, epoch, *key)).fetchone()  # noqa: S608 - ours
        if row is not None:
            figures.join(_kept.decode(row[0]))
        values = (table, epoch, *key, msgspec.json.encode(figures.kept))
        self._db.execute("INSERT OR REPLACE INTO figures VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values)

    def rows(self, since: Time, until: Time) -> list[Row]:
        """Of the pieces that begin in a time. Raises Unusable."""
        columns = '"table", since, dealer, game, "by", name, kept'
        with self._lock:
            try:
                query = f"SELECT {columns} FROM figures WHERE since >= ? AND since < ?"  # noqa: S608 - ours
                found = self._db.execute(query, (since, until)).fetchall()
            except sqlite3.Error as error:
                raise Unusable(f"{self._path}: {error}") from None
        return [Row(table, Key(*key), _kept.decode(kept)) for table, *key, kept in found]


def _opened(path: Path) -> sqlite3.Connection:
    with closing(sqlite3.connect(path)) if path.exists() else closing(sqlite3.connect(":memory:")) as db:
        stale = db.execute("PRAGMA user_version").fetchone()[0] != VERSION
    if stale:
        for name in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
            name.unlink(missing_ok=True)
        make(path, 0o600)
    db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    db.execute("PRAGMA journal_mode=WAL")
    if stale:
        db.executescript(f"BEGIN; {SCHEMA} PRAGMA user_version = {VERSION}; COMMIT;")
    return db


def _records(told: Iterable[Event]) -> Iterator[tuple[int, Record | None]]:
    for one in told:
        try:
            yield one.seq, record_of(one.body)
        except BadRecord as error:  # of another version
            structlog.get_logger().warning("event_not_counted", seq=one.seq, reason=str(error))
            yield one.seq, None


def whole(after: int, told: Iterable[tuple[int, Record | None]]) -> Iterator[Record]:
    """Those that follow without a gap; behind one, where what is missing has not come for a long time."""
    found = list(told)
    latest = max((record.at for _, record in found if record is not None), default=0)
    for seq, record in found:
        follows = seq == after + 1 or (record is not None and (_begins(record, after) or latest - record.at > PATIENCE))
        if not follows:
            return
        after = seq
        if record is not None:
            yield record


def _begins(record: Record, after: int) -> bool:
    return not after and isinstance(record.what, r.Configured | r.LossAccepted)
