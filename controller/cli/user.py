"""`tablectl user` and `tablectl token`: manage who may act on a table over the network.

Invariant: a secret is never an argument, since every user of the PC could read it. A PIN is typed or comes on standard
input; a token is made here and shown once.
"""

import sys
from pathlib import Path

import click
import msgspec

from ..config.mistakes import BadConfig
from ..config.paths import home_of
from ..config.people import registry
from ..config.pins import check_pin
from ..config.table_file import load
from ..web.access.users import UsersFile
from .arguments import CONFIG
from .groups import Group

SUFFIX = ".users"
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")


@click.group(cls=Group)
def user() -> None:
    """Manage the shift managers of a table, who sign in on its page /manager."""


@user.command("add")
@CONFIG
@click.argument("name")
def add_user(config: Path, name: str) -> None:
    """Add the shift manager NAME to the table of CONFIG, or set a new PIN, which ends their sessions.

    CONFIG may also be a users file, such as that of a demo.

    The command asks for the PIN; if standard input is not a terminal, the PIN is its first line.
    """
    if config.suffix != SUFFIX and (file := registry(config, load(config).people)).people() is not None:
        raise BadConfig(f"the persons of this table are kept in {file.path}: add them with `tablectl people add`")
    with users_file(config).change() as change:
        change.set_pin(name, read_pin())
    click.echo(f"{name} may sign in")


@user.command("remove")
@CONFIG
@click.argument("name")
def remove_user(config: Path, name: str) -> None:
    """Remove the shift manager NAME from the table of CONFIG. Their sessions end."""
    with users_file(config).change() as change:
        change.remove(name)
    click.echo(f"{name} may no longer sign in")


@user.command("list")
@CONFIG
@AS_JSON
def list_users(config: Path, *, as_json: bool) -> None:
    """List the shift managers of the table of CONFIG."""
    _print(sorted(users_file(config).users().managers), as_json)


@user.command("viewer-key")
@CONFIG
@click.option("--set", "given", is_flag=True, help="Store the platform's own key: the first line of standard input.")
def viewer_key(config: Path, *, given: bool) -> None:
    """Create the key that turns players' ids into the ids that viewers of the table of CONFIG see; print it only once.

    A viewer's id is v_ and the first 16 letters, in lower case, of the base32 of HMAC-SHA256(key, player's id).
    """
    with users_file(config).change() as change:
        if given:
            change.set_viewer_key(sys.stdin.readline().strip())
        key = None if given else change.make_viewer_key()
    click.echo(key or "key set: viewers see ids made with it from now on")


@click.group(cls=Group)
def token() -> None:
    """Manage the tokens with which the game server and other programs reach a table over the network."""


@token.command("add")
@CONFIG
@click.argument("name")
def add_token(config: Path, name: str) -> None:
    """Create a token for the program NAME and print it, only this once."""
    with users_file(config).change() as change:
        new_token = change.add_token(name)
    click.echo(new_token)


@token.command("remove")
@CONFIG
@click.argument("name")
def remove_token(config: Path, name: str) -> None:
    """Revoke the token of the program NAME at once."""
    with users_file(config).change() as change:
        change.remove_token(name)
    click.echo(f"{name}'s token is void")


@token.command("list")
@CONFIG
@AS_JSON
def list_tokens(config: Path, *, as_json: bool) -> None:
    """List the programs that have a token for the table of CONFIG."""
    _print(sorted(users_file(config).users().tokens), as_json)


def users_file(config: Path) -> UsersFile:
    """Users file of a table, with its shift managers (unless a registry has them) and its tokens.

    `config`: the table's config, or the users file itself, such as a demo's. Raises BadConfig.
    """
    if config.suffix == SUFFIX:
        return UsersFile(config)
    settings = load(config)
    if settings.web.users is None and settings.journal.path is None:
        raise BadConfig(f"{config}: web.users: no file given; write one under [web], or path = ... under [journal]")
    file, journal = settings.users_beside(Path(settings.journal.path or "")), Path(settings.journal.path or "")
    home, folder = home_of(config), config.absolute().parent
    if not (home / journal).exists() and (folder / journal).exists():
        raise BadConfig(f"{config}: its record is not here but in {folder}: do this from there, where the table is run")
    return UsersFile(home / file)


def read_pin() -> str:
    """Read a PIN: typed twice in a terminal, else the first line of standard input. Raises BadUsers."""
    if not sys.stdin.isatty():
        pin = sys.stdin.readline().strip()
        check_pin(pin)
        return pin
    pin = click.prompt("PIN", hide_input=True)
    check_pin(pin)
    if click.prompt("The same again", hide_input=True) != pin:
        raise click.ClickException("these were two different PINs")
    return str(pin)


def _print(names: list[str], as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(names))
        return
    for name in names:
        click.echo(name)
