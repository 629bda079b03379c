"""What the API says of itself, at one of a table's doors.

GET  /api/v1/game            what is played: markets, limits, decisions, outcome, faults, the reasons for refusals
GET  /api/v1/openapi.json    all that this audience may ask over HTTP, as an OpenAPI 3.1 document
GET  /api/v1/asyncapi.json   all that it may send and is told, every event too, as an AsyncAPI 3 document
GET  /api/v1/schema          the schemas of both as one JSON Schema (2020-12)
"""

from starlette.requests import Request
from starlette.responses import Response

from ...core.house import House
from ..net.replies import SCHEMA, as_json
from . import asyncapi, openapi
from .addresses import routes
from .game_message import description
from .request_parameters import SignOn
from .schemas import bundle, of_table


class Documents:
    """Of one table. `sign_on` says who is asking."""

    def __init__(self, house: House, sign_on: SignOn) -> None:
        self._house, self._games, self._sign_on = house, of_table(house.game), sign_on
        self.routes = routes(
            ("GET", "/game", self.game),
            ("GET", "/openapi.json", self.openapi),
            ("GET", "/asyncapi.json", self.asyncapi),
            ("GET", "/schema", self.schema),
        )

    async def game(self, request: Request) -> Response:
        """What is played."""
        await self._sign_on(request)
        return as_json(description(self._house))

    async def openapi(self, request: Request) -> Response:
        """What may be asked."""
        return as_json(openapi.document((await self._sign_on(request)).role, self._games))

    async def asyncapi(self, request: Request) -> Response:
        """What may be sent, and is told."""
        return as_json(asyncapi.document((await self._sign_on(request)).role, self._games))

    async def schema(self, request: Request) -> Response:
        """What it all consists of."""
        return as_json(bundle((await self._sign_on(request)).role, self._games), 200, SCHEMA)
