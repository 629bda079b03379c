"""Command `tablectl bus`: create the keys and streams of a studio's bus, check and repair them."""

import asyncio
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..config.bus import BusLine
from ..config.floor_file import is_floor, load_floor
from ..config.mistakes import BadConfig
from ..config.paths import home_of
from ..config.table_file import load
from .arguments import CONFIG, PATH, WholeNumber
from .bus_import import bus_imports
from .groups import Group

if TYPE_CHECKING:
    from ..bus.streams import Retention
    from ..bus.studio import Studio

STUDIO = click.option(
    "--studio", help="The studio's name, a part of every subject; by default that of FOLDER, of a new one `main`."
)


@click.group(cls=Group)
def bus() -> None:
    """Set up, check and repair the studio's bus."""


@bus.command
@click.argument("folder", type=PATH)
@STUDIO
@click.option("--table", "tables", multiple=True, metavar="NAME", help="A table; may be repeated.")
@click.option("--floor", "floors", multiple=True, metavar="NAME", help="A floor, which may rule; may be repeated.")
@click.option("--platform", "platforms", multiple=True, metavar="NAME", help="A game server; may be repeated.")
@click.option("--site", "sites", multiple=True, metavar="NAME", help="A second site's server; may be repeated.")
@click.option(
    "--server",
    "servers",
    multiple=True,
    metavar="URL",
    help="Create streams and roster on this server, with the admin's key.",
)
@click.option("--ca", type=PATH, help="The certificate authority of the servers, if the system does not know it.")
@click.option(
    "--replicas",
    type=WholeNumber(1, 5),
    default=1,
    show_default=True,
    help="Copies of each stream; 3 in a cluster of three servers.",
)
@click.option("--days", type=WholeNumber(1, 3650), default=7, show_default=True, help="Days for which events are kept.")
@click.option("--events-gb", type=float, default=12.0, show_default=True, help="Most GB that events may take.")
def init(
    folder: Path,
    studio: str | None,
    tables: Sequence[str],
    floors: Sequence[str],
    platforms: Sequence[str],
    sites: Sequence[str],
    servers: tuple[str, ...],
    ca: Path | None,
    replicas: int,
    days: int,
    events_gb: float,
) -> None:
    """Create in FOLDER a key for each NAME, and FOLDER/studio.conf for the servers; with --server, create the streams
    and sign the roster: the public keys of all tables and floors in FOLDER.

    Existing keys and streams are kept. Move each seed (.nk) to the PC that uses it; keep the admin's seed offline.
    """
    with bus_imports():
        from ..bus.streams import Retention
        from ..bus.studio import Studio
    place = Studio(folder, studio)
    by_kind = {"tables": tables, "floors": floors, "platforms": platforms, "sites": sites}
    for seed in place.make({kind: tuple(names) for kind, names in by_kind.items()}):
        click.echo(f"new: {seed}")
    click.echo(f"{place.conf}: include it in every server's config, then reload them (SIGHUP)")
    _print_keys(place)
    if servers:
        _make(place, servers, ca, Retention(place.name, replicas, days, events_gb))


def _print_keys(place: "Studio") -> None:
    """Print the public keys to copy into the configs of tables and floors."""
    click.echo(f'[bus] of every table: studio = "{place.name}"')
    for kind in ("floors", "platforms"):
        _print_names(kind, place.keys(kind))
    click.echo(f'[bus] of every floor: studio = "{place.name}"')
    click.echo(f'admin = "{place.admin_key}"')


def _print_names(kind: str, keys: Mapping[str, str]) -> None:
    if keys:
        text = ", ".join(f'{name} = "{key}"' for name, key in keys.items())
        click.echo(f"{kind} = {{ {text} }}")


def _admin_line(place: "Studio", servers: Sequence[str], ca: Path | None) -> BusLine:
    section = BusLine(
        servers=tuple(servers), studio=place.name, credentials=str(place.admin), ca=None if ca is None else str(ca)
    )
    section.check("admin", "admin")
    return section


def _make(place: "Studio", servers: Sequence[str], ca: Path | None, retention: "Retention") -> None:
    from ..bus.streams import make_streams

    new = asyncio.run(make_streams(_admin_line(place, servers, ca), retention, place))
    click.echo(f"streams created: {', '.join(new) or 'none, all exist'}")
    click.echo(f"roster signed: {len(place.names('tables'))} tables, {len(place.names('floors'))} floors")


@bus.command
@click.argument("folder", type=PATH)
@STUDIO
@click.option("--server", "servers", multiple=True, required=True, metavar="URL", help="A server of the bus.")
@click.option("--ca", type=PATH, help="The certificate authority of the servers, if the system does not know it.")
def mend(folder: Path, studio: str | None, servers: tuple[str, ...], ca: Path | None) -> None:
    """Sign the roster again, with the admin's key, and delete messages on the bus that no key in FOLDER has signed:
    heads, statuses, shared documents, rosters.

    This includes the messages of tables and floors whose public key (.pub) was removed from FOLDER. Durable consumers
    that an earlier version created are deleted too.
    """
    with bus_imports():
        from ..bus.studio import Studio
        from ..bus.unsigned_messages import mend_bus
    place = Studio(folder, studio)
    for line in asyncio.run(mend_bus(_admin_line(place, servers, ca), place)) or ["nothing to delete"]:
        click.echo(line)


@bus.command
@CONFIG
def check(config: Path) -> None:
    """Check the bus of the table or floor of CONFIG; print each defect on a line, and exit 1 if there are any."""
    findings = _check_floor(config) if is_floor(config) else _check_table(config)
    for finding in findings:
        click.echo(finding)
    if findings:
        sys.exit(1)
    click.echo("the bus is set up correctly")


def _check_table(config: Path) -> list[str]:
    settings = load(config)
    if not settings.bus.servers:
        raise BadConfig(f"{config}: bus.servers: no servers given: this table is on no bus")
    with bus_imports():
        from ..bus.checks import check_as_table
    journal = None if settings.journal.path is None else home_of(config) / settings.journal.path
    return asyncio.run(check_as_table(settings.bus, settings.table.name, journal))


def _check_floor(config: Path) -> list[str]:
    settings = load_floor(config)
    with bus_imports():
        from ..bus.checks import check_as_floor
    return asyncio.run(check_as_floor(settings.bus, settings.floor.name))
