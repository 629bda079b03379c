"""`tablectl play`: drive one table from a script."""

import os
from codecs import BOM_UTF8
from contextlib import ExitStack, closing
from itertools import chain
from pathlib import Path
from typing import BinaryIO

import click
import msgspec

from ..config.table_file import Config, load
from ..core.state import State
from ..core.views import view
from ..journal import GENESIS, Head, Journal, begin_after, clear, new_epoch, refuse_locked
from ..script.play import EPOCH, Play
from ..script.reader import BadScript, parse, starting_state
from ..text.records import QUIET, sentence
from .arguments import PATH
from .game_argument import GameName
from .output_file import remove_on_failure


@click.command
@click.argument("game", type=GameName())
@click.argument("script", type=click.File("rb"), default="-")
@click.option("--config", type=PATH, help="A config with the table's settings; by default those of the rule sheet.")
@click.option("--journal", type=PATH, help="Write the records to this new file too.")
@click.option("--json", "as_json", is_flag=True, help="Print one record a line, as JSON in the auditor's view.")
def play(game: str, script: BinaryIO, config: Path | None, journal: Path | None, *, as_json: bool) -> None:
    """Drive a table of GAME from SCRIPT (by default standard input), one event a line, and print its records.

    \b
    printf 'open\\nclose\\ncard 2C\\ncard 3D\\ncard 2D\\ncard AS\\ncard 8H\\n' | tablectl play baccarat
    """
    settings = load(config) if config else Config()
    if settings.game.get("name", game) != game:
        raise click.UsageError(f"{config} is for {settings.game['name']}, not for {game}")
    house = settings.house("auto", game)
    lines = parse(_read(script), house.currency)
    if journal is not None and os.path.lexists(journal):
        raise click.UsageError(f"{journal} exists already: name a new file")
    with ExitStack() as stack:
        begin = starting_state(lines)
        book = _new_journal(journal, begin, stack) if journal else None
        table = Play(house, book, begin, new_epoch() if book else EPOCH)
        for record in chain(table.records[:], table.run(lines)):
            event = view(record, "auditor")
            if as_json:
                click.echo(msgspec.json.encode(event))
            elif record.kind not in QUIET:
                click.echo(_line(event))
        standing = table.state_line()
        click.echo(msgspec.json.encode(standing) if as_json else _state_line(standing))


def _new_journal(path: Path, begin: State | None, stack: ExitStack) -> Journal:
    """Create the journal; the stack closes it, and removes it if the play fails."""
    refuse_locked(path)
    stack.enter_context(remove_on_failure(path, clear))
    if begin:
        begin_after(path, Head(begin.seq, GENESIS))
    return stack.enter_context(closing(Journal(path)))


def _read(script: BinaryIO) -> str:
    text = script.read().removeprefix(BOM_UTF8)
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        number = len(f"{text[: error.start].decode()}.".splitlines())
        line = text.decode(errors="replace").splitlines()[number - 1]
        raise BadScript(number, line.strip(), "expected text in UTF-8") from None


def _line(event: dict[str, object]) -> str:
    return f"{event['seq']:>5}  {sentence(event)}"


def _state_line(standing: dict[str, object]) -> str:
    due = standing["due"]
    fields = due.items() if isinstance(due, dict) else ()
    text = ", ".join(f"{name} {' '.join(value) if isinstance(value, tuple) else value}" for name, value in fields)
    return f"    =  {standing['state']}; due: {text or 'nothing'}"
