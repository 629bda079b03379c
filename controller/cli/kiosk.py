"""`tablectl kiosk`: authorise a browser of the table's own PC as the dealer's screen."""

from ipaddress import ip_address
from pathlib import Path

import click

from ..config.mistakes import BadConfig
from ..config.table_file import Config, load
from ..web.access.kiosk import MINUTES, offer, revoke
from .arguments import CONFIG
from .user import users_file


@click.command
@CONFIG
@click.option("--revoke", "take_away", is_flag=True, help="Revoke all dealer's screens of the table at once.")
def kiosk(config: Path, *, take_away: bool) -> None:
    """Print an address that makes a browser of this PC the dealer's screen of the table of CONFIG.

    Open it on this PC in the browser of the dealer's screen. It works once, within ten minutes. That browser is then
    the dealer's screen, also after a restart, but not through a proxy.
    """
    file = users_file(config)
    if take_away:
        click.echo(f"revoked: {revoke(file)} screens" if file.path.exists() else "there were no screens")
        return
    address = _address(config, load(config))
    click.echo(f"{address}/kiosk/{offer(file)}")
    click.echo(f"open it in the dealer's browser on this PC within {MINUTES} minutes: it works once", err=True)


def _address(config: Path, settings: Config) -> str:
    """Base URL of the table's pages for a browser on this PC. Raises BadConfig."""
    place = settings.web.place()
    host = None if place is None else ip_address(place[0])
    if place is None or host is None or not (host.is_loopback or host.is_unspecified):
        raise BadConfig(
            f"{config}: web.listen: expected 127.0.0.1, or 0.0.0.0 for all addresses, so that a browser of this PC "
            f"finds the pages there, got {settings.web.listen!r}"
        )
    if place[1] == 0:
        raise BadConfig(f"{config}: web.listen: expected a port, got {settings.web.listen!r}: write a fixed one")
    name = "[::1]" if host.version == 6 else "127.0.0.1" if host.is_unspecified else str(host)
    return f"{'https' if settings.web.certificate else 'http'}://{name}:{place[1]}"
