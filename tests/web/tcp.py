"""A table that also answers on a port, everybody there in the role that they say."""

import socket
from pathlib import Path

from starlette.applications import Starlette

from controller.core.house import House
from controller.web.api import Api
from controller.web.commands import Caller
from controller.web.problems import PROBLEMS
from controller.web.server import WebServer
from tests.test_table import HOUSE
from tests.web.rig import Spoken


class OnTheNet(Spoken):
    """`token`: the game server's."""

    token = "none needed"

    def __init__(self, path: Path, house: House = HOUSE) -> None:
        super().__init__(path, house)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        routes = Api(self.table, self.api._feed, self.api._answered, self._sign_on).routes
        self.api._servers.append(WebServer(Starlette(routes=routes, exception_handlers=PROBLEMS), self._listening))

    async def _sign_on(self, request):
        role = request.query_params.get("role", "server")
        return Caller(role, role, f"web:{role}")
