"""`tablectl journal events`: list the significant events of a record, and who is responsible for each."""

from collections.abc import Iterable
from pathlib import Path

import click
import msgspec

from ..reports.selection import Rounds, records_for
from ..reports.significant_events import Significant, significant
from .reading import (
    AS_CSV,
    AS_JSON,
    FILE,
    FILTERS,
    begin_with,
    check_one_form,
    make_selection,
    make_view,
    say_if_none,
    write_csv,
    write_json,
)


@click.command
@FILE
@FILTERS
@AS_JSON
@AS_CSV
def events(
    file: Path,
    rounds: Rounds | None,
    dealer: str | None,
    fault: str | int | None,
    since: int | None,
    until: int | None,
    *,
    as_json: bool,
    as_csv: bool,
) -> None:
    """List the significant events in FILE: faults, rulings, voids, outages, changes, with person and reason."""
    check_one_form(as_json=as_json, as_csv=as_csv)
    selection = make_selection(rounds, dealer, fault, since, until)
    begin_with(file, rounds)
    pairs = significant(records_for(file, rounds), make_view(file, "auditor"))
    chosen = selection.select(pairs, lambda pair: pair[0])
    matches = say_if_none((event for _, event in chosen), "no significant event matches")
    if as_json:
        write_json(matches)
    elif as_csv:
        write_csv(Significant.__struct_fields__, map(msgspec.to_builtins, matches))
    else:
        _write_lines(matches)


def _write_lines(matches: Iterable[Significant]) -> None:
    for event in matches:
        fault = "" if event.fault is None else f"#{event.fault}"
        by_another = event.authoriser and event.authoriser != event.actor
        who = (event.actor or "") + (f" / {event.authoriser}" if by_another else "")
        what = f"{event.what}  training" if event.training else event.what
        click.echo(f"{event.seq:>7}  {event.at[:19]}  {event.round or '-':>6}  {fault:<8} {who:<24} {what}")
