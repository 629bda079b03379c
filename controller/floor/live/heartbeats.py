"""Heartbeats of tables, compared with their statuses to decide whether a table is heard.

A table is heard if its status has reached the record position in its heartbeat, or has lagged behind for at
most `LATE`.

Invariant: old data is not shown as if it were present. Heartbeats need no store on the bus. While the store accepts
nothing, as with two of three servers down, heartbeats alone would make a floor look alive that receives no call.
"""

import msgspec
from msgspec import Struct

from ...bus.status import Status
from ...core.clock import SECOND, Time

LATE = 2 * SECOND  # longest time by which a status may arrive after its beat


class Beat(Struct, frozen=True):
    """Position of a table's record: its epoch and its last sequence number."""

    epoch: str
    seq: int


def beat_in(body: bytes) -> Beat | None:
    """Decode a beat from a message body; None if it is none."""
    try:
        return msgspec.json.decode(body, type=Beat)
    except msgspec.MsgspecError:
        return None


class Beats:
    """Comparison of beats with statuses, for all tables."""

    def __init__(self) -> None:
        self._behind: dict[str, tuple[Status, Time]] = {}  # by table: the outdated status, and the time since it lags

    def is_heard(self, table: str, beat: Beat, last_status: Status | None, now: Time) -> bool:
        """True if this beat shows that the table is heard; notes since when it lags. `last_status` None: not known."""
        if last_status is None or (beat.epoch == last_status.epoch and beat.seq <= last_status.seq):
            self._behind.pop(table, None)
            return True
        status, since = self._behind.get(table, (last_status, now))
        if status is not last_status:
            since = now
        self._behind[table] = last_status, since
        return now - since <= LATE
