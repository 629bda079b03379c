"""Files of a record that a command is given: their order, and the ones that it is not given."""

from collections.abc import Container, Sequence
from pathlib import Path

import click

from ..core.clock import Time
from ..core.coded_message import coded
from ..journal import continues, first_absent, later_files, origin_of, reach, read
from ..reports.selection import Rounds
from ..text.coded import render


def warn_of_earlier_records(file: Path) -> None:
    """Print on standard error if the record began before this file. Raises JournalError."""
    before = origin_of(file).seq
    if before:
        click.echo(f"tablectl: {file} begins with record {before + 1}; an archive has those before it", err=True)


def warn_of_later_corrections(file: Path, wanted: Rounds | None = None, *, corrected: bool = False) -> None:
    """Print on standard error which of these rounds later files correct; if files are missing, that they may.

    `wanted`: by default all rounds of the file; `corrected`: the command reads the corrections itself. Raises
    JournalError.
    """
    later = later_files(file)
    if not later.complete:
        click.echo(f"tablectl: {file} is an archive; later files may correct its rounds", err=True)
    if later.files and not corrected:
        own = {record.round for record in read(file, kinds=("opened",)) if wanted is None or record.round in wanted}
        for one in later.files:
            _print_corrections(file, one, own)


def _print_corrections(file: Path, later: Path, own: Container[int | None]) -> None:
    """Print on standard error which of a file's own rounds a later file corrects."""
    numbers = dict.fromkeys(record.round for record in read(later, kinds=("resettled",)) if record.round in own)
    if numbers:
        named = ", ".join(f"round {number}" for number in numbers)
        click.echo(f"tablectl: {later} corrects {named} of {file}", err=True)


def warn_of_missing_archive(file: Path, since: Time) -> None:
    """Print on standard error if records since this time are in an archive that is not beside the file."""
    before = reach(file)
    if before and next((record.at for record in read(file, before)), since) >= since:
        absent = coded("archive_absent", path=str(file), first=first_absent(file, before), last=before)
        click.echo(f"tablectl: {render(absent)}", err=True)


def begin_in_order(files: Sequence[Path]) -> None:
    """Refuse a file that is named after the one that continues it; warn of earlier records that none of them has.

    Out of order, rounds would be left out and times counted wrongly. Raises UsageError, JournalError.
    """
    for place, file in enumerate(files):
        if not origin_of(file).seq:
            continue
        for late in files[place + 1 :]:
            if continues(file, late):
                raise click.UsageError(f"{late}: expected before {file}, which goes on from it; name archives first")
        if not any(continues(file, earlier) for earlier in files[:place]):
            warn_of_earlier_records(file)
