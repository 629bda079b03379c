"""`tablectl api`: print the API of a running table as a document for other programs."""

from typing import get_args

import click
import msgspec

from ..games import GAMES
from ..web.api import asyncapi, openapi
from ..web.api.commands import Role
from ..web.api.schemas import bundle, games_in_record
from .arguments import OneOf
from .game_argument import GameName


@click.command
@click.option(
    "--audience",
    type=OneOf("an audience", get_args(Role)),
    default="server",
    show_default=True,
    help="The audience of the commands and events: game server, shift manager, dealer or player.",
)
@click.option("--game", type=GameName(), help="For a table that plays this game; by default for any table.")
@click.option("--openapi", "form", flag_value="openapi", help="Print OpenAPI 3.1: the addresses and their answers.")
@click.option("--schema", "form", flag_value="schema", help="Print JSON Schema (2020-12): commands, answers, events.")
def api(audience: Role, game: str | None, form: str | None) -> None:
    """Print the API's documents as JSON, by default AsyncAPI 3: commands, answers, state, all events.

    A running table serves the same at /api/v1/asyncapi.json, /api/v1/openapi.json and /api/v1/schema.
    """
    games = tuple(GAMES.values()) if game is None else games_in_record(GAMES[game])
    make = {"openapi": openapi.document, "schema": bundle}.get(form or "", asyncapi.document)
    click.echo(msgspec.json.format(msgspec.json.encode(make(audience, games)), indent=2))
