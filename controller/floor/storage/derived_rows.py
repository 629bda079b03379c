"""Rows of rounds and faults in the store, derived again whenever one of their events arrives."""

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

import structlog
from msgspec.structs import astuple, replace

from ...core.bounds import MOST_NUMBER
from .lost_epochs import is_given_up, named
from .rows import ENDS, FAULTY, FaultRow, RoundRow, fault_rows, round_row, stakes_of
from .schema import OF_ROUND, events_of, id_of
from .table_events import TableEvent, began

VERSION = 3  # of the derivation. 1 counted unread face-down cards. 2 counts differences of resettlements separately.
# 3 adds the stakes of each player.
COLUMNS = {  # columns that version 2 has added to `rounds`
    "adjusted": "INTEGER NOT NULL DEFAULT 0",
    "cancelled": "INTEGER NOT NULL DEFAULT 0",
    "revision": "INTEGER NOT NULL DEFAULT 0",
    "resettled": "TEXT NOT NULL DEFAULT ''",
}
_CHANGED = (  # query for rounds with rows that an older version derived differently
    "SELECT table_, epoch, round FROM faults WHERE code = 'unread_card'"
    " UNION SELECT table_, epochs.epoch, round FROM events JOIN epochs ON id = events.epoch WHERE kind = 'resettled'"
)


_STAKES = """INSERT OR IGNORE INTO stakes
    SELECT said ->> '$.player', table_, epoch, number, said ->> '$.stake' FROM (
        SELECT CAST(body AS TEXT) AS said, rounds.table_, rounds.epoch, rounds.number FROM events
        JOIN epochs ON epochs.id = events.epoch
        JOIN rounds ON (rounds.table_, rounds.epoch, rounds.number) = (epochs.table_, epochs.epoch, events.round)
        WHERE kind IN ('bet_accepted', 'decided'))
    WHERE said ->> '$.player' IS NOT NULL AND said ->> '$.stake' IS NOT NULL"""


class _Of(NamedTuple):
    """Key of a round, within one epoch."""

    table: str
    epoch: str
    number: int


def derive(db: sqlite3.Connection, new: Sequence[TableEvent]) -> None:
    """Derive again all rows of rounds and faults that depend on new events.

    `new`: events that were stored just before.
    """
    kinds: dict[_Of, set[str]] = {}
    for one in new:
        kinds.setdefault(_Of(one.table, one.epoch, one.round), set()).add(one.kind)
    for one in new:
        if one.kind == "loss_accepted":
            for number in _lost(db, one):
                kinds.setdefault(number, set()).update(ENDS | FAULTY)
    for of, came in list(kinds.items()):
        for later in _later(db, of):
            kinds.setdefault(later, set()).update(came)
    for of, came in kinds.items():
        _derive(db, of, came)


def derive_anew(db: sqlite3.Connection) -> None:
    """Derive all rows again after an upgrade that derives them differently.

    A round whose events were deleted keeps its row.
    """
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version < 2:
        present = {name for _, name, *_ in db.execute("PRAGMA table_info(rounds)")}
        for name in COLUMNS.keys() - present:
            db.execute(f"ALTER TABLE rounds ADD COLUMN {name} {COLUMNS[name]}")
        db.execute("UPDATE rounds SET cancelled = how = 'cancelled' WHERE revision = 0")
        db.execute("CREATE INDEX IF NOT EXISTS rounds_void ON rounds (ended) WHERE cancelled")
        for of in db.execute(_CHANGED).fetchall():
            _derive(db, _Of(*of), {"settled"})
    if version < VERSION:
        db.execute(_STAKES)
        db.execute(f"PRAGMA user_version = {VERSION}")


def _lost(db: sqlite3.Connection, one: TableEvent) -> list[_Of]:
    """Rounds with lost events in the epoch before, and rounds of epochs that may be given up."""
    before = str(began(one).before)
    found, query = list[_Of](), "SELECT DISTINCT round FROM events WHERE epoch = ? AND seq >= ?"
    for epoch, since in [(before, one.seq), *((epoch, 0) for epoch in named(db, one.table))]:
        rows = db.execute(query, (id_of(db, one.table, epoch), since))
        found += [_Of(one.table, epoch, number) for (number,) in rows]
    return found


def _later(db: sqlite3.Connection, of: _Of) -> list[_Of]:
    """Keys of a round in the later epochs that continue this one, the nearest first."""
    found, epoch = list[_Of](), of.epoch
    query = "SELECT epoch FROM epochs WHERE table_ = ? AND before = ?"
    while (row := db.execute(query, (of.table, epoch)).fetchone()) is not None:
        epoch = row[0]
        if any(epoch == one.epoch for one in (of, *found)):
            break
        found.append(of._replace(epoch=epoch))
    return found


def _derive(db: sqlite3.Connection, of: _Of, came: set[str]) -> None:
    ended = of.number and (came & ENDS or _has_ended(db, of))
    if not ended and not came & FAULTY:
        return
    events = events_of(db, *of)
    row = round_row(events) if ended else None
    if row is not None:
        end = next(one for one in events if one.kind in ENDS)
        _put(db, replace(row, lost=_is_lost(db, end.table, end.epoch, end.seq)))
        _put_stakes(db, row, events)
    for fault in fault_rows(events):
        _put(db, replace(fault, lost=_is_lost(db, fault.table_, fault.epoch, fault.seq)))


def _has_ended(db: sqlite3.Connection, of: _Of) -> bool:
    query = f"SELECT 1 {OF_ROUND} AND kind IN ('settled', 'cancelled')"
    return db.execute(query, (id_of(db, of.table, of.epoch), of.number)).fetchone() is not None


def _is_lost(db: sqlite3.Connection, table: str, epoch: str, seq: int) -> bool:
    """True if a later epoch continues from a record before this one, or has given its epoch up."""
    query = "SELECT min(stands) FROM epochs WHERE table_ = ? AND before = ?"
    (stands,) = db.execute(query, (table, epoch)).fetchone()
    return (stands is not None and seq > stands) or is_given_up(db, table, epoch)


def _put_stakes(db: sqlite3.Connection, row: RoundRow, events: Sequence[TableEvent]) -> None:
    """Insert the stakes of each player of a round."""
    of = row.table_, row.epoch, row.number
    rows = [(player, *of, stake) for player, stake in stakes_of(events) if stake <= MOST_NUMBER]
    db.executemany("INSERT OR IGNORE INTO stakes VALUES (?, ?, ?, ?, ?)", rows)


def _put(db: sqlite3.Connection, row: RoundRow | FaultRow) -> None:
    """Insert a row, or replace it. The columns are named as the struct's fields."""
    into, names = "rounds" if isinstance(row, RoundRow) else "faults", row.__struct_fields__
    values = ", ".join("?" * len(names))
    query = f"INSERT OR REPLACE INTO {into} ({', '.join(names)}) VALUES ({values})"  # noqa: S608 - names of ours
    try:
        db.execute(query, astuple(row))
    except OverflowError:  # SQLite has no integers beyond 64 bits
        structlog.get_logger().warning("row_too_large", table=row.table_, epoch=row.epoch)
