"""`tablectl journal stats`: count and print the figures of one or several records."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ..accounts.figures import AMOUNTS, DURATIONS
from ..journal import read
from ..reports.counting import Counting
from ..reports.one_currency import OneCurrency
from ..reports.statistics import Statistics
from ..text.money import money
from ..web.screens.report_words import span
from .file_order import begin_in_order
from .reading import (
    AS_CSV,
    AS_JSON,
    FILES,
    SHIFTS,
    SINCE,
    UNTIL,
    ZONE,
    check_one_form,
    say_if_none,
    write_csv,
    write_json,
    zone_of,
)

Row = dict[str, Any]

_PLAY = (
    "rounds", "training", "settled", "manual", "cancelled", "disputed", "resettled", "cards", "faults", "paused",
    "acknowledged", "ruled",
)  # fmt: skip
_MONEY = ("staked", "withdrawn", "refunds", "refunded", "pay_outs", "paid_out", "adjusted", "revised", "above_ceilings")
_BLOCKS: Sequence[tuple[tuple[str, ...], tuple[str, ...]]] = (  # kinds of groups, and their figures, of each table
    (("all", "table", "dealer", "shift"), _PLAY),
    (("all", "table", "dealer", "shift"), _MONEY),
    (("manager",), ("acknowledged", "ruled", "refused_rulings", "rulings")),
    (("device",), ("read", "unread", "corrected", "misread_rate", "lost", "away", "faults")),
    (("fault",), ("count", "cancelled", "paused", "acknowledged", "ruled", "rulings")),
)


@click.command
@FILES
@SHIFTS
@SINCE
@UNTIL
@ZONE
@AS_JSON
@AS_CSV
@click.pass_context
def stats(
    ctx: click.Context,
    files: tuple[Path, ...],
    shifts: tuple[int, ...] | None,
    since: int | None,
    until: int | None,
    *,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Count rounds, faults and times in the journals, by table, dealer, shift, manager, device and fault.
    Times are in seconds.

    Name several journals of one table in their order.
    """
    check_one_form(as_json=as_json, as_csv=as_csv)
    begin_in_order(files)
    statistics = Statistics(shifts or (), zone_of(ctx), (since, until))
    counting, currency = Counting(statistics), OneCurrency()
    for file in files:
        for record in currency.check(read(file)):
            counting.take(record)
    rows = list(say_if_none(statistics.report(currency.code) if counting.records else (), "no record matches"))
    if as_json:
        write_json(rows)
    elif as_csv:
        flat = [dict(_flat("", row)) for row in rows]
        write_csv(list(dict.fromkeys(name for row in flat for name in row)), flat)
    else:
        _write_blocks(rows)


def _flat(prefix: str, row: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield every figure of a row under a flat name, such as `faults.extra_card`."""
    for name, value in row.items():
        if isinstance(value, dict):
            yield from _flat(f"{prefix}{name}.", value)
        else:
            yield prefix + name, value


def _write_blocks(rows: Sequence[Row]) -> None:
    """Print the figures as one table per group; groups without figures are left out."""
    one_table = sum(row["by"] == "table" for row in rows) == 1
    for whose, names in _BLOCKS:
        shown = [row for row in rows if row["by"] in whose and not (one_table and row["by"] == "table")]
        if shown:
            titles = ["", *(name.replace("_", " ") for name in names)]
            _write_table([titles, *([_describe_owner(row), *(_figure(row, name) for name in names)] for row in shown)])


def _describe_owner(row: Row) -> str:
    return f"{row['by']} {row['name']}".rstrip()


def _figure(row: Row, name: str) -> str:
    value = row[name]
    if name == "misread_rate":
        return "-" if value is None else f"{1000 * value:.2f} of 1,000"
    if name in AMOUNTS:
        return money(value, row["currency"])
    if name in DURATIONS:
        return _times(value, total=name in ("paused", "away"))
    if isinstance(value, dict):
        return ", ".join(f"{key} {count}" for key, count in value.items()) or "-"
    return str(value)


def _times(times: Row, *, total: bool) -> str:
    """Count, total, median and longest of some durations, in words."""
    if not times["count"]:
        return "-"
    text = f"median {span(times['median'])}, longest {span(times['longest'])}"
    return f"{times['count']}x, {span(times['total'])} in all, {text}" if total else text


def _write_table(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        click.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    click.echo()
