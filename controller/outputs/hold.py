"""Alerts of faults that a floor sends instead of the table, for as long as one is heard that calls.

The one rule: nothing is forgotten before it is over. What is open when the floors fall silent is told by the table.
"""

import time
from collections.abc import Callable
from pathlib import Path

from ..core.records import Faulted
from ..journal import read, read_back
from .alert_text import ENDS, FAULTS, KINDS, pause

SILENT = 5.0  # seconds without a word after which a floor does not call any more


class Hold:
    """Whether floors call. Heard in any thread. At a start they are given the time to be heard."""

    def __init__(self, steady: Callable[[], float] = time.monotonic) -> None:
        self._steady = steady
        self._until = {"": steady() + SILENT}  # by floor

    def heard(self, floor: str, calls: bool) -> None:  # noqa: FBT001 - as the bus hears it
        """A floor is there."""
        until = self._steady() + SILENT if calls else 0.0
        self._until = {**self._until, floor: until}  # not changed in place: another thread reads it

    @property
    def left(self) -> float:
        """Seconds for which it holds yet."""
        return max(0.0, max(self._until.values()) - self._steady())


def passed(journal: Path, after: int, until: int) -> int:
    """The record up to which nothing is to be told any more to who has all up to `after`, where floors called up to
    `until`: what is over by now, and begun or ended by then. Raises JournalError."""
    if until <= after:
        return after
    on = any(isinstance(one.what, Faulted) for one in pause(read_back(journal, after + 1, KINDS)))
    place, begun = after, 0
    for record in read(journal, after, FAULTS):
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
