"""`tablectl journal accept-loss`: going on with what stands of a record, when some of it is lost.

It is an act of a person, and on record: who, why, what was lost. Nothing that stands is touched.
"""

from contextlib import closing
from pathlib import Path

import click

from ..config.table_file import PROGRAM
from ..core import events as e
from ..core import records as r
from ..core.decide import decide
from ..core.mark import Mark
from ..core.position import Position
from ..core.recorded_house import recorded_house
from ..core.state import State
from ..games import GAMES
from ..journal import Journal, back, contradicted, head_of, new_epoch, recall
from ..table.clocks import SteadyClock
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
        book.append(_decided(file, state, event))
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
    if contradicted(file, state, mark, f"the anchor {anchor}") is None:
        raise click.ClickException(f"{file}: nothing is lost: it has all that the anchor {anchor} remembers")
    return mark


def _decided(file: Path, state: State, event: e.AcceptLoss) -> list[r.Record]:
    """What follows from it at this table, by what it was set to last."""
    for record in back(file, state.seq + 1, ["configured"]):
        assert isinstance(record.what, r.Configured)  # noqa: S101 - it was asked for
        house = recorded_house(record.table, record.what, GAMES, PROGRAM)
        if house is not None:
            return decide(house, Position(GAMES), state, event, max(SteadyClock().now(), state.at)).records
    raise click.ClickException(f"{file}: expected the record of a table whose game is known here")
