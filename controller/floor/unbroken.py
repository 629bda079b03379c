"""A table's records from the floor's copy, in their order and without a gap: what is still to come is waited for."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

import structlog

from ..core.encoding import BadRecord
from ..core.records import Record
from ..reports.told import record_of
from .store import Store

AT_ONCE = 4000  # records
_HOLE = (
    "SELECT min(holes.first) FROM holes JOIN epochs ON epochs.id = holes.epoch"
    " WHERE table_ = ? AND epochs.epoch = ? AND holes.last > ?"
)
_EVENTS = (
    "SELECT seq, body FROM events JOIN epochs ON epochs.id = events.epoch"
    " WHERE table_ = ? AND epochs.epoch = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?"
)
EVER = 2**62


class Event(Protocol):
    """As it is kept."""

    @property
    def seq(self) -> int:
        """Of its record."""

    @property
    def body(self) -> bytes:
        """As it came."""


class _Row(NamedTuple):
    seq: int
    body: bytes


def unbroken(store: Store, table: str, epoch: str, after: int, ends: int | None) -> tuple[int, list[Record]]:
    """Those behind a record, up to what is missing and not given up, or to that end; and as far as that is. Raises
    FloorFailed."""
    with store.reading() as db:
        db.execute("BEGIN")  # both are of the same time
        (hole,) = db.execute(_HOLE, (table, epoch, after)).fetchone()
        until = min(EVER if hole is None else hole - 1, EVER if ends is None else ends)
        rows = [_Row(*row) for row in db.execute(_EVENTS, (table, epoch, after, until, AT_ONCE))]
    return (rows[-1].seq if rows else after), list(records(table, rows))


def records(table: str, events: Iterable[Event]) -> Iterator[Record]:
    """Those that were told in these events."""
    for event in events:
        try:
            record = record_of(event.body)
        except BadRecord as error:  # of another version
            structlog.get_logger().warning("event_unread", table=table, seq=event.seq, reason=str(error))
            continue
        if record is not None:
            yield record
