"""Epochs that a later epoch of their table has given up: none of their own records is valid.

A person continued one of two records and accepted the loss of the other: `loss_accepted.lost` names the epoch of the
lost one and those before it. Epochs that the later epoch continues are not given up. A floor counts by the same rule as
a start of the table (`past_of` in controller/core/witness.py).
"""

import sqlite3
from collections.abc import Iterator

import msgspec
from msgspec import Struct

from .table_events import EpochBegin


class _Lost(Struct):
    """Head of a record whose loss was accepted."""

    epoch: str
    past: dict[str, int] = {}


def note(db: sqlite3.Connection, table: str, said: EpochBegin) -> None:
    """Store the epochs that an epoch's first event names as lost (`EpochBegin.lost`)."""
    try:
        lost = msgspec.convert(said.lost, _Lost)
    except msgspec.ValidationError:  # no epochs are named, or the event is of another version
        return
    names = {lost.epoch, *lost.past}
    db.executemany("INSERT OR IGNORE INTO given_up VALUES (?, ?, ?)", [(table, name, said.epoch) for name in names])


def named(db: sqlite3.Connection, table: str) -> list[str]:
    """Epochs of a table that any of its epochs names as lost, given up or not."""
    rows = db.execute("SELECT DISTINCT epoch FROM given_up WHERE table_ = ?", (table,))
    return [epoch for (epoch,) in rows]


def given_up(db: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Table and name of all epochs that were given up."""
    for table, epoch in db.execute("SELECT DISTINCT table_, epoch FROM given_up").fetchall():
        if is_given_up(db, table, epoch):
            yield table, epoch


def is_given_up(db: sqlite3.Connection, table: str, epoch: str, seen: frozenset[str] = frozenset()) -> bool:
    """True if a valid epoch, which was not given up itself, names this one as lost and does not continue it."""
    seen |= {epoch}
    named = db.execute("SELECT by_ FROM given_up WHERE table_ = ? AND epoch = ?", (table, epoch)).fetchall()
    return any(
        by not in seen and epoch not in _before(db, table, by) and not is_given_up(db, table, by, seen)
        for (by,) in named
    )


def _before(db: sqlite3.Connection, table: str, epoch: str) -> Iterator[str]:
    """Earlier epochs whose records this epoch continues, the nearest first."""
    seen = {epoch}
    query = "SELECT before FROM epochs WHERE table_ = ? AND epoch = ?"
    while (row := db.execute(query, (table, epoch)).fetchone()) is not None and row[0] and row[0] not in seen:
        seen.add(epoch := row[0])
        yield epoch
