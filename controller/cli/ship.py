"""`tablectl journal ship`: write a record's new parts to a folder, for a second PC."""

import time
from pathlib import Path

import click

from ..config.paths import change_directory, home_of
from ..config.table_file import Config
from ..journal import Head, JournalFailed, NoJournalYet, Passed, head_of, ignore_progress
from ..journal.shipping import Shipping
from ..station.standby import ship_beside
from .arguments import CONFIG, PATH
from .game_argument import load_with_game
from .progress_bars import bar
from .requirements import journal_of

PAUSE, RETRY = 1.0, 5.0  # seconds until the next check for new records, and until the next try after a failure


@click.command
@CONFIG
@click.option("--to", "folder", type=PATH, required=True, help="The folder to copy to; only this table may use it.")
@click.option("--follow", is_flag=True, help="Continue until Ctrl-C: look for new records every second.")
def ship(config: Path, folder: Path, *, follow: bool) -> None:
    """Copy new records of CONFIG's table, which may be running, to a folder, in parts that can be verified alone.

    It continues after the last record in the folder. Mount the folder from another PC, or copy it there with rsync;
    on that PC, `tablectl takeover` continues the table from it.
    """
    if ":" in str(folder):
        raise click.UsageError(f"--to: expected a folder of this PC, got {str(folder)!r}: ship to one, and rsync that")
    settings, folder = load_with_game(config), folder.absolute()
    with change_directory(home_of(config)):
        journal = journal_of(config, settings)
        with Shipping(journal, folder) as shipping:
            if follow:
                _follow(shipping, settings, journal, folder)
            else:
                with bar("shipping", 0, head_of(journal).seq) as passed:
                    head = _ship(shipping, settings, journal, folder, passed)
                click.echo(_describe(folder, head))


def _ship(shipping: Shipping, settings: Config, journal: Path, folder: Path, passed: Passed = ignore_progress) -> Head:
    ship_beside(journal, settings.users_beside(journal), folder)
    return shipping.step(passed)


def _describe(folder: Path, head: Head) -> str:
    return f"{folder}: records up to {head.seq} are shipped, head {head}"


def _follow(shipping: Shipping, settings: Config, journal: Path, folder: Path) -> None:
    """Ship new records until a signal; print a line when shipping fails or works again."""
    status = None
    while True:
        wait = PAUSE
        try:
            head = _ship(shipping, settings, journal, folder)
            says = _describe(folder, head) if status is None or not status[0] else status[1]
            status = _say(status, (True, says))
        except (JournalFailed, NoJournalYet) as error:
            status, wait = _say(status, (False, f"not shipped: {error}")), RETRY
        time.sleep(wait)


def _say(before: tuple[bool, str] | None, now: tuple[bool, str]) -> tuple[bool, str]:
    if before != now:
        click.echo(now[1])
    return now
