"""`tablectl takeover`: continue a table on a second PC from the shipped parts of its record."""

import os
from pathlib import Path

import click

from ..config.paths import STATES, change_directory, home_of, is_of_a_service, pc_folder
from ..station.takeover import TakeoverResult, take_over
from ..station.takeover_anchor import TakeoverDecision
from .arguments import CONFIG, PATH, check_act
from .bus_import import BusWitness
from .game_argument import load_with_game
from .requirements import journal_of


@click.command
@CONFIG
@click.option("--from", "folder", type=PATH, required=True, help="The folder that `tablectl journal ship` has written.")
@click.option("--by", required=True, metavar="NAME", help="The person who decides this; recorded.")
@click.option("--because", metavar="TEXT", help="The reason; recorded.")
@click.option(
    "--old-pc-is-off", is_flag=True, help="You have seen that the old PC is off; needed if no anchor can prove it."
)
@click.option(
    "--accept-loss",
    is_flag=True,
    help="Continue without records that were not shipped but that the anchor or bus remembers.",
)
def takeover(
    config: Path, folder: Path, by: str, because: str | None, *, old_pc_is_off: bool, accept_loss: bool
) -> None:
    """Take over the table of CONFIG on this PC after its own PC has failed.

    The parts in the folder become its record, in a new epoch. The command is refused while the old table answers at the
    anchor, or if the anchor or the bus remembers more records. A live round comes back paused, as after any restart.
    """
    if accept_loss and because is None:
        raise click.UsageError("--accept-loss: expected --because TEXT beside it: the reason is recorded")
    check_act(by, because)
    settings, folder = load_with_game(config), folder.absolute()
    home = _home(config)
    decision = TakeoverDecision(by, because, old_pc_is_off, accept_loss)
    with change_directory(home):
        journal = journal_of(config, settings)
        result = take_over(settings, journal, folder, decision, BusWitness(settings))
    for line in _describe(config, result):
        click.echo(line)


def _home(config: Path) -> Path:
    """Change to the folder in which relative paths of the config start. Raises ClickException for a wrong user."""
    states = pc_folder(STATES)
    if is_of_a_service(config) and states.is_dir():
        if os.geteuid() != states.stat().st_uid:
            raise click.ClickException("the record belongs to the service: sudo -u tablectl tablectl takeover ...")
        (states / config.stem).mkdir(mode=0o750, exist_ok=True)
    return home_of(config)


def _describe(config: Path, result: TakeoverResult) -> list[str]:
    after, stood = result.after, result.previous_end
    stands = f"{after.table}: records up to {stood.stands} are valid, epoch {stood.epoch} ends there"
    begun = f"epoch {after.identity.epoch} begins with record {after.seq}; head {result.head}"
    live = [f"round {after.round.number} was live: it comes back paused, for a ruling"] if after.live else []
    name = config.stem
    start = f"systemctl enable --now tablectl@{name}" if is_of_a_service(config) else f"tablectl run {config}"
    return [stands, begun, *live, f"next: {start}"]
