"""`tablectl journal accept-loss`: going on with what stands of a record, when some of it is lost.

It is an act of a person, and on record: who, why, what was lost. Nothing that stands is touched.
"""

from contextlib import closing
from pathlib import Path

import click

from ..config.table_file import load
from ..core import events as e
from ..core.mark import Mark
from ..core.state import State
from ..core.witness import went_on
from ..journal import Journal, contradicted, head_of, mark_of, new_epoch, recovered
from ..station.losses import going_on
from ..text.spelling import Misspelt, check_name, check_text
from .arguments import PATH
from .bus_room import BusWitness
from .reading import FILE
from .remembered import Remembered, remembered


@click.command("accept-loss")
@FILE
@click.option("--anchor", type=PATH, help="The anchor that remembers what is lost: that is named in the record.")
@click.option("--witness", type=PATH, metavar="CONFIG", help="The bus of the table of CONFIG, likewise.")
@click.option("--by", required=True, metavar="NAME", help="Who decides that.")
@click.option("--because", required=True, metavar="TEXT", help="Why.")
def accept_loss(file: Path, anchor: Path | None, witness: Path | None, by: str, because: str) -> None:
    """Go on with what stands of FILE, of a table that does not run, when some of it is lost or was changed.

    A new epoch begins there, which names the old one and what was lost, as the anchor or the bus remembers it; the
    numbers of records and rounds go on.
    """
    try:
        check_name(by)
        check_text(because)
    except Misspelt as error:
        raise click.UsageError(str(error)) from None
    head_of(file)  # what is no journal yet would become one
    with closing(Journal(file)) as book:
        state = book.recover()
        told = remembered(file, anchor, witness)
        event = e.AcceptLoss(by, because, new_epoch(), None if told is None else _lost(file, told, state))
        book.append(going_on(file, state, event))
        if witness is not None:
            after = recovered(file)
            BusWitness(load(witness)).announce(mark_of(after, book.head), after.at)
        click.echo(f"{file}: epoch {event.epoch} begins with record {state.seq + 1}; head {book.head}")


def _lost(file: Path, told: Remembered, state: State) -> Mark:
    """Return the remembered head that the journal lacks. Raises ClickException if it lacks nothing.

    Raises it also if the anchor is that of another table, or if another PC has the table.
    """
    mark, where = told
    if mark.table not in ("", state.table):
        anchor = where.removeprefix("the anchor ")
        raise click.ClickException(f"{anchor}: expected table {state.table}'s anchor, this is that of {mark.table}")
    if went_on(state, mark) is not None:
        raise click.ClickException(f"{file}: another PC has the table: take it over from there (`tablectl takeover`)")
    if contradicted(file, state, mark, where) is None:
        raise click.ClickException(f"{file}: nothing is lost: it has all that {where} remembers")
    return mark
