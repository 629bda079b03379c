"""`tablectl status`: print the state of a running table, or of all tables on this PC."""

import sys
import time
from pathlib import Path

import click
import msgspec

from .. import Unusable
from ..config.paths import CONFIGS, pc_folder
from ..core.clock import SECOND
from ..web.api.state_message import TableState
from ..web.net.sockets import table_of
from .arguments import PATH
from .client import NoAnswer, ask, running_sockets, socket_of_config
from .colours import yellow
from .command_sender import CommandSender, at_a_table, keep, pass_sender
from .state_lines import bus, clock, lines, state_line


@click.command
@click.argument("config_", metavar="[CONFIG]", type=PATH, required=False, expose_value=False, callback=keep)
@click.option(
    "--all", "of_all", is_flag=True, help="Print a line for each table of this PC, also for tables that do not run."
)
@at_a_table
@pass_sender
def status(sender: CommandSender, *, of_all: bool) -> None:
    """Print the state of a running table: the table of CONFIG, the only table on this PC, or --all tables."""
    if of_all:
        sys.exit(_print_tables())
    body, health = sender.state(), sender.health()
    troubles, ntp, now = health["troubles"], health["clock"], time.time_ns() // 1000
    if sender.as_json:
        click.echo(
            msgspec.json.encode(
                {**body, "troubles": troubles, "clock": ntp, **{key: health[key] for key in ("bus",) if key in health}}
            )
        )
        return
    state = msgspec.convert(body, TableState)
    at = now - round(ntp["step"] * SECOND)  # by the table's clock, which dates the state
    losses = [f"{name}: {reason}" for name, reason in (sender.losses() if state.lost else {}).items() if reason]
    for line in (*lines(state, at), clock(ntp, now), *bus(health), *map(yellow, (*losses, *troubles))):
        click.echo(line)


def _print_tables() -> int:
    """Print a line for each table of this PC; return 1 if one does not run or answer, else 0."""
    from ..config.kinds import table_configs  # imports all games and devices, which a single table does not need

    configs = table_configs(pc_folder(CONFIGS))
    sockets = {table_of(socket): socket for socket in running_sockets()}
    if not configs and not sockets:
        raise click.ClickException("no table runs here, and none is set up: tablectl table new NAME --game GAME")
    silent = False
    for name in sorted({*configs, *sockets}):
        try:
            click.echo(_line(sockets.get(name) or socket_of_config(configs[name])))
        except (NoAnswer, Unusable) as error:
            click.echo(f"table {name}: {error}")
            silent = True
    return int(silent)


def _line(socket: Path) -> str:
    """Status of the table behind a socket, in one line. Raises NoAnswer."""
    state, health = (ask(socket, "GET", target).body for target in ("/api/state", "/healthz"))
    return state_line(msgspec.convert(state, TableState), health["troubles"])
