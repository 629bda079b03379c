"""`tablectl journal accept-loss`: going on with what stands of a record, when some of it is lost.

It is an act of a person, and on record: who, why, what was lost. Nothing that stands is touched.
"""

from contextlib import closing
from pathlib import Path

import click

from ..core import events as e
from ..core.mark import Mark
from ..core.state import State
from ..core.witness import went_on
from ..journal import Journal, contradicted, head_of, new_epoch, recall
from ..station.losses import going_on
from ..text.spelling import Misspelt, check_name, check_text
from .arguments import PATH
from .reading import FILE


@click.command("accept-loss")
@FILE
@click.option("--anchor", type=PATH, help="The anchor that remembers what is lost: that is named in the record.")
@click.option("--by", required=True, metavar="NAME", help="Who decides that.")
@click.option("--because", required=True, metavar="TEXT", help="Why.")
def accept_loss(file: Path, anchor: Path | None, by: str, because: str) -> None:
    """Go on with what stands of FILE, of a table that does not run, when some of it is lost or was changed.

    A new epoch begins there, which names the old one and what was lost; the numbers of records and rounds go on.
    """
    try:
        check_name(by)
        check_text(because)
    except Misspelt as error:
        raise click.UsageError(str(error)) from None
    head_of(file)  # what is no journal yet would become one
    with closing(Journal(file)) as book:
        state = book.recover()
        event = e.AcceptLoss(by, because, new_epoch(), None if anchor is None else _lost(file, anchor, state))
        book.append(going_on(file, state, event))
        click.echo(f"{file}: epoch {event.epoch} begins with record {state.seq + 1}; head {book.head}")


def remembered(anchor: Path) -> Mark:
    """What an anchor that has to be there remembers."""
    mark = recall(anchor)
    if mark is None:
        raise click.ClickException(f"{anchor}: no such file")
    return mark


def _lost(file: Path, anchor: Path, state: State) -> Mark:
    """What the anchor remembers and the record does not have."""
    mark = remembered(anchor)
    if mark.table not in ("", state.table):
        raise click.ClickException(f"{anchor}: expected table {state.table}'s anchor, this is that of {mark.table}")
    if went_on(state, mark) is not None:
        raise click.ClickException(f"{file}: another PC has the table: take it over from there (`tablectl takeover`)")
    if contradicted(file, state, mark, f"the anchor {anchor}") is None:
        raise click.ClickException(f"{file}: nothing is lost: it has all that the anchor {anchor} remembers")
    return mark
