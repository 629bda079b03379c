"""`tablectl journal export`: the record in other forms."""

from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from ..core.views import Audience
from ..reports.selection import Rounds, Selection, records_for
from ..script.export import Script, ScriptEnds
from ..text.errors import system_message
from .arguments import PATH, OneOf
from .output_file import remove_on_failure
from .reading import (
    AUDIENCE,
    FILE,
    FILTERS,
    begin_with,
    last_ended_round,
    make_selection,
    make_view,
    say_if_none,
    write_csv,
    write_json,
)
from .tables import write_tables

_COLUMNS = ("seq", "at", "kind", "table", "round", "shoe", "dealer")


@click.command
@FILE
@click.option("--format", "form", type=OneOf("a format", ("jsonl", "csv")), default="jsonl", show_default=True)
@FILTERS
@AUDIENCE
@click.option("--script", is_flag=True, help="Write the rounds as a script with which `tablectl play` repeats them.")
@click.option("--config", type=PATH, help="With --script: write the table's config to this new file.")
@click.option("--tables", type=PATH, metavar="DIR", help="Write all ended rounds as CSV files with their schema.")
def export(
    file: Path,
    form: str,
    rounds: Rounds | None,
    dealer: str | None,
    fault: str | int | None,
    since: int | None,
    until: int | None,
    audience: Audience,
    config: Path | None,
    tables: Path | None,
    *,
    script: bool,
) -> None:
    """Write the records of FILE to standard output, as JSON lines, CSV or a script.
    With several filters, a record must match all of them.
    """
    selection = make_selection(rounds, dealer, fault, since, until)
    _check_form(script=script, tables=tables is not None, config=config is not None)
    begin_with(file, rounds, corrected=tables is not None)
    if tables:
        _check_whole(selection)
        write_tables(file, tables)
    elif script:
        if selection != Selection(rounds):
            raise click.UsageError("--script: writes whole rounds; of the filters, use only --round")
        _write_script(file, rounds or Rounds(), config)
    else:
        _write_events(file, selection, audience, form)


def _check_form(*, script: bool, tables: bool, config: bool) -> None:
    """Refuse options that the form of the export would leave unused. Raises UsageError."""
    if config and not script:
        raise click.UsageError("--config: expected --script beside it")
    if script and tables:
        raise click.UsageError("expected --script or --tables, got both")
    source_of = click.get_current_context().get_parameter_source
    for name, option in (("form", "--format"), ("audience", "--audience")):
        if (script or tables) and source_of(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"{option}: expected neither --script nor --tables beside it")


def _check_whole(selection: Selection) -> None:
    if selection != Selection():
        raise click.UsageError("--tables: writes the whole record; leave the filters out")


def _write_events(file: Path, selection: Selection, audience: Audience, form: str) -> None:
    tell = make_view(file, audience)
    events = say_if_none(
        map(tell, selection.select(records_for(file, selection.rounds), lambda record: record)), "no record matches"
    )
    if form == "csv":
        write_csv([*_COLUMNS, "fields"], _rows(events))
    else:
        write_json(events)


def _rows(events: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield rows with a column for each field that all kinds have, and one column `fields` for the others."""
    for event in events:
        yield {**event, "fields": {name: value for name, value in event.items() if name not in _COLUMNS}}


def _write_script(file: Path, rounds: Rounds, config: Path | None) -> None:
    """Write the script up to the first round that it cannot contain."""
    with ExitStack() as stack:
        try:
            script = Script(records_for(file, rounds), rounds, last_ended_round(file))
            if config:
                _write_config(config, script.config, stack)
            for line in script.lines():
                click.echo(line)
        except ScriptEnds as end:
            click.echo(f"tablectl: {end}", err=True)


def _write_config(path: Path, text: str, stack: ExitStack) -> None:
    """Write the config to a new file; the stack removes it if the script fails. Raises UsageError."""
    try:
        file = path.open("x", encoding="utf-8")
        stack.enter_context(remove_on_failure(path))
        with file:
            file.write(text)
    except FileExistsError:
        raise click.UsageError(f"{path} exists already: name a new file") from None
    except OSError as error:
        raise click.UsageError(f"{path}: {system_message(error)}") from None
