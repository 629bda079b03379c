"""Command `tablectl people`: the registry of persons that the tables share.

Invariant: no PIN and no badge code is a command-line argument, which every user of the PC could read. They are typed or
come on standard input.
"""

import sys
import time
from pathlib import Path
from typing import cast

import click
import msgspec

from ..config.floor_file import floor_users, is_floor, load_floor
from ..config.paths import home_of
from ..config.people import FILE, PERSON_ROLES, PeopleFile, Person, PersonRole, registry
from ..config.people_change import change_registry
from ..config.table_file import load
from ..web.access.wrong_pins import WrongPins
from .arguments import CONFIG, PATH, OneOf
from .badge_read import read_from_reader
from .groups import Group
from .requirements import unknown_dealer_error
from .user import read_pin, users_file

WHERE = click.argument("config", type=PATH, metavar="CONFIG|FILE")
NUMBER = click.argument("number", metavar="ID")
ROLES = click.option(
    "--role",
    "roles",
    type=OneOf("a role", PERSON_ROLES),
    multiple=True,
    required=True,
    help="A role of the person; may be repeated.",
)


@click.group(cls=Group)
def people() -> None:
    """Manage the registry of persons: dealers, supervisors, managers, engineers, auditors.

    The registry is people.toml beside the CONFIG of a table or floor, or the file in [people] file, which several
    tables can share. Name the CONFIG or the registry FILE. Each person has a badge number, the ID in every record.
    """


@people.command("add")
@WHERE
@NUMBER
@click.argument("name")
@ROLES
@click.option("--no-pin", is_flag=True, help="Give the person no PIN, so that they cannot sign in by themselves.")
def add(config: Path, number: str, name: str, roles: tuple[str, ...], *, no_pin: bool) -> None:
    """Add the person NAME with the badge number ID.

    The command asks for the PIN; if standard input is not a terminal, the PIN is its first line. A name or badge number
    that looks like that of another person is refused.
    """
    with change_registry(file := _file(config)) as change:
        change.add(number, name, _roles(roles), None if no_pin else read_pin())
    click.echo(f"{number} {name}: {', '.join(roles)}")
    if "dealer" in roles or len(getattr(file.people(), "by_id", ())) == 1:  # dealers, and the first person
        _look_after(config, file)


@people.command("pin")
@WHERE
@NUMBER
def pin(config: Path, number: str) -> None:
    """Set a new PIN for the person with the badge number ID. Their sessions end."""
    with change_registry(_file(config)) as change:
        change.set_pin(number, read_pin())
    click.echo(f"{number} has a new PIN")


@people.command("badge")
@WHERE
@NUMBER
@click.option("--lost", is_flag=True, help="Void a lost badge; the person then has none.")
@click.option("--reader", is_flag=True, help="Read the badge at the reader of CONFIG; stop that table first.")
def badge(config: Path, number: str, *, lost: bool, reader: bool) -> None:
    """Give the person with the badge number ID the badge that is held to the reader now.
    Their sessions end.

    The reader types the badge's code and Enter, like a keyboard; if standard input is not a terminal, the code is its
    first line.
    """
    if lost and reader:
        raise click.UsageError("expected --lost or --reader, got both")
    code = None if lost else read_from_reader(config) if reader else _read_badge()
    with change_registry(_file(config)) as change:
        change.set_badge(number, code)
    click.echo(f"{number} has {'no badge' if lost else 'a new badge'}")


def _read_badge() -> str:
    """Read a badge code from the reader's keystrokes or from standard input."""
    is_terminal = sys.stdin.isatty()
    return str(click.prompt("Badge", hide_input=True)) if is_terminal else sys.stdin.readline().strip()


@people.command("roles")
@WHERE
@NUMBER
@ROLES
def roles_(config: Path, number: str, roles: tuple[str, ...]) -> None:
    """Replace all roles of the person with the badge number ID, with immediate effect."""
    with change_registry(file := _file(config)) as change:
        change.set_roles(number, _roles(roles))
    click.echo(f"{number}: {', '.join(roles)}")
    _look_after(config, file)


@people.command("rename")
@WHERE
@NUMBER
@click.argument("name")
def rename(config: Path, number: str, name: str) -> None:
    """Change the name of the person with the badge number ID to NAME."""
    with change_registry(_file(config)) as change:
        change.rename(number, name)
    click.echo(f"{number} is {name}")


@people.command("remove")
@WHERE
@NUMBER
def remove(config: Path, number: str) -> None:
    """Remove the person with the badge number ID at once.
    The number is never given to another person.
    """
    with change_registry(file := _file(config)) as change:
        change.remove(number)
    click.echo(f"{number} has left")
    _look_after(config, file)


@people.command("lift")
@CONFIG
@NUMBER
def lift(config: Path, number: str) -> None:
    """Forget the wrong PINs of the person with the badge number ID, at the table or floor of CONFIG.

    After ten wrong PINs from unknown browsers within 30 days, a person can sign in only at a browser used before, with
    the badge, or at this PC. This command lets them sign in everywhere again. For a floor whose key sent three wrong
    PINs, ID is the name that the table's health shows, such as floor:main.
    """
    users = floor_users(config, load_floor(config)) if is_floor(config) else users_file(config).path
    if not WrongPins(users, time.time).lift(number):
        raise click.ClickException(f"no wrong PINs of {number} are counted here")
    click.echo(f"{number} may sign in from everywhere again")


@people.command("list")
@WHERE
@click.option("--all", "left", is_flag=True, help="List people who have left, too.")
@click.option("--json", "as_json", is_flag=True, help="As one JSON list.")
def list_people(config: Path, *, left: bool, as_json: bool) -> None:
    """List the persons in the registry of CONFIG."""
    persons = _file(config).people()
    listed = {} if persons is None else {n: one for n, one in sorted(persons.by_id.items()) if left or not one.left}
    if as_json:
        click.echo(msgspec.json.encode([_as_json(number, person) for number, person in listed.items()]))
        return
    for number, person in listed.items():
        click.echo(f"{number}  {person.name}  {'left' if person.left else ', '.join(_describe(person))}")


def _describe(person: Person) -> list[str]:
    return [*person.roles, *(["with a badge"] if person.badge else [])]


def _as_json(number: str, person: Person) -> dict[str, object]:
    """One person for the JSON list, without the hashes of PIN and badge."""
    return {
        "id": number,
        "name": person.name,
        "roles": person.roles,
        "signs_in": person.pin is not None,
        "left": person.left,
        "badge": person.badge is not None,
    }


def _look_after(config: Path, file: PeopleFile) -> None:
    """Warn if the registry no longer knows the dealer named in the config of a table."""
    if (
        config.name != FILE
        and not is_floor(config)
        and (wrong := unknown_dealer_error(config, load(config), file)) is not None
    ):
        click.echo(f"now correct the config: {wrong}; until then tablectl check refuses it", err=True)


def _file(config: Path) -> PeopleFile:
    """Registry file of a table's or floor's config, or the named file itself.

    A new file gets the service's group.
    """
    if config.name == FILE:
        return PeopleFile(config)
    file = registry(config, (load_floor(config) if is_floor(config) else load(config)).people)
    home = home_of(config)
    return PeopleFile(file.path, group_of=home if home != Path() else None)


def _roles(roles: tuple[str, ...]) -> list[PersonRole]:
    return [cast("PersonRole", role) for role in roles]
