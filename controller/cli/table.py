"""`tablectl table`: open a table for play, close it, or set up a new one."""

import grp
import os
import re
from contextlib import suppress
from pathlib import Path

import click

from drivers.patience import DeviceCannotServe as UnusableDevice

from ..config.mistakes import BadConfig
from ..config.paths import CONFIGS, is_of_a_service, pc_folder
from ..config.people import FILE
from ..config.shared_ports import page_ports, shared_ports
from ..config.table_file import load
from ..station.plugged_devices import PluggedDevice, usable_devices
from ..text.errors import quote, system_message
from .arguments import PATH
from .command_sender import BY, CommandSender, at_a_table, pass_sender
from .game_argument import GameName
from .groups import Group
from .init import check_text, example_config, with_line
from .output_file import remove_on_failure

FIRST_PORT = 8032
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,60}")  # accepted by systemd after tablectl@ without quoting
_OWN_NAME = re.compile(r'(?<=^\[table\]\n)name = "[^"]*"', re.MULTILINE)
_DEALER = re.compile(r"^dealer = .*$", re.MULTILINE)
_NOBODY = '# dealer = "1042"             # badge number of the dealer who is signed on when the table starts'
_LISTEN = re.compile(r'^# listen = "[^"]*"', re.MULTILINE)


@click.group(cls=Group)
def table() -> None:
    """Open a running table for play, close it after the live round, or set up a new one."""


@table.command("open")
@BY
@at_a_table
@pass_sender
def open_(sender: CommandSender) -> None:
    """Open the table for play."""
    sender.send("table", {"do": "open"})


@table.command
@BY
@at_a_table
@pass_sender
def close(sender: CommandSender) -> None:
    """Close the table after the live round."""
    sender.send("table", {"do": "close"})


@table.command
@click.argument("name")
@click.option("--game", type=GameName(), required=True, help="The game of the table.")
@click.option("--shoe", "model", metavar="MODEL", help="The model of the shoe; by default that of the game's example.")
@click.option("--port", help="The port of the shoe; by default the serial adapter, if exactly one is plugged in.")
@click.option("--folder", type=PATH, help=f"The folder of configs.  [default: {CONFIGS}]")
def new(name: str, game: str, model: str | None, port: str | None, folder: Path | None) -> None:
    """Write the config of a new table NAME, for its service tablectl@NAME, with pages of its own on this PC."""
    if not NAME.fullmatch(name):
        raise click.UsageError(f"expected a name of letters, digits and _ . - such as table2, got {quote(name)}")
    if f"{name}.toml" == FILE:
        raise click.UsageError(f"expected another name than {name}: {FILE} is the registry of persons")
    at, folder = port or _the_only_port(), folder or pc_folder(CONFIGS)
    listen = f"127.0.0.1:{_free_port(folder)}"
    text = _with_own_files(example_config(game, model, at), name)
    text = with_line(_OWN_NAME, f'name = "{name}"', text)
    registered = (folder / FILE).exists()
    if registered:
        text = with_line(_DEALER, _NOBODY, text)
    config = _write_config(folder / f"{name}.toml", check_text(with_line(_LISTEN, f'listen = "{listen}"', text)))
    click.echo(f"{config}: a table of {game}, its pages at http://{listen}")
    for shared in shared_ports(config, load(config)):
        click.echo(f"shared: {shared}")
    if registered:
        click.echo(f"dealers sign on by themselves: they are registered in {folder / FILE}")
    if at is None:
        click.echo("write its shoe's port there first: `tablectl devices` prints the line")
    click.echo(f"next: tablectl doctor {config}; then: systemctl enable --now tablectl@{name}")


def _with_own_files(text: str, name: str) -> str:
    """Replace the table's name in the file names of an example's comments, so that they match the defaults."""
    example = _OWN_NAME.search(text)
    if example is None:
        return text
    old = re.escape(example[0].removeprefix('name = "').removesuffix('"'))
    return re.sub(rf'(?<=[/"]){old}(?=\.(?:sock|users|journal)")', name, text)


def _the_only_port() -> str | None:
    """Port name of the only serial adapter; None if there is none or several."""
    with suppress(UnusableDevice):
        return _port_of([device for device in usable_devices() if device.kind == "adapter"])
    return None


def _port_of(adapters: list[PluggedDevice]) -> str | None:
    match = re.fullmatch(r'port = "([^"]+)"', adapters[0].config) if len(adapters) == 1 else None
    return match[1] if match else None


def _free_port(folder: Path) -> int:
    """First port, from the default one on, that no other table or floor of this PC uses for its pages."""
    used_ports = page_ports(folder)
    return next(port for port in range(FIRST_PORT, FIRST_PORT + len(used_ports) + 1) if port not in used_ports)


def _write_config(config: Path, text: str) -> Path:
    """Write a new config, readable by root and the service's group. Raises BadConfig if the file exists."""
    try:
        descriptor = os.open(config, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o640)
        with remove_on_failure(config), os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            with suppress(KeyError):  # without the group, no service is set up on this PC
                if is_of_a_service(config):
                    os.fchown(descriptor, -1, grp.getgrnam("tablectl").gr_gid)
    except FileExistsError:
        raise BadConfig(f"{config}: this file exists already: use another name, or move the file away") from None
    except FileNotFoundError:
        raise BadConfig(f"{config.parent}: no such folder: install the service, which makes it; or --folder") from None
    except OSError as error:
        raise BadConfig(f"{config}: {system_message(error)}: for a service, sudo tablectl table new ...") from None
    return config
