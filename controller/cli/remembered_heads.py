"""Last record of a journal as remembered outside of it: by an anchor or by the bus."""

import asyncio
from pathlib import Path
from typing import NamedTuple

import click

from ..config.mistakes import BadConfig
from ..config.table_file import load
from ..core.coded_message import CodedMessage, coded
from ..core.mark import Mark
from ..journal import recall, recover_state
from .arguments import PATH
from .bus_import import bus_imports

ANCHOR = click.option("--anchor", type=PATH, help="An anchor; fail if FILE lacks a record that it remembers.")
WITNESS = click.option(
    "--witness",
    type=PATH,
    metavar="CONFIG",
    help="Fail if FILE lacks a record that the bus of the table of CONFIG remembers.",
)


class RememberedHead(NamedTuple):
    """Last record remembered. `where`: the anchor or bus that remembers it."""

    mark: Mark
    where: CodedMessage


def remembered_head(file: Path, anchor: Path | None, witness: Path | None) -> RememberedHead | None:
    """Return the last record that the given anchor or bus remembers; None if neither is given.

    Raises ClickException, JournalError, Unusable.
    """
    if anchor is not None and witness is not None:
        raise click.UsageError("expected --anchor or --witness, got both: give one at a time")
    if anchor is not None:
        mark = recall(anchor)
        if mark is None:
            raise click.ClickException(f"{anchor}: no such file")
        return RememberedHead(mark, coded("the_anchor", path=str(anchor)))
    return None if witness is None else _bus_head(file, witness)


def _bus_head(file: Path, config: Path) -> RememberedHead:
    settings, state = load(config), recover_state(file)
    if not settings.bus.servers:
        raise BadConfig(f"{config}: bus.servers: no servers given: this table is on no bus")
    with bus_imports():
        from ..bus.witness import WHERE, ask_for_head
    if state.table != settings.table.name:
        raise click.ClickException(f"{file}: expected the record of {settings.table.name}, this is {state.table}'s")
    mark = asyncio.run(ask_for_head(settings.bus, state))
    if mark is None:
        raise click.ClickException(f"{file}: the bus remembers nothing of epoch {state.identity.epoch[:8]}")
    return RememberedHead(mark, WHERE)
