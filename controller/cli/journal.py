"""`tablectl journal`: list and show a record.

Commands for whole files are in `journal_files`; exports and evaluations in `export`, `events` and `stats`.
"""

from pathlib import Path
from typing import Any

import click
import msgspec

from ..core.views import Audience
from ..journal import read
from ..reports.selection import Rounds
from ..reports.summaries import Summary, summaries
from ..text.records import sentence
from .arguments import WHOLE
from .corrections import latest_revisions
from .groups import LazyGroup
from .reading import AS_JSON, AUDIENCE, FILE, begin_with, make_view

COMMANDS = {  # command name: its module in controller.cli, imported when the command is called
    "accept-loss": "accept_loss",
    "anchor": "begin_anchor",
    "backup": "journal_files",
    "events": "events",
    "export": "export",
    "replay": "journal_files",
    "rotate": "journal_files",
    "ship": "ship",
    "stats": "stats",
    "verify": "journal_files",
}


@click.group(cls=LazyGroup, modules=COMMANDS)
def journal() -> None:
    """Work with the record of a table: list its rounds, show one, verify the chain, export, replay, report."""


@journal.command("list")
@FILE
@AS_JSON
def list_(file: Path, *, as_json: bool) -> None:
    """List the rounds in FILE."""
    begin_with(file, corrected=True)
    for summary in summaries(read(file), latest_revisions(file)):
        click.echo(msgspec.json.encode(summary) if as_json else _round_line(summary))


def _round_line(summary: Summary) -> str:
    faults = f"  faults: {', '.join(summary.faults)}" if summary.faults else ""
    anew = f"  revision {summary.revision} of {summary.resettled_at[:19]}" if summary.resettled_at else ""
    told = f"{summary.told}{'  training' if summary.training else ''}{faults}{anew}"
    return f"{summary.round:>6}  {summary.at[:19]}  {summary.game:<14} {summary.end:<10} {told}"


@journal.command
@FILE
@click.argument("round_", metavar="[ROUND]", type=WHOLE, required=False)
@AUDIENCE
@AS_JSON
def show(file: Path, round_: int | None, audience: Audience, *, as_json: bool) -> None:
    """Show the records of FILE, or of one ROUND. Hidden cards of a live round are withheld."""
    begin_with(file, None if round_ is None else Rounds(round_, round_))
    tell = make_view(file, audience)
    for record in read(file):
        if round_ is None or record.round == round_:
            event = tell(record)
            click.echo(msgspec.json.encode(event) if as_json else _event_line(event))


def _event_line(event: dict[str, Any]) -> str:
    return f"{event['seq']:>6}  {str(event.get('at', ''))[11:23]:<12}  {sentence(event)}"
