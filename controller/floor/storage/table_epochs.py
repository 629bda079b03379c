"""Which epoch of a table continues which, and which records count: the only account of it in a floor.

An epoch may continue an earlier one (`before`) up to one of its records (`stands`). The later records of the earlier
epoch are lost. Epochs that continue each other form a line.

A person may continue one of two records and accept the loss of the other: `loss_accepted.lost` names the epoch of the
lost one and those before it. Such an epoch is given up: none of its own records counts. Epochs that the later epoch
continues are not given up. A floor counts by the same rule as a start of the table (`past_of` and `newest_head` in
controller/core/witness.py).
"""

import sqlite3
from typing import NamedTuple

import msgspec
from msgspec import Struct

from ...core.witness import WHEN
from .table_events import EpochBegin

NONE = -1  # last counting record of an epoch that was given up


class _Lost(Struct):
    """Head of a record whose loss was accepted."""

    epoch: str
    past: dict[str, int] = {}


class LinePart(NamedTuple):
    """Epoch of a line. `id`: in the database, 0 if it has no events; `until`: last record in the line, None: all."""

    epoch: str
    id: int
    until: int | None


class NextEpoch(NamedTuple):
    """Epoch that continues another one. `stands`: last record of the other one that counts."""

    epoch: str
    stands: int


def note(db: sqlite3.Connection, table: str, begin: EpochBegin) -> None:
    """Store the epochs that an epoch's first event names as lost (`EpochBegin.lost`)."""
    try:
        lost = msgspec.convert(begin.lost, _Lost)
    except msgspec.ValidationError:  # no epochs are named, or the event is of another version
        return
    names = {lost.epoch, *lost.past}
    db.executemany("INSERT OR IGNORE INTO given_up VALUES (?, ?, ?)", [(table, name, begin.epoch) for name in names])


def line(db: sqlite3.Connection, table: str, epoch: str) -> list[LinePart]:
    """Return an epoch and those that it continues, the nearest first."""
    parts, until = dict[str, LinePart](), None
    query = "SELECT id, before, stands FROM epochs WHERE table_ = ? AND epoch = ?"
    while epoch not in parts:
        row = db.execute(query, (table, epoch)).fetchone() or (0, None, None)
        parts[epoch] = LinePart(epoch, row[0], until)
        if row[1] is None:
            break
        epoch, until = row[1], row[2] if until is None else min(until, row[2])
    return list(parts.values())


def epochs_from(db: sqlite3.Connection, table: str, epoch: str) -> list[str]:
    """Return an epoch and all that continue it, directly or through others, given up or not."""
    epochs = [epoch]
    for one in epochs:  # the list grows in this loop
        rows = db.execute("SELECT epoch FROM epochs WHERE table_ = ? AND before = ?", (table, one))
        epochs += [name for (name,) in rows if name not in epochs]
    return epochs


def next_epoch(db: sqlite3.Connection, table: str, epoch: str) -> NextEpoch | None:
    """Return the epoch that continues this one; None if none does.

    Of several epochs it is the one that began last, without those that were given up.
    """
    query = "SELECT epoch, stands FROM epochs WHERE table_ = ? AND before = ? AND epoch <> ?"
    candidates = [NextEpoch(*row) for row in db.execute(query, (table, epoch, epoch))]
    if candidates and not is_given_up(db, table, epoch):
        candidates = [one for one in candidates if not is_given_up(db, table, one.epoch)]
    return max(candidates, key=lambda one: (one.epoch[-WHEN:], one.epoch), default=None)


def last_epoch(db: sqlite3.Connection, table: str, epoch: str, seq: int) -> str:
    """Return the last epoch of the line in which a record counts; the record's own epoch if it is lost."""
    seen = {epoch}
    while (after := next_epoch(db, table, epoch)) is not None and seq <= after.stands and after.epoch not in seen:
        epoch = after.epoch
        seen.add(epoch)
    return epoch


def ends(db: sqlite3.Connection, table: str, epoch: str) -> int | None:
    """Return the last record of an epoch that counts. NONE: it was given up; None: all its records count."""
    if is_given_up(db, table, epoch):
        return NONE
    after = next_epoch(db, table, epoch)
    return None if after is None else after.stands


def is_lost(db: sqlite3.Connection, table: str, epoch: str, seq: int) -> bool:
    """True if this record does not count."""
    last = ends(db, table, epoch)
    return last is not None and seq > last


def lost_epochs(db: sqlite3.Connection, table: str) -> list[str]:
    """Epochs of a table that any of its epochs names as lost, given up or not."""
    rows = db.execute("SELECT DISTINCT epoch FROM given_up WHERE table_ = ?", (table,))
    return [epoch for (epoch,) in rows]


def is_given_up(db: sqlite3.Connection, table: str, epoch: str, seen: frozenset[str] = frozenset()) -> bool:
    """True if a valid epoch, which was not given up itself, names this one as lost and does not continue it.

    `seen`: epochs that are ignored: what they name as lost does not count.
    """
    seen |= {epoch}
    by_whom = db.execute("SELECT by_ FROM given_up WHERE table_ = ? AND epoch = ?", (table, epoch)).fetchall()
    return any(
        by not in seen
        and all(one.epoch != epoch for one in line(db, table, by))
        and not is_given_up(db, table, by, seen)
        for (by,) in by_whom
    )
