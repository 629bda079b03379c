"""What a table needs of its journal."""

from collections.abc import Sequence
from typing import Protocol

from ..core.records import Record
from ..core.state import State
from ..journal import Head


class Writable(Protocol):
    """What a table needs of its journal."""

    @property
    def head(self) -> Head:
        """The last record."""

    def append(self, records: Sequence[Record]) -> Head:
        """Make records durable. Raises JournalFailed."""

    def recover(self) -> State:
        """The state after the last record."""

    def tidy(self) -> bool:
        """Housekeeping, at a quiet moment. Whether the record goes on in a new file. Raises JournalFailed."""

    def watch(self) -> None:
        """See that it is still there, while nothing is written to it. Raises JournalFailed."""
