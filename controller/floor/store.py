"""The floor's copy of what happened at all tables: every event once, and what follows from them in rows.

The one rule: an event is kept by its table, epoch and number, in one transaction with the place in the stream and with
the rows that follow from it; so whatever comes twice, late or in another order, and wherever it is cut off, is the same
in the end. What a table's numbers leave out is a hole, which stays known until it is filled.
"""

import sqlite3
import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from .deriving import derive
from .files import OwnFile, failing, reading
from .keeping import EVENTS, SCHEMA, events_of, forget, give_up, id_of, insert
from .shares import Shares
from .told import Told

MOST = 1000  # events at a time


class Hole(NamedTuple):
    """Events that are not here, the first and the last included."""

    table: str
    epoch: str
    first: int
    last: int


class Store:
    """Of one floor. Usable from any thread. All of it raises FloorFailed."""

    def __init__(self, path: Path, shares: Shares | None = None) -> None:
        self.path, self.shares = path, shares or Shares()
        self._file = OwnFile(path, SCHEMA)
        self._writing = threading.Lock()

    def close(self) -> None:
        """Let go of it."""
        with self._writing:
            self._file.close()

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        """A connection that changes nothing, for whoever asks."""
        return reading(self.path)

    # ── what comes ───────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def cursor(self) -> int:
        """The place in the stream up to which all is here."""
        with self._writing, failing(self.path):
            (cursor,) = self._file.db.execute("SELECT cursor FROM places").fetchone()
        return int(cursor)

    def follow(self, stream: str, last: int) -> int:
        """The place from which to go on in this stream, which ends there: its beginning, where it is another one than
        before. `stream`: when it was made."""
        with self._writing, self._file.transaction() as db:
            was, cursor = db.execute("SELECT stream, cursor FROM places").fetchone()
            place = 0 if (was and was != stream) or cursor > last else int(cursor)
            db.execute("UPDATE places SET stream = ?, cursor = ?", (stream, place))
        return place

    def add(self, told: Sequence[Told], cursor: int | None = None) -> list[Told]:
        """Those of them that are new, now kept, as far as their tables' shares go. `cursor`: the place in the stream of
        the last, where they are from there."""
        with self._writing, self._file.transaction() as db:
            new = list[Told]()
            for one in told:
                if self.shares.has_room(one.table) and insert(db, one):
                    self.shares.count(one.table, len(one.body))
                    new.append(one)
            derive(db, new)
            if cursor is not None:
                db.execute("UPDATE places SET cursor = max(cursor, ?)", (cursor,))
        return new

    def holes(self) -> list[Hole]:
        """All there are."""
        with self._writing, failing(self.path):
            found = self._file.db.execute(
                "SELECT table_, epochs.epoch, holes.first, holes.last FROM holes JOIN epochs ON epochs.id = holes.epoch"
            )
            return [Hole(*row) for row in found]

    def give_up(self, hole: Hole) -> None:
        """Nobody has these any more, with which a hole begins."""
        with self._writing, self._file.transaction() as db:
            give_up(db, id_of(db, hole.table, hole.epoch), hole.first, hole.last)

    def forget(self, before: str) -> int:
        """Take away the oldest events, from before that time (ISO text): how many. To be called again until there are
        none. Rounds and faults stay, and the last event of each epoch."""
        with self._writing, self._file.transaction() as db:
            epochs = db.execute("SELECT id, last FROM epochs").fetchall()
            return sum(forget(db, epoch, last, before) for epoch, last in epochs)

    # ── what there is ────────────────────────────────────────────────────────────────────────────────────────────

    def epochs(self) -> list[tuple[str, str, int]]:
        """Table, epoch and its last event, of all that have any."""
        with self.reading() as db:
            return db.execute("SELECT table_, epoch, last FROM epochs ORDER BY table_, id").fetchall()

    def last(self, table: str, epoch: str) -> int:
        """The last event of an epoch; 0: it has none here."""
        with self.reading() as db:
            found = db.execute("SELECT last FROM epochs WHERE table_ = ? AND epoch = ?", (table, epoch)).fetchone()
        return int(found[0]) if found else 0

    def events(self, table: str, epoch: str, after: int = 0, most: int = MOST) -> list[Told]:
        """What is here of an epoch after an event, in order."""
        with self.reading() as db:
            of = (id_of(db, table, epoch), after, most)
            rows = db.execute(f"{EVENTS} AND seq > ? ORDER BY seq LIMIT ?", of)
            return [Told(table, epoch, *row) for row in rows]

    def events_of_round(self, table: str, epoch: str, number: int) -> list[Told]:
        """Those of a round, in order, also where an epoch began within it."""
        with self.reading() as db:
            return events_of(db, table, epoch, number)
