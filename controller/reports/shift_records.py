"""Read the records of a journal that the report of a period needs.

If the clock was set back, the period is in several places of the journal. Each is read from the checkpoint before it.
"""

from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Literal, TypeAlias

from ..accounts.open_time import HOUR
from ..config.shifts import Period
from ..core.bounds import MOST_RESETTLE_HOURS
from ..core.clock import DAY, Time
from ..core.fold import fold, state_before
from ..core.records import Opened, Record
from ..core.state import State
from ..journal import reach, read, read_backwards, stretches_within

LATEST: Time = MOST_RESETTLE_HOURS * HOUR + DAY  # time after a period that is searched for resettlements of its rounds
AROUND: Time = DAY  # time that is read before and after a period, for pauses and waits across its ends
Use: TypeAlias = Literal["begins", "near", "behind", "between"]


def records_of(journal: Path, period: Period) -> Iterator[tuple[Use, Record]]:
    """Yield records in order, each with its use. Raises JournalError.

    `near`: in the period or near it; `begins`: the first of these after skipped records; `behind`: the record after
    them; `between`: a resettlement or a step of the clock elsewhere.
    """
    seq: int | None = None
    for stretch in stretches_within(journal, period.since - AROUND, period.until + AROUND):
        start = _start(journal, stretch.first)
        if seq is not None:
            start = max(seq, start)
            yield from _records_between(journal, seq, start)
        yield from _records_near(journal, start, stretch.last, begins=start != seq)
        seq = stretch.last
    for stretch in stretches_within(journal, None, period.until + LATEST, after=seq or 0):
        yield from _records_between(journal, stretch.first - 1, stretch.last)


def state_at(journal: Path, seq: int) -> State:
    """State of the table right after this record. Raises JournalError."""
    records = [*takewhile(lambda record: record.seq <= seq, read(journal, _start(journal, seq + 1)))]
    return fold(state_before(records[0]), records)


def _start(journal: Path, first: int) -> int:
    """Return the record after which reading starts: just before the last checkpoint before `first`, else the begin."""
    checkpoint = next(read_backwards(journal, first, ("checkpoint",)), None)
    return reach(journal) if checkpoint is None else checkpoint.seq - 1


def _records_near(journal: Path, after: int, last: int, *, begins: bool) -> Iterator[tuple[Use, Record]]:
    for record in read(journal, after):
        if record.seq > last:
            yield "behind", record
            return
        yield "begins" if begins else "near", record
        begins = False


def _records_between(journal: Path, after: int, last: int) -> Iterator[tuple[Use, Record]]:
    """Yield resettlements and clock steps up to `last`. Records `opened` are read too, to stop soon after `last`."""
    for record in read(journal, after, ("opened", "resettled", "clock_set")):
        if record.seq > last:
            return
        if not isinstance(record.what, Opened):
            yield "between", record
