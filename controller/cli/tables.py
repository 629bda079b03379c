"""`tablectl journal export --tables`: the record as CSV files, with their schema, in a folder."""

import csv
import json
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

import click

from ..journal import read
from ..reports.table_rows import record_rows
from ..reports.tables import SCHEMA, SHEETS, columns, schema
from ..text.errors import system_message
from .corrections import latest_revisions
from .output_file import remove_on_failure
from .reading import last_ended_round


def write_tables(file: Path, folder: Path) -> None:
    """Write all ended rounds as CSV files with their schema into a folder: all of them or, after an error, none.

    Raises UsageError if one of the files exists already or cannot be written, JournalError.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _refuse_to_overwrite(folder)
        with ExitStack() as stack:
            described = _begin(folder / SCHEMA, stack)
            described.write(json.dumps(schema(), indent=1) + "\n")
            sheets = {name: _begin(folder / f"{name}.csv", stack) for name in SHEETS}
            _write(file, {name: _csv_writer(name, sheet) for name, sheet in sheets.items()})
            for whole in (described, *sheets.values()):
                whole.flush()  # before the first one is closed: either all of them stay or none
    except OSError as error:
        raise click.UsageError(f"{error.filename or folder}: {system_message(error)}") from None


def _refuse_to_overwrite(folder: Path) -> None:
    for name in (SCHEMA, *(f"{name}.csv" for name in SHEETS)):
        if (folder / name).exists():
            raise click.UsageError(f"{folder / name} exists already: name a new folder")


def _begin(path: Path, stack: ExitStack) -> TextIO:
    file = path.open("x", encoding="utf-8", newline="")
    stack.enter_context(remove_on_failure(path))
    return stack.enter_context(file)


def _csv_writer(name: str, file: TextIO) -> "csv.DictWriter[str]":
    writer = csv.DictWriter(file, list(columns(name)), lineterminator="\n")
    writer.writeheader()
    return writer


def _write(file: Path, writers: "dict[str, csv.DictWriter[str]]") -> None:
    for name, row in record_rows(read(file), last_ended_round(file), latest_revisions(file)):
        writers[name].writerow({column: _cell(value) for column, value in row.items()})


def _cell(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value
