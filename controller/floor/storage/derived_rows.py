"""Rows of rounds and faults in the store, derived again whenever one of their events arrives.

A row belongs to the line of epochs in which its own record counts: the end of the round, or the fault. It is derived
from the events of that line, up to its last epoch.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec
import structlog
from msgspec.structs import astuple, replace

from ...core.bounds import MOST_NUMBER
from .rows import (
    ENDS,
    FAULTY,
    INTO,
    EarlierRulingRow,
    FaultRow,
    RoundRow,
    fault_rows,
    round_row,
    stakes_of,
    with_resettlement,
)
from .schema import OF_ROUND, events_of, id_of
from .table_epochs import epochs_from, is_given_up, is_lost, last_epoch, line, lost_epochs
from .table_events import TableEvent, epoch_begin

VERSION = 6  # of the derivation. 1 counted unread face-down cards. 2 counts differences of resettlements separately.
# 3 adds the stakes of each player. 4 follows a round into later epochs, and stores the faults of each round. 5 stores
# why a round was cancelled, so that a page can say it in its language. 6 stores all rulings on a fault.
COLUMNS = {  # columns that version 2 and later ones have added to `rounds`
    "adjusted": "INTEGER NOT NULL DEFAULT 0",
    "cancelled": "INTEGER NOT NULL DEFAULT 0",
    "revision": "INTEGER NOT NULL DEFAULT 0",
    "resettled": "TEXT NOT NULL DEFAULT ''",
    "why": "TEXT NOT NULL DEFAULT ''",
}
_CHANGED = (  # query for rounds with rows that an older version derived differently
    "SELECT table_, epoch, round FROM faults WHERE code = 'unread_card'"
    " UNION SELECT table_, epochs.epoch, round FROM events JOIN epochs ON id = events.epoch WHERE kind = 'resettled'"
)
_RULED_AGAIN = (  # query for rounds with several rulings
    "SELECT table_, epochs.epoch, round FROM events JOIN epochs ON id = events.epoch WHERE kind = 'ruled'"
    " GROUP BY 1, 2, 3 HAVING count(*) > 1"
)
_IN_EPOCHS = """WITH of AS (SELECT DISTINCT table_, e.id, e.epoch, round FROM epochs AS e
        JOIN events INDEXED BY events_by_round ON events.epoch = e.id
        WHERE table_ IN (SELECT table_ FROM epochs WHERE before IS NOT NULL)),
    ended AS (SELECT table_, before AS epoch, min(stands) AS until FROM epochs WHERE before IS NOT NULL GROUP BY 1, 2)
    SELECT table_, epoch, round FROM of WHERE (table_, round) IN
        (SELECT table_, round FROM of GROUP BY 1, 2 HAVING count(*) > 1)
    UNION SELECT table_, e.epoch, round FROM ended JOIN epochs AS e USING (table_, epoch)
        JOIN events ON events.epoch = e.id AND seq > until"""  # query for rounds in several epochs, or with lost events
_FAULTS = """INSERT OR IGNORE INTO round_faults SELECT f.table_, r.epoch, r.number, f.epoch, f.seq
    FROM faults AS f JOIN rounds AS r ON r.table_ = f.table_ AND r.number = f.round
    WHERE f.epoch = r.epoch OR (NOT f.lost AND NOT r.lost AND f.at BETWEEN r.opened AND r.ended)"""
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
    begun = [one for one in new if one.kind == "loss_accepted"]
    for one in begun:
        for of in _moved_rounds(db, one, frozenset(each.epoch for each in begun)):
            kinds.setdefault(of, set()).update(ENDS | FAULTY)
    _derive_all(db, kinds)
    for one in new:
        if one.kind == "resettled":
            _revise(db, one)


def derive_anew(db: sqlite3.Connection) -> None:
    """Derive all rows again after an upgrade that derives them differently.

    A round whose events were deleted keeps its row.
    """
    (version,) = db.execute("PRAGMA user_version").fetchone()
    changed = list[tuple[str, str, int]]()
    if version < VERSION:
        present = {name for _, name, *_ in db.execute("PRAGMA table_info(rounds)")}
        for name in COLUMNS.keys() - present:
            db.execute(f"ALTER TABLE rounds ADD COLUMN {name} {COLUMNS[name]}")
    if version < 2:
        db.execute("UPDATE rounds SET cancelled = how = 'cancelled' WHERE revision = 0")
        db.execute("CREATE INDEX IF NOT EXISTS rounds_void ON rounds (ended) WHERE cancelled")
        changed += db.execute(_CHANGED).fetchall()
    if version < VERSION:
        changed += [*db.execute(_IN_EPOCHS), *db.execute(_RULED_AGAIN)]
        changed += db.execute("SELECT table_, epoch, number FROM rounds WHERE revision > 0 OR cancelled").fetchall()
        db.execute(_STAKES)
        db.execute(_FAULTS)
        _derive_all(db, {_first_epoch_key(db, _Of(*of)): {"settled", "ruled"} for of in changed if of[2]})
        db.execute(f"PRAGMA user_version = {VERSION}")


def _moved_rounds(db: sqlite3.Connection, one: TableEvent, begun: frozenset[str]) -> set[_Of]:
    """Rounds whose events count in another line of epochs, or no longer, because an epoch began.

    `one`: first event of this epoch; `begun`: all epochs that began in the same batch of new events.
    """
    before = str(epoch_begin(one).before)
    epochs, is_late = {*epochs_from(db, one.table, before)} - {before}, len(epochs_from(db, one.table, one.epoch)) > 1
    epochs |= {
        epoch
        for epoch in lost_epochs(db, one.table)
        if is_late or is_given_up(db, one.table, epoch) != is_given_up(db, one.table, epoch, begun)
    }
    since = dict(db.execute(
        "SELECT before, min(stands) + 1 FROM epochs WHERE table_ = ? AND before IS NOT NULL GROUP BY before",
        (one.table,),
    ).fetchall()) | dict.fromkeys(epochs, 0)  # fmt: skip
    query = "SELECT DISTINCT round FROM events WHERE epoch = ? AND seq >= ?"
    return {
        _first_epoch_key(db, _Of(one.table, epoch, number))
        for epoch, seq in since.items()
        for (number,) in db.execute(query, (id_of(db, one.table, epoch), seq))
    }


def _first_epoch_key(db: sqlite3.Connection, of: _Of) -> _Of:
    """Key of a round in the first epoch of its line."""
    return of._replace(epoch=line(db, of.table, of.epoch)[-1].epoch)


def _derive_all(db: sqlite3.Connection, kinds: Mapping[_Of, set[str]]) -> None:
    """Derive the rows of these rounds in their epochs and all later ones. `kinds`: of the new events, by round."""
    lines: dict[_Of, set[str]] = {}
    for of, new_kinds in kinds.items():
        for epoch in epochs_from(db, of.table, of.epoch):
            for last in _last_epochs(db, of._replace(epoch=epoch)):
                lines.setdefault(of._replace(epoch=last), set()).update(new_kinds)
    for of, new_kinds in lines.items():
        _derive(db, of, new_kinds)


def _last_epochs(db: sqlite3.Connection, of: _Of) -> Iterator[str]:
    """Last epochs of the lines to which the events of a round in one epoch belong; lost events have their own."""
    yield last_epoch(db, of.table, of.epoch, 0)
    (seq,) = db.execute(f"SELECT max(seq) {OF_ROUND}", (id_of(db, of.table, of.epoch), of.number)).fetchone()
    yield last_epoch(db, of.table, of.epoch, seq or 0)


def _derive(db: sqlite3.Connection, of: _Of, new_kinds: set[str]) -> None:
    """Derive the rows that belong to the line that ends with an epoch."""
    ended = of.number and (new_kinds & ENDS or _has_ended(db, of))
    if not ended and not new_kinds & FAULTY:
        return
    events = events_of(db, *of)
    row, faults = round_row(events), fault_rows(events)
    for fault, earlier in faults.items() if row is not None or new_kinds & FAULTY else ():
        if last_epoch(db, of.table, fault.epoch, fault.seq) == of.epoch:
            _put(db, replace(fault, lost=is_lost(db, fault.table_, fault.epoch, fault.seq)))
            _put_earlier_rulings(db, fault, earlier)
    if row is None:
        return
    end = next(one for one in events if one.kind in ENDS)
    if last_epoch(db, of.table, end.epoch, end.seq) == of.epoch:
        _put(db, replace(row, lost=is_lost(db, end.table, end.epoch, end.seq)))
        _put_stakes(db, row, events)
        _put_faults(db, row, faults)
        for one in events:
            if one.kind == "resettled":
                _note_resettlement(db, one)


def _has_ended(db: sqlite3.Connection, of: _Of) -> bool:
    query = f"SELECT 1 {OF_ROUND} AND kind IN ('settled', 'cancelled')"
    parts = line(db, of.table, of.epoch)
    return any(db.execute(query, (part.id, of.number)).fetchone() is not None for part in parts)


def _revise(db: sqlite3.Connection, one: TableEvent) -> None:
    """Add a resettlement to the row of a round whose own events are forgotten."""
    columns = ", ".join(RoundRow.__struct_fields__)
    query = f"SELECT {columns} FROM rounds WHERE table_ = ? AND epoch = ? AND number = ? AND NOT lost"  # noqa: S608
    for part in line(db, one.table, one.epoch):
        values = db.execute(query, (one.table, part.epoch, one.round)).fetchone()
        if values is not None:
            break
    else:
        return
    if not is_lost(db, one.table, one.epoch, one.seq) and _note_resettlement(db, one):
        row = dict(zip(RoundRow.__struct_fields__, values, strict=True))
        _put(db, with_resettlement(msgspec.convert(row, RoundRow, strict=False), one))


def _note_resettlement(db: sqlite3.Connection, one: TableEvent) -> bool:
    """Note that the row of a round contains this resettlement. Returns False if that was noted before."""
    query = "INSERT OR IGNORE INTO resettled_records VALUES (?, ?, ?)"
    return db.execute(query, (one.table, one.epoch, one.seq)).rowcount > 0


def _put_stakes(db: sqlite3.Connection, row: RoundRow, events: Sequence[TableEvent]) -> None:
    """Insert the stakes of each player of a round."""
    of = row.table_, row.epoch, row.number
    rows = [(player, *of, stake) for player, stake in stakes_of(events) if stake <= MOST_NUMBER]
    db.executemany("INSERT OR IGNORE INTO stakes VALUES (?, ?, ?, ?, ?)", rows)


def _put_faults(db: sqlite3.Connection, row: RoundRow, faults: Iterable[FaultRow]) -> None:
    """Store which faults a round has; some may have been raised in an earlier epoch than the one it ended in."""
    of = row.table_, row.epoch, row.number
    db.execute("DELETE FROM round_faults WHERE (table_, epoch, number) = (?, ?, ?)", of)
    rows = [(*of, fault.epoch, fault.seq) for fault in faults]
    db.executemany("INSERT OR IGNORE INTO round_faults VALUES (?, ?, ?, ?, ?)", rows)


def _put_earlier_rulings(db: sqlite3.Connection, fault: FaultRow, rulings: Iterable[EarlierRulingRow]) -> None:
    """Store the rulings on a fault before the last one."""
    of = fault.table_, fault.epoch, fault.seq
    db.execute("DELETE FROM earlier_rulings WHERE (table_, epoch, seq) = (?, ?, ?)", of)
    for one in rulings:
        _put(db, one)


def _put(db: sqlite3.Connection, row: RoundRow | FaultRow | EarlierRulingRow) -> None:
    """Insert a row, or replace it. The columns are named as the struct's fields."""
    into, names = INTO[type(row)], row.__struct_fields__
    values = ", ".join("?" * len(names))
    query = f"INSERT OR REPLACE INTO {into} ({', '.join(names)}) VALUES ({values})"  # noqa: S608 - names of ours
    try:
        db.execute(query, astuple(row))
    except OverflowError:  # SQLite has no integers beyond 64 bits
        structlog.get_logger().warning("row_too_large", table=row.table_, epoch=row.epoch)
