"""Records of a table from the floor's copy, in order and up to the first open gap.

Behind a gap nothing is read until the missing events have arrived or were given up.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, Protocol

import structlog

from ...core.encoding import BadRecord
from ...core.records import Record
from ...reports.event_records import record_of
from ...text.coded import render
from .store import Store

AT_ONCE = 4000  # events read at a time
_FIRST_GAP = (
    "SELECT min(holes.first) FROM holes JOIN epochs ON epochs.id = holes.epoch"
    " WHERE table_ = ? AND epochs.epoch = ? AND holes.last > ?"
)
_EVENTS = (
    "SELECT seq, body FROM events JOIN epochs ON epochs.id = events.epoch"
    " WHERE table_ = ? AND epochs.epoch = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ?"
)
EVER = 2**62


class Event(Protocol):
    """Stored event of a table."""

    @property
    def seq(self) -> int:
        """Sequence number of the event's record."""

    @property
    def body(self) -> bytes:
        """JSON of the event as received."""


class _Row(NamedTuple):
    seq: int
    body: bytes


def records_before_gap(store: Store, table: str, epoch: str, after: int, ends: int | None) -> tuple[int, list[Record]]:
    """Return the last number read, and the records behind `after` up to the first open gap.

    `ends`: last record that counts, None: no limit. At most AT_ONCE events. Raises FloorFailed.
    """
    with store.open_read_only() as db:
        db.execute("BEGIN")  # both queries see the same state
        (gap,) = db.execute(_FIRST_GAP, (table, epoch, after)).fetchone()
        until = min(EVER if gap is None else gap - 1, EVER if ends is None else ends)
        rows = [_Row(*row) for row in db.execute(_EVENTS, (table, epoch, after, until, AT_ONCE))]
    return (rows[-1].seq if rows else after), list(records(table, rows))


def records(table: str, events: Iterable[Event]) -> Iterator[Record]:
    """Yield the records in these events; events of another version are skipped with a warning."""
    for event in events:
        try:
            record = record_of(event.body)
        except BadRecord as error:  # of another version
            structlog.get_logger().warning("event_unread", table=table, seq=event.seq, reason=render(error.message))
            continue
        if record is not None:
            yield record
