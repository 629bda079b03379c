"""Interface of the journal that a table writes its records to."""

from collections.abc import Sequence
from typing import Protocol

from ..core.records import Record
from ..core.state import State
from ..journal import Head


class Writable(Protocol):
    """Interface of the journal that a table writes its records to."""

    @property
    def head(self) -> Head:
        """Last record of the journal."""

    def append(self, records: Sequence[Record]) -> Head:
        """Make records durable. Raises JournalFailed."""

    def recover(self) -> State:
        """Return the state after the last record. Raises Damaged, JournalFailed."""

    def tidy(self) -> bool:
        """Do housekeeping at a quiet moment; return True if the journal continues in a new file.

        Raises JournalFailed.
        """

    def watch(self) -> None:
        """Check that the journal's file is still there while nothing is written. Raises JournalFailed."""
