"""`tablectl report`: write the report of a day or a shift, two pages of A4, as HTML."""

from pathlib import Path

import click

from ..config.mistakes import BadConfig
from ..config.paths import home_of
from ..config.shifts import ShiftsSection
from ..config.table_file import load
from ..reports import shift_report
from ..text.errors import SQLITE, quote, system_message
from ..text.faults import LANGUAGES
from ..web.screens.report_page import page
from .arguments import PATH, OneOf
from .file_order import warn_of_later_corrections, warn_of_missing_archive
from .output_file import begin_of, check_replaceable
from .reading import HOURS, ZONE, zone_of

PAGE = b"<!doctype html>"  # first bytes of a report
NOW = ""


@click.command
@click.argument("source", metavar="CONFIG|JOURNAL", type=PATH)
@click.option(
    "--shift",
    metavar="[TIME]",
    is_flag=False,
    flag_value=NOW,
    help="The shift that includes this time; by default that of the last record.",
)
@click.option("--day", metavar="DATE", help="This day, from midnight to midnight.")
@click.option(
    "--begin",
    metavar="HOURS",
    callback=HOURS,
    help="Times at which shifts begin, such as 06:00,14:00,22:00; by default those of CONFIG.",
)
@ZONE
@click.option("--lang", type=OneOf("a language", LANGUAGES), default="en", help="The language: en or ro.")
@click.option("-o", "--output", type=PATH, metavar="FILE", help="Write to this file instead of standard output.")
@click.pass_context
def report(
    ctx: click.Context,
    source: Path,
    shift: str | None,
    day: str | None,
    begin: tuple[int, ...] | None,
    lang: str,
    output: Path | None,
) -> None:
    """Report a shift or a day of a table as one HTML page, which prints to two pages of A4.

    CONFIG names the journal and, under [shifts], the times at which shifts begin and their time zone. The figures are
    those of `journal stats` for the same time.
    """
    if (shift is None) == (day is None):
        raise click.UsageError("expected either --shift or --day")
    journal, shifts = _source(source)
    try:
        period = shift_report.period_of(journal, begin or shifts.minutes, zone_of(ctx, shifts.time_zone), shift, day)
    except ValueError:
        form = "a time such as 2026-01-31T14:00" if day is None else "a date such as 2026-01-31"
        raise click.UsageError(f"expected {form}, got {quote((shift if day is None else day) or '')}") from None
    warn_of_missing_archive(journal, period.since)
    warn_of_later_corrections(journal)
    _write(page(shift_report.report(journal, period), lang), output)


def _source(source: Path) -> tuple[Path, ShiftsSection]:
    """Path of the journal, and the section on its shifts. Raises BadConfig."""
    if _is_journal(source):
        return source, ShiftsSection()
    settings = load(source)
    if settings.journal.path is None:
        raise BadConfig(f'{source}: journal.path: no file given; write one, such as path = "table1.journal"')
    return home_of(source) / settings.journal.path, settings.shifts


def _is_journal(source: Path) -> bool:
    try:
        return begin_of(source, len(SQLITE)) == SQLITE
    except OSError as error:
        raise click.UsageError(f"{source}: {system_message(error)}") from None


def _write(content: str, output: Path | None) -> None:
    if output is None:
        click.echo(content, nl=False)
        return
    try:
        check_replaceable(output, PAGE, "report")
        output.write_text(content, encoding="utf-8")
    except OSError as error:
        raise click.UsageError(f"{output}: {system_message(error)}") from None
