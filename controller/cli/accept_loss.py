"""`tablectl journal accept-loss`: continue with the valid part of a record after a loss.

A person decides this, and the record says who, why and what was lost. Valid records are never changed.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import click

from ..config.table_file import load
from ..core import events as e
from ..core.coded_message import coded
from ..core.mark import Mark
from ..core.state import State
from ..core.witness import first_contradiction, last_before_continuation
from ..journal import Journal, find_contradiction, head_of, mark_of, new_epoch, recover_state, rounds_after, set_aside
from ..journal.outbox import BUS, TargetPlaces
from ..station.losses import following_records
from ..text.coded import render, sentence_and_code
from .arguments import BY_WHOM, PATH, check_act
from .bus_import import BusWitness
from .reading import FILE
from .remembered_heads import RememberedHead, remembered_head

UNASKED = coded("loss_unasked")


@click.command("accept-loss")
@FILE
@click.option("--anchor", type=PATH, help="The anchor that remembers the lost records; the record names them.")
@click.option("--witness", type=PATH, metavar="CONFIG", help="The same with the bus of the table of CONFIG.")
@click.option("--unasked", is_flag=True, help="Compare nothing: anchor and bus are lost for good.")
@BY_WHOM
def accept_loss(file: Path, anchor: Path | None, witness: Path | None, by: str, because: str, *, unasked: bool) -> None:
    """Continue the journal FILE of a stopped table after some of its records were lost or changed.

    A new epoch begins. It names the old epoch and the lost records, as the anchor or the bus remembers them. Numbers of
    records and rounds continue. If the table has an anchor or a bus and none is given here, no round opens until the
    record has been compared. If FILE is an older copy with records that differ from those of the bus, the whole file is
    kept aside first, and FILE continues before these records.
    """
    if unasked and (anchor is not None or witness is not None):
        raise click.UsageError("--unasked: expected neither --anchor nor --witness beside it")
    check_act(by, because)
    known_head = remembered_head(file, anchor, witness)
    lost = None if known_head is None else _lacking_head(file, known_head, recover_state(file))
    if witness is not None and lost is not None:
        _set_contradicting_aside(file, lost)
    head_of(file)  # raises if the file is no journal, because `Journal` would create one
    with closing(Journal(file)) as book:
        state = book.recover()
        event = e.AcceptLoss(by, because, new_epoch(), lost)
        waits = [] if unasked else _pending_comparisons(file, state, anchor, witness)
        book.append(following_records(file, state, event, *waits))
        if witness is not None:
            after = recover_state(file)
            BusWitness(load(witness)).announce(mark_of(after, book.head), after.at)
        click.echo(f"{file}: epoch {event.epoch} begins with record {state.seq + 1}; head {book.head}")


def _pending_comparisons(file: Path, state: State, anchor: Path | None, witness: Path | None) -> Iterator[e.Checked]:
    """Yield events that keep rounds from opening until the record is compared with anchor or bus.

    Until then, another PC may have continued the record.
    """
    if witness is None and any(target.startswith(BUS) for target in TargetPlaces(file).read()):
        yield e.Checked("witness", state.seq + 1, *sentence_and_code(coded("bus_not_compared", reason=UNASKED)))
    if witness is None and anchor is None and state.anchor is not None:
        yield e.Checked("anchor", state.seq + 1, *sentence_and_code(coded("anchor_not_compared", reason=UNASKED)))


def _set_contradicting_aside(file: Path, lost: Mark) -> None:
    """Set aside records of an older copy that differ from those known to the bus, and print their rounds."""
    state = recover_state(file)
    first = first_contradiction(state, lost)
    if first is not None:
        dealt = rounds_after(file, first - 1)
        rounds = "" if dealt is None else f", rounds {dealt[0]} to {dealt[1]}"
        click.echo(f"{set_aside(file, first)}: keeps records {first} to {state.seq}{rounds}; they do not count")


def _lacking_head(file: Path, known_head: RememberedHead, state: State) -> Mark:
    """Return the remembered head that the journal lacks. Raises ClickException if it lacks nothing.

    Raises it also if the anchor is that of another table, or if another PC has the table.
    """
    mark, where = known_head
    if mark.table not in ("", state.table):
        path = where.parts["path"]
        raise click.ClickException(f"{path}: expected table {state.table}'s anchor, this is that of {mark.table}")
    if last_before_continuation(state, mark) is not None:
        raise click.ClickException(f"{file}: another PC has the table: take it over from there (`tablectl takeover`)")
    if find_contradiction(file, state, mark, where) is None:
        raise click.ClickException(f"{file}: nothing is lost: it has all that {render(where)} remembers")
    return mark
