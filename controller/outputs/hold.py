"""Hold on the table's fault alerts while a floor sends them instead.

Invariant: no alert is forgotten before its fault is over. When all floors fall silent, the table sends the alerts of
faults that are still open.
"""

import time
from collections.abc import Callable
from pathlib import Path

from ..core.records import Faulted, Record
from ..journal import archives, origin_of, reach, read, read_back
from .alert_text import ENDS, FAULTS, KINDS, pause

SILENT = 5.0  # seconds without a heartbeat after which a floor counts as silent


class Hold:
    """Time until which floors send the alerts. Thread-safe.

    After a start the hold lasts SILENT seconds, so that floors can be heard first.
    """

    def __init__(self, steady: Callable[[], float] = time.monotonic) -> None:
        self._steady = steady
        self._until = {"": steady() + SILENT}  # by floor: end of its hold, in monotonic seconds

    def take_heartbeat(self, floor: str, calls: bool) -> None:  # noqa: FBT001 - as the bus hears it
        """Handle a floor's heartbeat. `calls`: True if this floor sends the alerts."""
        until = self._steady() + SILENT if calls else 0.0
        self._until = {**self._until, floor: until}  # replaced, not changed: another thread reads it

    @property
    def seconds_left(self) -> float:
        """Seconds until the hold ends; 0 if no floor holds the alerts."""
        return max(0.0, max(self._until.values()) - self._steady())


def pause_before(journal: Path, seq: int) -> list[Record]:
    """Return the records of its pause before record `seq`, the latest first, also from an archive.

    Raises JournalError.
    """
    files = (journal, *reversed(archives(journal)))
    file = next((one for one in files if origin_of(one).seq < seq), journal)
    return pause(read_back(file, seq, KINDS))


def after_missing(journal: Path, after: int) -> int:
    """Return `after`, or the last record behind it that is in an archive not beside the journal.

    Raises JournalError.
    """
    return after if after >= origin_of(journal).seq else max(after, reach(journal))


def last_without_alert(journal: Path, after: int, until: int) -> int:
    """Return the last record that needs no alert any more, for a target that has all up to `after`.

    `until`: last record while floors sent the alerts. Alerts are skipped for faults that are over by now and began or
    ended up to there. Raises JournalError.
    """
    if until <= after:
        return after
    on = any(isinstance(one.what, Faulted) for one in pause_before(journal, after + 1))
    place, begun = after, 0
    for record in read(journal, after_missing(journal, after), FAULTS):
        news = record.seq > until and not begun
        if record.kind in ENDS:
            on, begun, place = False, 0, place if news else record.seq
        elif isinstance(record.what, Faulted) and not news:
            on, begun = True, record.seq
        if news:
            break
    if on:
        return max(place, begun - 1)
    return max(place, until)
