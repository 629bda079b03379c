"""Documents that describe the API.

GET  /api/v1/game            the game: markets, limits, decisions, outcome, faults, reasons of refusals
GET  /api/v1/openapi.json    requests that this audience may send over HTTP, as an OpenAPI 3.1 document
GET  /api/v1/asyncapi.json   messages that it may send and receives, with every event, as an AsyncAPI 3 document
GET  /api/v1/schema          the schemas of both as one JSON Schema (2020-12)
"""

import asyncio
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from ...core.views import ANNOUNCED, without_training_round
from ...rules.game import Game
from ...table.loop import Table
from ..net.replies import SCHEMA, as_json
from . import asyncapi, openapi
from .addresses import routes
from .callers import caller_of
from .commands import Role
from .game_message import description
from .schemas import bundle, games_in_record

Make = Callable[[Role, tuple[Game, ...]], Mapping[str, Any]]


class Documents:
    """Routes of the API's documents for one table."""

    def __init__(self, table: Table) -> None:
        self._table, self._games = table, games_in_record(table.house.game)
        self.routes = routes(
            ("GET", "/game", self.game),
            ("GET", "/openapi.json", self.openapi),
            ("GET", "/asyncapi.json", self.asyncapi),
            ("GET", "/schema", self.schema),
        )

    async def game(self, request: Request) -> Response:
        """GET /game: the game with its current odds and limits."""
        role = caller_of(request).role
        state = self._table.state
        return as_json(description(self._table.house, without_training_round(state) if role in ANNOUNCED else state))

    async def openapi(self, request: Request) -> Response:
        """GET /openapi.json: requests that this role may make, as OpenAPI."""
        return await self._document(request, openapi.document)

    async def asyncapi(self, request: Request) -> Response:
        """GET /asyncapi.json: messages that this role may send and receives, as AsyncAPI."""
        return await self._document(request, asyncapi.document)

    async def schema(self, request: Request) -> Response:
        """GET /schema: the JSON Schema of all messages for this role."""
        return await self._document(request, bundle, SCHEMA)

    async def _document(self, request: Request, make: Make, media_type: str = "application/json") -> Response:
        """Make a document in a thread: it takes a while, and no card may wait for it."""
        role = caller_of(request).role
        return Response(await asyncio.to_thread(_encode_document, make, role, self._games), media_type=media_type)


@cache
def _encode_document(make: Make, role: Role, games: tuple[Game, ...]) -> bytes:
    """Encode a document as JSON; cached, as there are few and they never change."""
    return msgspec.json.encode(make(role, games))
