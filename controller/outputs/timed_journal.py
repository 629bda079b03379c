"""Measurement of the time until records are durable.

`TimedJournal` has the interface of a journal, so the table needs no change.
"""

import time
from collections.abc import Sequence

from prometheus_client import Histogram

from ..core.records import Record
from ..core.state import State
from ..journal import Head
from ..table.writable import Writable
from ..text.metric_helps import help_of

BUCKETS = (*(step * 10.0**power for power in range(-5, 0) for step in (1, 2, 5)), 1.0, 2.0, 5.0)  # 10 µs to 5 s


class TimedJournal:
    """Journal wrapper that measures each append."""

    def __init__(self, journal: Writable, table: str) -> None:
        says = help_of("journal_append_seconds")
        self.histogram = Histogram("tablectl_journal_append_seconds", says, ["table"], registry=None, buckets=BUCKETS)
        self._journal, self._observe = journal, self.histogram.labels(table).observe

    @property
    def head(self) -> Head:
        """Last record of the journal."""
        return self._journal.head

    def append(self, records: Sequence[Record]) -> Head:
        """Make records durable. Raises JournalFailed."""
        began = time.perf_counter()
        try:
            return self._journal.append(records)
        finally:
            self._observe(time.perf_counter() - began)

    def recover(self) -> State:
        """Return the state after the last record. Raises Damaged, JournalFailed."""
        return self._journal.recover()

    def tidy(self) -> bool:
        """Do housekeeping; return True if the journal continues in a new file. Raises JournalFailed."""
        return self._journal.tidy()

    def watch(self) -> None:
        """Check that the journal's file is still there. Raises JournalFailed."""
        self._journal.watch()
