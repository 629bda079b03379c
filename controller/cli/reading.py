"""Shared parts of the commands that read a journal: their arguments, and the view of each audience.

Hidden cards of a live round are withheld from every audience: of that round, the auditor sees what a manager sees.
"""

import csv
import re
import secrets
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, tzinfo
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from ..config.shifts import minutes_of, zone_named
from ..core import records as r
from ..core.fault_catalogue import CATALOGUE
from ..core.viewers import Viewers
from ..core.views import AUDIENCES, Audience, view
from ..games import GAMES
from ..journal import head_of, read, read_back
from ..reports.selection import Rounds, Selection, moment
from ..text.csv_cells import as_data
from ..text.errors import did_you_mean, quote
from .arguments import PATH, OneOf, options
from .file_order import warn_of_earlier_records, warn_of_later_corrections

_T = TypeVar("_T")


def _make_parser(
    parse: Callable[[str], _T], expected: str
) -> Callable[[click.Context, click.Parameter, str | None], _T | None]:
    """Make a callback that parses an argument, or refuses it."""

    def read_argument(_: click.Context, __: click.Parameter, value: str | None) -> _T | None:
        try:
            return None if value is None else parse(value)
        except (ValueError, OverflowError):
            raise click.BadParameter(f"expected {expected}, got {quote(value)}") from None

    return read_argument


def _fault(_: click.Context, __: click.Parameter, value: str | None) -> str | int | None:
    """Read the code or the number of a fault."""
    if value is None or value in CATALOGUE:
        return value
    if re.fullmatch("[0-9]+", value):
        return int(value)
    meant = did_you_mean(value, CATALOGUE)
    raise click.UsageError(f"no such fault {quote(value)}{meant}; `tablectl faults` lists all")


_OF_ROUNDS = ("opened", "settled", "cancelled", "checkpoint")


def _zone(ctx: click.Context, _: click.Parameter, value: str | None) -> tzinfo | None:
    """Read the time zone and store it for `zone_of`: all times on the command line are read in this zone."""
    try:
        zone = None if value is None else zone_named(value)
    except ValueError:
        raise click.BadParameter(f"expected a time zone such as Europe/Bucharest, got {quote(value)}") from None
    ctx.meta[__name__] = zone
    return zone


def zone_of(ctx: click.Context, otherwise: tzinfo = UTC) -> tzinfo:
    """Time zone named on the command line, else the default."""
    zone: tzinfo | None = ctx.meta.get(__name__)
    return otherwise if zone is None else zone


def _moment(ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    read_argument = _make_parser(
        partial(moment, zone=zone_of(ctx)), "a date or a time such as 2026-01-31 or 2026-01-31T14:00"
    )
    return read_argument(ctx, param, value)


def _refuse_duplicates(_: click.Context, __: click.Parameter, files: tuple[Path, ...]) -> tuple[Path, ...]:
    """Refuse a file that is named twice, also by a link: its records would count twice."""
    for place, file in enumerate(files):
        for other in files[:place]:
            if file == other:
                raise click.UsageError(f"{file}: named twice; name each file once")
            if _is_same(file, other):
                raise click.UsageError(f"{file}: the same file as {other}; name each file once")
    return files


def _is_same(file: Path, other: Path) -> bool:
    try:
        return file.samefile(other)
    except OSError:
        return False  # the command itself then reports the error


FILE = click.argument("file", type=PATH)
FILES = click.argument("files", metavar="FILE...", type=PATH, nargs=-1, required=True, callback=_refuse_duplicates)
AUDIENCE = click.option(
    "--audience",
    type=OneOf("an audience", AUDIENCES),
    default="auditor",
    show_default=True,
    help="Show what this audience can see. Not even the auditor sees hidden cards of a live round.",
)
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
AS_CSV = click.option("--csv", "as_csv", is_flag=True, help="Print CSV, for a spreadsheet.")
ROUNDS = click.option(
    "--round",
    "rounds",
    metavar="N or N..M",
    callback=_make_parser(Rounds.parse, "a number such as 12, or 10..20, 10.., ..20"),
    help="One round, or all rounds of a range.",
)
DEALER = click.option("--dealer", metavar="NAME", help="Records made while this dealer was at the table.")
FAULT = click.option(
    "--fault",
    metavar="CODE or SEQ",
    callback=_fault,
    help="The rounds in which this fault occurred.",
)
SINCE = click.option(
    "--since",
    metavar="TIME",
    callback=_moment,
    help="From this time on: ISO 8601, in UTC unless TIME or --zone says otherwise.",
)
UNTIL = click.option(
    "--until", metavar="TIME", callback=_moment, help="Before this time; a date means 00:00 of that day."
)
ZONE = click.option(
    "--zone",
    metavar="NAME",
    callback=_zone,
    is_eager=True,  # parsed before the times that are read in this zone
    expose_value=False,
    help="Time zone of days and shifts, such as Europe/Bucharest, with summer time; by default UTC.",
)
FILTERS = options(ROUNDS, DEALER, FAULT, SINCE, UNTIL, ZONE)
HOURS = _make_parser(minutes_of, "hours such as 06:00,14:00,22:00")
SHIFTS = click.option(
    "--shift",
    "shifts",
    metavar="HOURS",
    callback=HOURS,
    help="Times at which shifts begin, such as 06:00,14:00,22:00 (UTC, or --zone).",
)


def make_view(file: Path, audience: Audience) -> Callable[[r.Record], dict[str, Any]]:
    """Make a function that converts a journal's records into the events of this audience."""
    ended, viewers = last_ended_round(file), _viewers(file)

    def tell(record: r.Record) -> dict[str, Any]:
        live = record.round is not None and record.round > ended
        return view(record, "manager" if live and audience == "auditor" else audience, viewers, over=not live)

    return tell


def _viewers(file: Path) -> Viewers:
    """Pseudonyms of players for viewers of a journal, different at each run of the command."""
    latest = next(iter(read_back(file, head_of(file).seq + 1, ("configured",))), None)
    game = GAMES.get(latest.what.game) if latest and isinstance(latest.what, r.Configured) else None
    return Viewers(secrets.token_bytes(32), () if game is None else game.seats)


def last_ended_round(file: Path) -> int:
    """Number of the last round that is over, or 0; a round opened during reading counts as live."""
    for record in read_back(file, head_of(file).seq + 1, _OF_ROUNDS):
        return (record.round or 0) - isinstance(record.what, r.Opened)
    return 0


def begin_with(file: Path, rounds: Rounds | None = None, *, corrected: bool = False) -> None:
    """Print on standard error if the record began before this file, or may go on behind it.

    `corrected`: the command reads the corrections in later files, if they are there. Raises ClickException if the
    rounds are missing.
    """
    warn_of_earlier_records(file)
    warn_of_later_corrections(file, rounds, corrected=corrected)
    if rounds is None:
        return
    first = next((record.round for record in read(file, kinds=("opened",))), None)
    last = next((record.round for record in read_back(file, head_of(file).seq + 1, _OF_ROUNDS) if record.round), None)
    own = None if first is None else Rounds(first, last)
    if (own and own.overlaps(rounds)) or any(record.round in rounds for record in read(file)):
        return
    if own is None:
        raise click.ClickException(f"{file}: no round {rounds}: the file has no rounds yet")
    raise click.ClickException(f"{file}: no round {rounds}, it has {own}")


def check_one_form(*, as_json: bool, as_csv: bool) -> None:
    """Raise UsageError if both --json and --csv are given."""
    if as_json and as_csv:
        raise click.UsageError("expected --json or --csv, got both")


def make_selection(
    rounds: Rounds | None, dealer: str | None, fault: str | int | None, since: int | None, until: int | None
) -> Selection:
    """Make a selection from the filters. Raises UsageError if the time ends before it begins."""
    if since is not None and until is not None and since >= until:
        raise click.UsageError("--until: expected a time after that of --since")
    return Selection(rounds, dealer, fault, since, until)


def say_if_none(items: Iterable[_T], nothing: str) -> Iterator[_T]:
    """Yield the items; if there are none, print this text on standard error."""
    none = True
    for item in items:
        none = False
        yield item
    if none:
        click.echo(f"tablectl: {nothing}", err=True)


def write_json(rows: Iterable[Any]) -> None:
    """Write one JSON object a line to standard output."""
    out = sys.stdout.buffer  # `click.echo` would flush after each line
    for row in rows:
        out.write(msgspec.json.encode(row) + b"\n")
    out.flush()


def write_csv(columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> None:
    """Write the rows as CSV to standard output; nested values are written as JSON, and no text is a formula."""
    table = csv.writer(sys.stdout)
    table.writerow(columns)
    for row in rows:
        table.writerow([_cell(row.get(name)) for name in columns])


def _cell(value: object) -> object:
    return msgspec.json.encode(value).decode() if isinstance(value, dict | list | tuple) else as_data(value)
