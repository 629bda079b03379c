"""Report of a day or a shift over all tables: numbers, faults, rulings, cancelled rounds and money.

The figures are those of the tables' own reports, added up.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

from ..config.shifts import Period, ShiftsSection
from ..core.clock import SECOND, to_text
from ..reports.figures import Figures, Times
from ..reports.shift_report import Hour, Wait
from .counted import Counted, Row
from .numbers import Number, Numbers, numbers
from .rounds import FaultRow, RoundRow
from .store import Store

MOST = 500  # rows of a list


class Fault(Struct, frozen=True):
    """Figures of one fault code: how often, rounds cancelled, waiting times."""

    code: str
    count: int
    voids: int
    seen: Wait
    ruled: Wait
    paused: float  # seconds


class Ruling(NamedTuple):
    """Fault with a ruling. `live`: its round is not over, and the reason of the ruling could name a card."""

    fault: FaultRow
    live: bool


class Report(Struct, frozen=True):
    """Content of the report of one period."""

    period: Period
    whole: Number
    paused: float  # seconds
    training: int
    tables: Numbers
    dealers: Numbers
    hours: tuple[Hour, ...]
    faults: tuple[Fault, ...]
    money: Mapping[str, Counter[str]]  # by currency
    rulings: Sequence[Ruling]
    voids: Sequence[RoundRow]


def report(store: Store, counted: Counted, period: Period, minimum: int, shifts: ShiftsSection) -> Report:
    """Compose the report of a period from the stored figures. Raises FloorFailed."""
    rows = list(counted.rows(period.since, period.until))
    span = period.since, period.until
    figures = Figures()
    for row in rows:
        if row.key.by == "all":
            figures.join(row.kept)
    tables = numbers(counted, "table", span, minimum, shifts)
    said = to_text(period.since), to_text(period.until)
    return Report(
        period=period,
        whole=tables.whole,
        paused=figures.times["paused"].total / SECOND,
        training=figures.counts["training"],
        tables=tables,
        dealers=numbers(counted, "dealer", span, minimum, shifts),
        hours=tuple(_hours(rows, period)),
        faults=tuple(_faults(rows)),
        money=_money(store, said),
        rulings=_rulings(store, said),
        voids=_voids(store, said),
    )


def _hours(rows: Sequence[Row], period: Period) -> list[Hour]:
    by: dict[int, Figures] = {}
    for row in rows:
        if row.key.by == "all":
            by.setdefault(period.local(row.key.since).hour, Figures()).join(row.kept)
    return [_hour(hour, by.get(hour) or Figures()) for hour in period.hours()]


def _hour(hour: int, figures: Figures) -> Hour:
    counts = figures.counts
    return Hour(hour, counts["rounds"], figures.faults.total(), counts["read"], counts["unread"] + counts["corrected"])


def _faults(rows: Sequence[Row]) -> list[Fault]:
    """Figures per fault code, the most frequent first."""
    by: dict[str, Figures] = {}
    for row in rows:
        if row.key.by == "fault":
            by.setdefault(row.key.name, Figures()).join(row.kept)
    told = [
        Fault(
            code,
            figures.counts["count"],
            figures.counts["cancelled"],
            _wait(figures.times["acknowledged"]),
            _wait(figures.times["ruled"]),
            figures.times["paused"].total / SECOND,
        )
        for code, figures in by.items()
    ]
    return sorted((one for one in told if one.count), key=lambda one: (-one.count, one.code))


def _wait(times: Times) -> Wait:
    middle, most = (None if at is None else at / SECOND for at in (times.median, times.nine_of_ten))
    return Wait(times.count, middle, most, times.longest / SECOND if times.count else None)


def _money(store: Store, span: tuple[str, str]) -> Mapping[str, Counter[str]]:
    """Amounts by currency, of the rounds that were opened in the time span."""
    names = ("staked", "withdrawn", "returned", "refunded")
    sums = ", ".join(f"sum({name})" for name in names)
    query = (
        f"SELECT currency, {sums} FROM rounds WHERE opened >= ? AND opened < ?"  # noqa: S608 - names of ours
        " AND NOT training AND NOT lost GROUP BY currency ORDER BY currency"
    )
    with store.reading() as db:
        return {code: Counter(dict(zip(names, row, strict=True))) for code, *row in db.execute(query, span)}


def _rulings(store: Store, span: tuple[str, str]) -> list[Ruling]:
    """Rulings of the time span, the latest first, at most MOST."""
    columns = FaultRow.__struct_fields__
    over = "round = 0 OR EXISTS (SELECT 1 FROM rounds WHERE rounds.table_ = f.table_ AND rounds.number = f.round)"
    query = (
        f"SELECT {over}, {', '.join(columns)} FROM faults AS f WHERE ruled >= ? AND ruled < ?"  # noqa: S608 - of ours
        " AND at < ? AND NOT training AND NOT lost ORDER BY ruled DESC LIMIT ?"
    )
    with store.reading() as db:
        rows = db.execute(query, (*span, span[1], MOST)).fetchall()
    told = (dict(zip(columns, row, strict=True)) for _, *row in rows)
    faults = [msgspec.convert(one, FaultRow, strict=False) for one in told]
    return [Ruling(fault, not row[0]) for fault, row in zip(faults, rows, strict=True)]


def _voids(store: Store, span: tuple[str, str]) -> list[RoundRow]:
    columns = RoundRow.__struct_fields__
    query = (
        f"SELECT {', '.join(columns)} FROM rounds WHERE opened >= ? AND opened < ? AND how = 'cancelled'"  # noqa: S608 - ours
        " AND NOT training AND NOT lost ORDER BY opened DESC LIMIT ?"
    )
    with store.reading() as db:
        rows = db.execute(query, (*span, MOST)).fetchall()
    return [msgspec.convert(dict(zip(columns, row, strict=True)), RoundRow, strict=False) for row in rows]
