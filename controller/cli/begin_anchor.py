"""`tablectl journal anchor`: begin an anchor for a record without one, or whose anchor is gone for good.

A person decides this; name and reason are recorded. A running table never replaces its anchor by a new one.
"""

from contextlib import closing
from pathlib import Path

import click

from ..core import events as e
from ..core.coded_message import coded
from ..core.fold import fold
from ..journal import Journal, JournalError, begin, find, find_contradiction, head_of, mark_of, new_anchor
from ..station.losses import following_records
from ..text.coded import render
from ..text.errors import system_message
from .arguments import BY_WHOM, PATH, check_act
from .reading import FILE


@click.command("anchor")
@FILE
@click.argument("anchor", type=PATH)
@BY_WHOM
def anchor_(file: Path, anchor: Path, by: str, because: str) -> None:
    """Begin an anchor for the journal FILE of a stopped table at ANCHOR, the path in [journal] anchor.

    It stores the last record of FILE. An ANCHOR that remembers more records than FILE has is not changed.
    """
    check_act(by, because)
    head_of(file)  # raises if the file is no journal, because `Journal` would create one
    with closing(Journal(file)) as book:
        state = book.recover()
        found_anchor = find(anchor)
        other = found_anchor and find_contradiction(
            file, state, found_anchor.mark, coded("the_anchor", path=str(anchor))
        )
        if other:
            raise JournalError(f"{file}: {render(other.message)}; put the record back, or move that anchor away")
        try:
            begun = new_anchor(anchor, file)
            records = following_records(file, state, e.BeginAnchor(by, because, begun.id, begun.apart))
            book.append(records)
            begin(anchor, mark_of(fold(state, records), book.head), begun.id)
        except OSError as error:
            raise JournalError(f"{anchor}: {system_message(error)}; correct that, then run the command again") from None
        beside = "" if begun.apart else ", on the record's own disk: rolling back this disk rolls back both"
        click.echo(f"{anchor}: remembers record {book.head.seq} of table {state.table}{beside}")
