"""Report of a day or a shift of one table: the figures of `journal stats`, open points, actions of people.

The figures are counted by the same code, from the records of the period only. Where the clock was set back, they are in
several places of the journal. Open points come from the state after the last record of the period.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, tzinfo
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..accounts.open_time import OpenTime
from ..config.shifts import Period, day_of, shift_at
from ..core.clock import DAY, SECOND, Time
from ..core.coded_message import coded
from ..core.events import NoAnchor
from ..core.fold import state_before
from ..core.records import Cancelled, Record, Settled
from ..core.state import Case, State
from ..journal import head_of, read
from ..text.coded import CodedError
from .counting import Counting
from .figures import Times
from .selection import moment
from .shift_log import ShiftLog
from .shift_records import Use, records_of, state_at
from .statistics import Statistics, name_of

Row = dict[str, Any]
MINUTE = 60 * SECOND


class NothingRecorded(CodedError):
    """Error: the journal has no records in the period of a report."""


class Hour(Struct, frozen=True):
    """Counts of one hour of the clock."""

    hour: int
    rounds: int = 0
    faults: int = 0
    read: int = 0
    wrong: int = 0  # cards that the reader could not read, or read as another


class WaitStatistics(Struct, frozen=True):
    """Statistics of people's reaction times, in seconds; None if there was nothing to react to."""

    count: int
    median: float | None
    nine_of_ten: float | None
    longest: float | None


class ShiftOpenPoints(Struct, frozen=True):
    """Open points that the next shift takes over."""

    fault: str | None  # code of the open fault
    live: int | None  # number of the live round
    lost: tuple[str, ...]  # devices that are not connected
    anchor: NoAnchor  # loss of the record's anchor; empty: it is not lost
    doubts: tuple[str, ...]  # checks of the record that found a defect
    deck: str | None  # id of a deck that may not be whole
    closed: bool  # True: the table is closed
    cases: tuple[Case, ...]  # open cases, also from earlier shifts


class ShiftReport(Struct, frozen=True):
    """Complete report of a period. `at`, `seq`: time and number of its last record."""

    period: Period
    table: str
    game: str
    seq: int
    at: Time
    open_for: Time  # time for which the table was open, without training
    rows: tuple[Row, ...]  # rows of `journal stats`
    waits: Mapping[
        str, Mapping[str, WaitStatistics]
    ]  # times until a fault was acknowledged and ruled on: of all faults (""), and by code
    hours: tuple[Hour, ...]
    money: Mapping[str, Counter[str]]  # by currency
    log: ShiftLog
    open: ShiftOpenPoints
    live: int | None  # number of the round that was live at the end of the period and has not ended since

    def rows_of(self, by: str) -> list[Row]:
        """Rows of one kind, such as `dealer` or `fault`."""
        return [row for row in self.rows if row["by"] == by]

    @property
    def whole_row(self) -> Row:
        """Row with the figures of the whole period."""
        return self.rows_of("all")[0]


def period_of(journal: Path, minutes: Sequence[int], zone: tzinfo, shift: str | None, day: str | None) -> Period:
    """Period of this day, or of the shift at this time, else of the shift of the last record.

    Raises ValueError, JournalError.
    """
    try:
        if day is not None:
            return day_of(date.fromisoformat(day), zone)
        return shift_at(moment(shift, zone) if shift else last_record_time(journal), minutes, zone)
    except OverflowError as far:
        raise ValueError(day or shift) from far


def report(journal: Path, period: Period) -> ShiftReport:
    """Compute the report of a period from the record. Raises NothingRecorded, JournalError."""
    collector = _ReportCollector(period)
    for use, record in records_of(journal, period):
        collector.take(use, record)
    if collector.last is None:
        raise NothingRecorded(coded("nothing_recorded", said=str(period)))
    return collector.report(collector.last, state_at(journal, collector.last.seq))


def last_record_time(journal: Path) -> Time:
    """Time of the last record, 0 if there is none. Raises JournalError."""
    last = head_of(journal).seq
    return next((record.at for record in read(journal, max(0, last - 1))), 0)


class _ReportCollector:
    """Collector of the records for the report of one period. `last`: last record in the period."""

    def __init__(self, period: Period) -> None:
        self.last: Record | None = None
        self._ended = 0  # number of the last round that ended, also after the period
        self._period, self._log = period, ShiftLog()
        span = period.since, period.until
        self._all = Statistics((), period.zone, span)
        self._by_hour = Statistics(range(0, DAY // MINUTE, 60), period.zone, span)
        self._counting = Counting(self._all, self._by_hour)
        self._open = OpenTime()
        self._open_for: Time = 0

    def take(self, use: Use, record: Record) -> None:
        """Add one more record to the report."""
        if use == "begins":
            self._counting.resume(record)
            self._open = OpenTime.of(state_before(record))
        if use != "behind":
            self._counting.take(record)
        if use != "between":
            self._count_open(record)
        if isinstance(record.what, Settled | Cancelled):
            self._ended = record.round or 0
        if self._period.since <= record.at < self._period.until and use in ("begins", "near"):
            self.last = record
            self._log.take(record)

    def _count_open(self, record: Record) -> None:
        """Add the open time that a record ends, also one from after the period."""
        span = self._open.take(record)
        if span is not None:
            since, until = self._period.since, self._period.until
            self._open_for += max(0, min(span[1], until) - max(span[0], since))

    def report(self, last: Record, state: State) -> ShiftReport:
        """Make the report from the records added so far. `state`: of the table after the last one in the period."""
        rows = tuple(self._all.report())
        codes = ("", *(row["name"] for row in rows if row["by"] == "fault"))
        return ShiftReport(
            period=self._period,
            table=last.table,
            game=state.game,
            seq=last.seq,
            at=last.at,
            open_for=self._open_for,
            rows=rows,
            waits={code: self._waits(code) for code in codes},
            hours=tuple(self._hours()),
            money={
                name_of(group): one.counts
                for group, one in self._all.figures_by_group.items()
                if group[0] == "currency"
            },
            log=self._log,
            open=_open(state),
            live=state.round.number if state.live and state.round.number > self._ended else None,
        )

    def _waits(self, code: str) -> Mapping[str, WaitStatistics]:
        times = self._all.figures_of(("fault", code) if code else ("all", "")).times
        return {name: wait_of(times[name]) for name in ("acknowledged", "ruled")}

    def _hours(self) -> Iterator[Hour]:
        rows = {row["name"][:2]: row for row in self._by_hour.report() if row["by"] == "shift"}
        for hour in self._period.hours():
            row = rows.get(f"{hour:02}")
            yield Hour(hour, *(() if row is None else _hour_figures(row)))


def _hour_figures(row: Row) -> tuple[int, int, int, int]:
    return row["rounds"], sum(row["faults"].values()), row["read"], row["unread"] + row["corrected"]


def wait_of(times: Times) -> WaitStatistics:
    """Waiting times as a report shows them, in seconds."""
    if times.median is None or times.nine_of_ten is None:
        return WaitStatistics(0, None, None, None)
    return WaitStatistics(times.count, times.median / SECOND, times.nine_of_ten / SECOND, times.longest / SECOND)


def _open(state: State) -> ShiftOpenPoints:
    return ShiftOpenPoints(
        fault=None if state.fault is None else state.fault.code,
        live=state.round.number if state.live else None,
        lost=tuple(sorted(state.lost)),
        anchor=state.no_anchor,
        doubts=tuple(sorted(state.doubts)),
        deck=(state.shoe.id or "?") if state.shoe.suspect else None,
        closed=not state.open,
        cases=state.cases,
    )
