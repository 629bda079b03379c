"""Tables of the floor's event store, and the insertion of events and gaps into them."""

import sqlite3

from .table_epochs import last_epoch, line, note
from .table_events import TableEvent, epoch_begin

SCHEMA = """
CREATE TABLE IF NOT EXISTS places (
    id INTEGER PRIMARY KEY CHECK (id = 0), stream TEXT NOT NULL, cursor INTEGER NOT NULL) STRICT;
INSERT OR IGNORE INTO places VALUES (0, '', 0);
CREATE TABLE IF NOT EXISTS epochs (
    id INTEGER PRIMARY KEY, table_ TEXT NOT NULL, epoch TEXT NOT NULL, last INTEGER NOT NULL,
    before TEXT, stands INTEGER, UNIQUE (table_, epoch)) STRICT;
CREATE TABLE IF NOT EXISTS events (
    epoch INTEGER NOT NULL, seq INTEGER NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL, round INTEGER NOT NULL,
    body BLOB NOT NULL, PRIMARY KEY (epoch, seq)) STRICT, WITHOUT ROWID;
DROP INDEX IF EXISTS events_round;
CREATE INDEX IF NOT EXISTS events_by_round ON events (epoch, round);
CREATE TABLE IF NOT EXISTS holes (
    epoch INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    PRIMARY KEY (epoch, first)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS given_up (
    table_ TEXT NOT NULL, epoch TEXT NOT NULL, by_ TEXT NOT NULL, PRIMARY KEY (table_, epoch, by_)) STRICT,
    WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rounds (
    table_ TEXT NOT NULL, epoch TEXT NOT NULL, number INTEGER NOT NULL, round_id TEXT NOT NULL, game TEXT NOT NULL,
    dealer TEXT NOT NULL, dealer_id TEXT NOT NULL, opened TEXT NOT NULL, ended TEXT NOT NULL, how TEXT NOT NULL,
    outcome TEXT NOT NULL, because TEXT NOT NULL, currency TEXT NOT NULL, staked INTEGER NOT NULL,
    withdrawn INTEGER NOT NULL, returned INTEGER NOT NULL, refunded INTEGER NOT NULL, kept INTEGER NOT NULL,
    cards INTEGER NOT NULL, misreads INTEGER NOT NULL, faults INTEGER NOT NULL, manual INTEGER NOT NULL,
    disputed INTEGER NOT NULL, training INTEGER NOT NULL, lost INTEGER NOT NULL, adjusted INTEGER NOT NULL DEFAULT 0,
    cancelled INTEGER NOT NULL DEFAULT 0, revision INTEGER NOT NULL DEFAULT 0, resettled TEXT NOT NULL DEFAULT '',
    why TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (table_, epoch, number)) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS rounds_opened ON rounds (opened);
CREATE INDEX IF NOT EXISTS rounds_number ON rounds (number);
CREATE INDEX IF NOT EXISTS rounds_dealer ON rounds (dealer, opened);
CREATE INDEX IF NOT EXISTS rounds_dealer_id ON rounds (dealer_id, opened);
CREATE INDEX IF NOT EXISTS rounds_game ON rounds (game, opened);
CREATE INDEX IF NOT EXISTS rounds_cancelled ON rounds (opened) WHERE how = 'cancelled';
CREATE INDEX IF NOT EXISTS rounds_disputed ON rounds (opened) WHERE disputed;
CREATE INDEX IF NOT EXISTS rounds_round_id ON rounds (round_id);
CREATE TABLE IF NOT EXISTS stakes (
    player TEXT NOT NULL, table_ TEXT NOT NULL, epoch TEXT NOT NULL, number INTEGER NOT NULL, stake INTEGER NOT NULL,
    PRIMARY KEY (player, table_, epoch, number, stake)) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS stakes_round ON stakes (table_, epoch, number, stake);
CREATE TABLE IF NOT EXISTS faults (
    table_ TEXT NOT NULL, epoch TEXT NOT NULL, seq INTEGER NOT NULL, round INTEGER NOT NULL, code TEXT NOT NULL,
    at TEXT NOT NULL, device TEXT NOT NULL, report INTEGER NOT NULL, level INTEGER NOT NULL, acked TEXT, acked_by TEXT,
    ruled TEXT, ruled_by TEXT, ruling TEXT, because TEXT, second TEXT, over TEXT, training INTEGER NOT NULL,
    lost INTEGER NOT NULL, PRIMARY KEY (table_, epoch, seq)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS earlier_rulings (
    table_ TEXT NOT NULL, epoch TEXT NOT NULL, seq INTEGER NOT NULL, number INTEGER NOT NULL, ruled TEXT NOT NULL,
    ruled_by TEXT NOT NULL, ruling TEXT NOT NULL, because TEXT NOT NULL, second TEXT,
    PRIMARY KEY (table_, epoch, seq, number)) STRICT, WITHOUT ROWID;
DROP INDEX IF EXISTS faults_round;
CREATE INDEX IF NOT EXISTS faults_at ON faults (at);
CREATE TABLE IF NOT EXISTS round_faults (
    table_ TEXT NOT NULL, epoch TEXT NOT NULL, number INTEGER NOT NULL, raised TEXT NOT NULL, seq INTEGER NOT NULL,
    PRIMARY KEY (table_, epoch, number, raised, seq)) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS round_faults_raised ON round_faults (table_, raised, seq);
CREATE TABLE IF NOT EXISTS resettled_records (
    table_ TEXT NOT NULL, epoch TEXT NOT NULL, seq INTEGER NOT NULL, PRIMARY KEY (table_, epoch, seq)) STRICT,
    WITHOUT ROWID;
"""
OF_ROUND = "FROM events INDEXED BY events_by_round WHERE epoch = ? AND round = ?"  # without the index, SQLite scans all
EVENTS = "SELECT seq, at, kind, round, body FROM events WHERE epoch = ?"
_OLD = """SELECT max(seq) FROM (SELECT seq, at FROM events WHERE epoch = ? ORDER BY seq LIMIT 1000)
    WHERE at < ? AND at > ''"""

_FIRST_ROUND = """SELECT round FROM events WHERE epoch = ? AND round > 0
    AND kind NOT IN ('resettled', 'resettle_refused', 'case_dismissed') ORDER BY seq LIMIT 1"""
_FORGET_STAKES = """DELETE FROM stakes WHERE (table_, epoch) = (SELECT table_, epoch FROM epochs WHERE id = ?)
    AND number < ?"""


def id_of(db: sqlite3.Connection, table: str, epoch: str) -> int:
    """Return the database id of a table's epoch; 0 if the epoch is unknown."""
    row = db.execute("SELECT id FROM epochs WHERE table_ = ? AND epoch = ?", (table, epoch)).fetchone()
    return int(row[0]) if row else 0


def insert(db: sqlite3.Connection, one: TableEvent) -> bool:
    """Store an event, and any gap before it. Returns False if the event was stored already."""
    epoch = _follows(db, one)
    row = (epoch, one.seq, one.at, one.kind, one.round, one.body)
    if not db.execute("INSERT OR IGNORE INTO events VALUES (?, ?, ?, ?, ?, ?)", row).rowcount:
        return False
    _fill(db, epoch, one.seq)
    if one.kind == "loss_accepted" and (begin := epoch_begin(one)).epoch == one.epoch and isinstance(begin.before, str):
        db.execute("UPDATE epochs SET before = ?, stands = ? WHERE id = ?", (begin.before, one.seq - 1, epoch))
        note(db, one.table, begin)
        _store_gap_before(db, one.table, begin.before, one.seq)
        (after,) = db.execute("SELECT min(seq) FROM events WHERE epoch = ? AND seq > ?", (epoch, one.seq)).fetchone()
        _store_gap(db, epoch, one.seq, after or 0)
    return True


def _follows(db: sqlite3.Connection, one: TableEvent) -> int:
    """Return the database id of an event's epoch, extended to this event; store gaps on the way.

    For a new table, events before this one are no gap. For a new epoch whose beginning is not known yet, the events
    after the last one of the epoch before count as its gap until the beginning arrives.
    """
    row = db.execute("SELECT id, last FROM epochs WHERE table_ = ? AND epoch = ?", (one.table, one.epoch)).fetchone()
    if row is not None:
        epoch, last = row
        db.execute("UPDATE epochs SET last = max(last, ?) WHERE id = ?", (one.seq, epoch))
        _store_gap(db, epoch, last, one.seq)
        return int(epoch)
    newest = db.execute(
        "SELECT id, last FROM epochs WHERE table_ = ? ORDER BY id DESC LIMIT 1", (one.table,)
    ).fetchone()
    if newest is not None and one.kind != "loss_accepted":
        _store_gap(db, newest[0], newest[1], one.seq)
    new = db.execute("INSERT INTO epochs (table_, epoch, last) VALUES (?, ?, ?)", (one.table, one.epoch, one.seq))
    return int(new.lastrowid or 0)


def _store_gap(db: sqlite3.Connection, epoch: int, last: int, seq: int) -> None:
    """Store a gap if sequence numbers between `last` and `seq` are missing."""
    if seq > last + 1:
        db.execute("INSERT OR IGNORE INTO holes VALUES (?, ?, ?)", (epoch, last + 1, seq - 1))


def _store_gap_before(db: sqlite3.Connection, table: str, before: str, seq: int) -> None:
    """Store the gap between the last known event of epoch `before` and record `seq`, which begins the next epoch."""
    row = db.execute("SELECT id, last FROM epochs WHERE table_ = ? AND epoch = ?", (table, before)).fetchone()
    if row is not None:
        _store_gap(db, row[0], row[1], seq)


def give_up(db: sqlite3.Connection, epoch: int, first: int, last: int) -> None:
    """Stop requesting the events from `first` to `last`: remove them from the stored gap."""
    db.execute("DELETE FROM holes WHERE epoch = ? AND first BETWEEN ? AND ? AND last <= ?", (epoch, first, last, last))
    db.execute("UPDATE holes SET first = ? WHERE epoch = ? AND first BETWEEN ? AND ?", (last + 1, epoch, first, last))


def _fill(db: sqlite3.Connection, epoch: int, seq: int) -> None:
    """Remove one event from the stored gap that contains it; the gap may split in two."""
    gap = db.execute(
        "SELECT first, last FROM holes WHERE epoch = ? AND first <= ? ORDER BY first DESC LIMIT 1", (epoch, seq)
    ).fetchone()
    if gap is None or gap[1] < seq:
        return
    first, last = gap
    db.execute("DELETE FROM holes WHERE epoch = ? AND first = ?", (epoch, first))
    left = [(epoch, *part) for part in ((first, seq - 1), (seq + 1, last)) if part[0] <= part[1]]
    db.executemany("INSERT INTO holes VALUES (?, ?, ?)", left)


def events_of(db: sqlite3.Connection, table: str, epoch: str, number: int) -> list[TableEvent]:
    """Return the events of a round in the line that ends with an epoch, in order, without lost ones."""
    round_events = list[TableEvent]()
    for part in reversed(line(db, table, epoch)):
        rows = db.execute(f"SELECT seq, at, kind, round, body {OF_ROUND} ORDER BY seq", (part.id, number))
        events = (TableEvent(table, part.epoch, *row) for row in rows)
        round_events += [one for one in events if part.until is None or one.seq <= part.until]
    return round_events


def events_of_round(db: sqlite3.Connection, table: str, epoch: str, number: int) -> list[TableEvent]:
    """Return the events of a round that ended or was played in an epoch, in order, with those of later epochs."""
    query = f"SELECT seq {OF_ROUND} ORDER BY kind NOT IN ('settled', 'cancelled'), seq LIMIT 1"
    row = db.execute(query, (id_of(db, table, epoch), number)).fetchone()
    return events_of(db, table, last_epoch(db, table, epoch, row[0] if row else 0), number)


def forget(db: sqlite3.Connection, epoch: int, last: int, before: str) -> int:
    """Delete up to 1000 of an epoch's oldest events from before a time; return how many.

    Never the epoch's last event. `before`: ISO 8601.
    """
    (until,) = db.execute(_OLD, (epoch, before)).fetchone()
    if until is None:
        return 0
    gone = db.execute("DELETE FROM events WHERE epoch = ? AND seq <= ?", (epoch, min(until, last - 1))).rowcount
    first = db.execute(_FIRST_ROUND, (epoch,)).fetchone()
    if first is not None:  # the stored names of players are deleted together with the events of their rounds
        db.execute(_FORGET_STAKES, (epoch, first[0]))
    return gone
