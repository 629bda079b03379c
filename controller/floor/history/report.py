"""Report of a day or a shift over all tables: numbers, faults, rulings, cancelled rounds and money.

The figures are those of the tables' own reports, added up.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

from ...config.shifts import Period, ShiftsSection
from ...core.clock import SECOND, to_text
from ...reports.figures import Figures
from ...reports.shift_report import Hour, WaitStatistics, wait_of
from ..storage.rows import EarlierRulingRow, FaultRow, RoundRow
from ..storage.store import Store
from .figure_file import FigureFile, FigureRow
from .numbers import Number, Numbers, numbers

MOST = 500  # rows of a list, at most


class FaultFigures(Struct, frozen=True):
    """Figures of one fault code: how often, rounds cancelled, waiting times."""

    code: str
    count: int
    voids: int
    seen: WaitStatistics
    ruled: WaitStatistics
    paused: float  # seconds


class RuledFault(NamedTuple):
    """Fault with a ruling. `live`: its round is not over, and the reason of the ruling could name a card."""

    fault: FaultRow
    live: bool


class PeriodReport(Struct, frozen=True):
    """Content of the report of one period."""

    period: Period
    whole: Number
    paused: float  # seconds
    training: int
    tables: Numbers
    dealers: Numbers
    hours: tuple[Hour, ...]
    faults: tuple[FaultFigures, ...]
    cancelled: int  # rounds cancelled in this time
    money: Mapping[str, Counter[str]]  # by currency
    rulings: Sequence[RuledFault]
    voids: Sequence[RoundRow]


def report(store: Store, counted: FigureFile, period: Period, minimum: int, shifts: ShiftsSection) -> PeriodReport:
    """Compose the report of a period from the stored figures. Raises FloorFailed."""
    rows = list(counted.rows(period.since, period.until))
    span = period.since, period.until
    figures = _figures_by_name(rows, "all").get("") or Figures()
    tables = numbers(counted, "table", span, minimum, shifts)
    bounds = to_text(period.since), to_text(period.until)
    return PeriodReport(
        period=period,
        whole=tables.whole,
        paused=figures.times["paused"].total / SECOND,
        training=figures.counts["training"],
        tables=tables,
        dealers=numbers(counted, "dealer", span, minimum, shifts),
        hours=tuple(_hours(rows, period)),
        faults=tuple(_faults(rows)),
        cancelled=figures.counts["cancelled"],
        money={code: one.counts for code, one in sorted(_figures_by_name(rows, "currency").items())},
        rulings=_rulings(store, bounds),
        voids=voids(store, bounds),
    )


def _hours(rows: Sequence[FigureRow], period: Period) -> list[Hour]:
    by: dict[int, Figures] = {}
    for row in rows:
        if row.key.by == "all":
            by.setdefault(period.local(row.key.since).hour, Figures()).join(row.kept)
    return [_hour(hour, by.get(hour) or Figures()) for hour in period.hours()]


def _hour(hour: int, figures: Figures) -> Hour:
    counts = figures.counts
    return Hour(hour, counts["rounds"], figures.faults.total(), counts["read"], figures.misreads)


def _faults(rows: Sequence[FigureRow]) -> list[FaultFigures]:
    """Figures per fault code, the most frequent first."""
    faults = [
        FaultFigures(
            code,
            figures.faults.total(),
            figures.counts["cancelled"],
            wait_of(figures.times["acknowledged"]),
            wait_of(figures.times["ruled"]),
            figures.times["paused"].total / SECOND,
        )
        for code, figures in _figures_by_name(rows, "fault").items()
    ]
    return sorted((one for one in faults if one.count), key=lambda one: (-one.count, one.code))


def _figures_by_name(rows: Sequence[FigureRow], by: str) -> dict[str, Figures]:
    """Figures of one kind of group, by name."""
    figures: dict[str, Figures] = {}
    for row in rows:
        if row.key.by == by:
            figures.setdefault(row.key.name, Figures()).join(row.kept)
    return figures


_OVER = """round = 0 OR EXISTS (SELECT 1 FROM round_faults AS o
    JOIN rounds AS r ON (r.table_, r.epoch, r.number) = (o.table_, o.epoch, o.number)
    WHERE (o.table_, o.raised, o.seq) = (f.table_, f.epoch, f.seq) AND NOT r.lost)"""


_RULED = (
    f"SELECT {_OVER}, {{columns}} FROM {{source}} WHERE {{of}}.ruled >= ?1 AND {{of}}.ruled < ?2"  # noqa: S608 - of ours
    " AND f.at < ?2 AND NOT f.training AND NOT f.lost"
)


def _rulings(store: Store, span: tuple[str, str]) -> list[RuledFault]:
    """Rulings of the time span, the latest first, at most MOST."""
    columns = FaultRow.__struct_fields__
    of_earlier = (f"l.{name}" if name in EarlierRulingRow.__struct_fields__ else name for name in columns)
    earlier = "earlier_rulings AS l JOIN faults AS f USING (table_, epoch, seq)"
    query = (
        f"{_RULED.format(columns=', '.join(columns), source='faults AS f', of='f')} UNION ALL"
        f" {_RULED.format(columns=', '.join(of_earlier), source=earlier, of='l')} ORDER BY ruled DESC LIMIT ?3"
    )
    with store.open_read_only() as db:
        rows = db.execute(query, (*span, MOST)).fetchall()
    fields = (dict(zip(columns, row, strict=True)) for _, *row in rows)
    faults = [msgspec.convert(one, FaultRow, strict=False) for one in fields]
    return [RuledFault(fault, not row[0]) for fault, row in zip(faults, rows, strict=True)]


def voids(store: Store, span: tuple[str, str]) -> list[RoundRow]:
    """Rounds cancelled in the time span (ISO texts), the latest first, at most MOST. Raises FloorFailed."""
    columns = RoundRow.__struct_fields__
    query = (
        f"SELECT {', '.join(columns)} FROM rounds WHERE ended >= ? AND ended < ? AND cancelled"  # noqa: S608 - ours
        " AND NOT training AND NOT lost ORDER BY ended DESC LIMIT ?"
    )
    with store.open_read_only() as db:
        rows = db.execute(query, (*span, MOST)).fetchall()
    return [msgspec.convert(dict(zip(columns, row, strict=True)), RoundRow, strict=False) for row in rows]
