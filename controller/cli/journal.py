"""`tablectl journal`: list, show and export a record; what is done to whole files is in `journal_files`."""

import csv
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from ..audit import Summary, summaries
from ..core.records import Cancelled, Checkpoint, Settled
from ..core.views import AUDIENCES, Audience, view
from ..journal import read
from ..script_export import as_script
from ..wording import sentence
from .journal_files import backup, replay, rotate, verify

FILE = click.argument("file", type=click.Path(path_type=Path))
AUDIENCE = click.option(
    "--audience",
    type=click.Choice(AUDIENCES),
    default="auditor",
    show_default=True,
    help="As these people were told it. The auditor, too, sees no hidden card of a round that is still on.",
)
AS_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")


@click.group
def journal() -> None:
    """The record of a table: list its rounds, show one, verify the chain, export, replay."""


@journal.command("list")
@FILE
@AS_JSON
def list_(file: Path, *, as_json: bool) -> None:
    """List the rounds in FILE."""
    for summary in summaries(read(file)):
        click.echo(msgspec.json.encode(summary) if as_json else _round_line(summary))


def _round_line(summary: Summary) -> str:
    faults = f"  faults: {', '.join(summary.faults)}" if summary.faults else ""
    return f"{summary.round:>6}  {summary.at[:19]}  {summary.game:<14} {summary.end:<10} {summary.told}{faults}"


@journal.command
@FILE
@click.argument("round_", metavar="[ROUND]", type=int, required=False)
@AUDIENCE
@AS_JSON
def show(file: Path, round_: int | None, audience: Audience, *, as_json: bool) -> None:
    """Show the records of FILE, or of one ROUND. Hidden cards of a round that is still on are withheld."""
    for event in _events(file, audience):
        if round_ is None or event.get("round") == round_:
            click.echo(msgspec.json.encode(event) if as_json else _event_line(event))


def _event_line(event: dict[str, Any]) -> str:
    return f"{event['seq']:>6}  {str(event.get('at', ''))[11:23]:<12}  {sentence(event)}"


def _events(file: Path, audience: Audience) -> Iterator[dict[str, Any]]:
    """Every record as the audience sees it; of a round that has not ended, the auditor sees what a manager does."""
    ended = _ended(file)
    for record in read(file):
        live = record.round is not None and record.round not in ended
        yield view(record, "manager" if live and audience == "auditor" else audience)


def _ended(file: Path) -> set[int]:
    """The rounds that are over. One that is opened while we read is not among them."""
    return {record.round or 0 for record in read(file) if isinstance(record.what, Settled | Cancelled | Checkpoint)}


@journal.command
@FILE
@click.option("--format", "form", type=click.Choice(["jsonl", "csv"]), default="jsonl", show_default=True)
@click.option("--round", "round_", type=int, help="One round only.")
@AUDIENCE
@click.option("--script", is_flag=True, help="As a script that makes `tablectl play` do the same again.")
def export(file: Path, form: str, round_: int | None, audience: Audience, *, script: bool) -> None:
    """Write the records of FILE to standard output, as JSON lines, CSV or a script."""
    if script:
        _write_script(file, round_)
        return
    events = (event for event in _events(file, audience) if round_ is None or event.get("round") == round_)
    if form == "csv":
        _write_csv(events)
    else:
        for event in events:
            click.echo(msgspec.json.encode(event))


def _write_script(file: Path, round_: int | None) -> None:
    """Up to the first round that is still on: its script would name its hidden cards."""
    ended = _ended(file)
    chosen = []
    for record in read(file):
        if record.round is not None and record.round not in ended:
            click.echo(f"tablectl: round {record.round} is still on: the script ends before it", err=True)
            break
        if record.round is None or round_ in (None, record.round):
            chosen.append(record)
    for line in as_script(chosen):
        click.echo(line)


_COLUMNS = ("seq", "at", "kind", "table", "round", "shoe", "dealer")


def _write_csv(events: Iterable[dict[str, Any]]) -> None:
    rows = csv.writer(sys.stdout)
    rows.writerow([*_COLUMNS, "fields"])
    for event in events:
        fields = {name: value for name, value in event.items() if name not in _COLUMNS}
        rows.writerow([*(event.get(name) for name in _COLUMNS), msgspec.json.encode(fields).decode()])


for command in (verify, replay, rotate, backup):
    journal.add_command(command)
