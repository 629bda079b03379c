"""Order of the files that a command takes, where several of them are of one record."""

from collections.abc import Sequence
from pathlib import Path

import click

from ..journal import continues, origin_of


def tell_begin(file: Path) -> None:
    """Print on standard error if the record began before this file. Raises JournalError."""
    before = origin_of(file).seq
    if before:
        click.echo(f"tablectl: {file} begins with record {before + 1}; an archive has those before it", err=True)


def begin_in_order(files: Sequence[Path]) -> None:
    """Refuse a file behind the one that continues it; name each file whose earlier records are in none of them.

    Out of order, rounds would be left out and times counted wrongly. Raises UsageError, JournalError.
    """
    for place, file in enumerate(files):
        if not origin_of(file).seq:
            continue
        for late in files[place + 1 :]:
            if continues(file, late):
                raise click.UsageError(f"{late}: expected before {file}, which goes on from it; name archives first")
        if not any(continues(file, earlier) for earlier in files[:place]):
            tell_begin(file)
