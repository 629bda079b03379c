"""`tablectl api`: what may be sent to a running table, and what it tells, as an AsyncAPI document."""

from typing import get_args

import click
import msgspec

from ..web.api.asyncapi import document
from ..web.api.commands import Role
from .arguments import OneOf


@click.command
@click.option(
    "--audience",
    type=OneOf("an audience", get_args(Role)),
    default="server",
    show_default=True,
    help="Whose commands and events: those of the game server, a shift manager, a dealer, a player.",
)
def api(audience: Role) -> None:
    """Print the AsyncAPI 3 document of the API, as JSON: commands, answers, the state, every event."""
    click.echo(msgspec.json.format(msgspec.json.encode(document(audience)), indent=2))
