"""The API on the table's own Unix socket, and who is at its other end.

The one rule: whoever may connect may speak in any role, since they could as well read the record and stop the program;
the name under which the kernel knows them goes into what they do.
"""

import asyncio
from pathlib import Path
from typing import get_args

from starlette.exceptions import HTTPException
from starlette.requests import Request

from ..journal import reach, read
from ..table import Table
from .answered import KEPT, Answered
from .api import Api
from .commands import Caller, Role
from .feed import Feed
from .server import WebServer
from .sockets import Listening, user_name

ROLES: tuple[Role, ...] = get_args(Role)


class LocalApi:
    """The API of a table on a Unix socket. To be made before the table starts: it hears every record from there on."""

    def __init__(self, table: Table, journal: Path, listening: Listening) -> None:
        head = table.journal.head.seq
        feed = Feed(journal, head)
        answered = Answered(read(journal, max(reach(journal), head - KEPT)))
        self._server = WebServer(Api(table, feed, answered, SignOn()).app, feed, listening.socket)

    def start(self) -> None:
        """From here on it answers."""
        self._server.start()

    async def stop(self) -> None:
        """Let what is under way come to its end."""
        await self._server.stop()


class SignOn:
    """Who is asking, over a Unix socket."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}

    async def __call__(self, request: Request) -> Caller:
        """The caller, in the role that they say. Raises HTTPException."""
        role = request.query_params.get("role", "manager")
        if role not in ROLES:
            raise HTTPException(400, f"role: expected one of {', '.join(ROLES)}, got {role!r}")
        uid: int = request.state.uid
        if uid not in self._names:
            self._names[uid] = await asyncio.to_thread(user_name, uid)
        name = self._names[uid]
        return Caller(ROLES[ROLES.index(role)], name, f"unix:{name}")
