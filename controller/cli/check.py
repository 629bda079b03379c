"""`tablectl check`: validate a config, check that it could run on this PC, and describe the table."""

import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
import msgspec

from drivers.models import DriverFailed

from ..config.alerts import Target, Unaddressed, uncalled_levels
from ..config.badge_reader import BadgeReaderSection
from ..config.devices import ShoeSection
from ..config.floor_file import FloorConfig
from ..config.mistakes import BadConfig, BadUsers
from ..config.paths import is_of_a_service
from ..config.shared_ports import SharedPort, shared_ports
from ..config.table_file import Config
from ..core.house import House
from ..core.sheet import digest, is_posted
from ..text.errors import listing, spans
from ..web.net.address import Address
from .arguments import CONFIG
from .game_argument import load_with_game
from .requirements import outlook, people_of, require_name
from .user import users_file


@click.command
@CONFIG
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
def check(config: Path, *, as_json: bool) -> None:
    """Validate the CONFIG of a table, check that it could run on this PC, and describe the table.

    Exit 1 if another config of this PC names the same port, or if the rules shown to players differ from those in use.
    """
    settings = load_with_game(config)
    require_name(config, settings)
    check_drivers(config, settings)
    house = settings.house("dealer")
    alerts = [describe_target(config, name, target) for name, target in settings.alerts.items()]
    people, pages, now = describe_people(config, settings), _pages(settings), outlook(config, settings)
    shared, other = ports_shared_with_services(config, settings), posted_digest_error(house)
    if as_json:
        click.echo(msgspec.json.encode({**_complete_config(settings), "terms": house.pinned_terms()}))
        _echo_wrong(shared, other)
        sys.exit(int(bool(shared or other)))
    deck = house.deck
    click.echo(f"{config}: sound; {now}")
    click.echo(f"table {house.table}: {house.game.name}, {deck.size} cards, result confirmed by {house.terms.confirm}")
    click.echo(f"rules: {rules_of(house)}" + (f"\nposted: {other}" if other else ""))
    _echo_devices(settings)
    click.echo(f"alerts: {', '.join(alerts) or 'none'}{describe_levels(settings.alerts)}")
    click.echo(f"journal: {settings.journal.path}")
    click.echo(f"anchor: {settings.journal.anchor or 'none'}")
    click.echo(f"pages: {pages}")
    click.echo(f"game server: {_server(config, settings)}")
    click.echo(f"people: {people}")
    for one in shared:
        click.echo(f"shared: {one}")
    sys.exit(int(bool(shared or other)))


def _echo_wrong(shared: Sequence[SharedPort], other: str) -> None:
    """Print on standard error why the command fails, beside the JSON."""
    for line in (*(f"posted: {one}" for one in (other,) if one), *(f"shared: {one}" for one in shared)):
        click.echo(f"tablectl: {line}", err=True)


def rules_of(house: House) -> str:
    """Game, version and digest of the rules in force."""
    return f"{house.game.name} {house.game.version}, digest {digest(house.game)}"


def posted_digest_error(house: House) -> str:
    """Sentence if the posted digest is not that of the rules in force; empty if it is, or if none is posted."""
    if is_posted(house.game, house.posted_digest):
        return ""
    return (
        f"[game] posted_digest is that of other rules, {str(house.posted_digest)[:8]}…: no round opens; have the "
        "platform show the rules that run, then write their digest there"
    )


def _echo_devices(settings: Config) -> None:
    shoe, reader = settings.shoe, settings.badge_reader
    click.echo(f"shoe: {shoe.model} {_line(shoe)}, {_sends(settings)}")
    click.echo(f"panel: {settings.panel.model or 'none'}")
    click.echo(f"beacon: {settings.beacon.model or 'none'}")
    click.echo(f"badge reader: {'none' if reader.model is None else f'{reader.model} {_line(reader)}'}")


def _line(section: ShoeSection | BadgeReaderSection) -> str:
    """Text for the port and speed of a shoe or badge reader."""
    if section.port is None:
        return "on USB"
    return f"at {section.port}" if section.is_keyboard else f"at {section.port}, {section.line_baud} baud"


def check_drivers(config: Path, settings: Config) -> None:
    """Check that each device's driver works and that every card has a code.

    Raises BadConfig if not: the table would run without its device, or not know one of its cards.
    """
    for section in (settings.shoe, settings.panel, settings.beacon, settings.badge_reader):
        try:
            section.codec()
        except DriverFailed as failed:
            raise BadConfig(f"{config}: {failed}") from None
    with suppress(DriverFailed):
        deck = settings.house("dealer").deck
        if lacking := settings.shoe.cards_without_code(deck):
            raise BadConfig(f"{config}: {_lacking_codes(settings.shoe.codes_needed(deck), lacking)}")


def _lacking_codes(needed: int, lacking: Sequence[str]) -> str:
    if needed == 1:
        return (
            f"shoe.settings.codes: expected one for every card, got none for {listing(lacking)}: see "
            "`tablectl deck learn`"
        )
    return (
        f"shoe.settings.unique: expected {needed} codes for every card, got fewer for {listing(lacking)}: see "
        f"`tablectl deck learn --decks {needed}`, or take `unique` out"
    )


def _pages(settings: Config) -> str:
    """Text for the address at which the pages are served."""
    web, place = settings.web, settings.web.place()
    if place is None:
        return "none"
    scheme = "https" if web.certificate else "http"
    note = "" if Address(*place).is_here() else ", an address that this PC does not have now"
    return f"{scheme}://{web.listen}{note}"


def _server(config: Path, settings: Config) -> str:
    """Names of the game servers that drive the table, and the time it waits for one."""
    names, strange = settings.server.names, list[str]()
    if not names:
        return "none required"
    with suppress(BadUsers):  # without the right to read the users file, unknown names are not reported
        tokens = users_file(config).users().tokens
        strange = [name for name in names if name not in {*tokens, *settings.bus.platforms}]
    unknown = f"; no token or platform is named {listing(strange)}" if strange else ""
    return f"{', '.join(names)}, lost after {settings.server.grace} s without its event stream{unknown}"


def describe_people(config: Path, settings: Config) -> str:
    """Number of registered persons and their file, in words. Raises the errors of `run`."""
    file = people_of(config, settings)
    people = file.people()
    if people is None:
        return "the shift managers of the users file (no registry)"
    return f"{sum(not person.left for person in people.by_id.values())} in {file.path}"


def _sends(settings: Config) -> str:
    return f"may be sent {', '.join(settings.shoe.allow)}" if settings.shoe.allow else "only listened to"


def _complete_config(settings: Config) -> dict[str, Any]:
    """Complete config as plain data, with the values that follow from the shoe's model."""
    fields: dict[str, Any] = msgspec.to_builtins(settings)
    fields["shoe"]["baud"] = settings.shoe.line_baud
    for name, target in settings.alerts.items():
        fields["alerts"][name]["url"] = target.url and f"{target.scheme}://..."  # the URL may contain a password
    return fields


def ports_shared_with_services(config: Path, settings: Config | FloorConfig) -> list[SharedPort]:
    """Ports of a service's table or floor that another service's config names too."""
    return shared_ports(config, settings) if is_of_a_service(config) else []


def describe_levels(targets: Mapping[str, Target]) -> str:
    """Sentence on alert levels without a target; empty if there are no targets at all."""
    if not targets or not (levels := uncalled_levels(targets)):
        return ""
    return f"; no target for level {spans(levels)}, called in turn while nobody acknowledges a fault"


def describe_target(config: Path, name: str, target: Target) -> str:
    """Describe an alert target in a line. Raises BadConfig if its address is invalid."""
    from ..outputs.delivery import is_usable  # imports asyncio and apprise, which only tables with targets need

    try:
        url = target.address()
    except Unaddressed as error:  # systemd may give the address to the service only at its start
        return f"{name} (level {target.level}, its address cannot be read here: {error})"
    if not is_usable(url):
        way = next(way for way in ("url", "file", "env") if getattr(target, way) is not None)
        raise BadConfig(
            f"{config}: alerts.{name}.{way}: expected a URL that apprise understands, such as "
            "mailtos://user:password@example.com or json://host/path, got another; see https://appriseit.com/services/"
        )
    return f"{name} (level {target.level})"
