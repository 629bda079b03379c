"""Time that a table was open, and the rounds per hour of it.

Counted from record to record, training left out. A gap of over a month is no time: the clock was set.
"""

from msgspec import Struct

from ..core import records as r
from ..core.clock import DAY, SECOND, Time
from ..core.records import Record
from ..core.state import State

HOUR: Time = 3600 * SECOND
LONGEST: Time = 31 * DAY  # from one record to the next
LEAST: Time = HOUR // 10  # below this, rounds per hour say nothing


class OpenTime(Struct):
    """Account of one table, folded record by record. `at`: time of the last record."""

    open: bool = False
    at: Time = 0

    @classmethod
    def of(cls, state: State) -> "OpenTime":
        """Account for a table in this state."""
        return cls(state.open, state.at)

    def take(self, record: Record) -> tuple[Time, Time] | None:
        """Add a record; return the span of open time that it ends, or None if there is none."""
        since, was_open = self.at, self.open
        self.at = record.at
        if isinstance(record.what, r.TableOpened | r.TableClosed):
            self.open = isinstance(record.what, r.TableOpened)
        counts = was_open and not record.training and since < record.at <= since + LONGEST
        return (since, record.at) if counts else None


def rounds_per_hour(rounds: int, open_for: Time) -> float | None:
    """Rounds per hour that the table was open; None if that was too short to say."""
    return rounds / (open_for / HOUR) if open_for >= LEAST else None
