"""Serve the API on a socket, within the table's own event loop.

Invariant: no exception of a request reaches the event loop, because that would stop the table.

`stop` waits for requests under way, and so for open streams, at most ENDING seconds: close the feed first, which ends
the streams.
"""

import asyncio
import socket
import ssl
from contextlib import suppress

from starlette.types import ASGIApp, Scope

from ...core.coded_message import coded
from .connection import PATIENCE, HttpConnection
from .entrance import Entrance
from .exchange import HttpExchange
from .replies import closing_problem
from .turns import Turns

BACKLOG = 16  # connections accepted in one go: more could use up the descriptors before one can be closed
QUEUE = 1024  # connections that may wait to be accepted; the kernel drops or resets further ones
ENDING = 2  # seconds at the end for requests under way
TURNS = 4  # turns in which the event loop sets up accepted connections and closes aborted ones


class WebServer:
    """HTTP server on one listening socket, until it is stopped."""

    def __init__(self, app: ASGIApp, listening: socket.socket, encrypted: ssl.SSLContext | None = None) -> None:
        self.app, self.turns, self.connections = app, Turns(), set[HttpConnection]()
        self._listening, self._encrypted = listening, encrypted
        self._tasks, self._quiet = set[asyncio.Task[None]](), asyncio.Event()
        self._opening: asyncio.Task[asyncio.Server] | None = None

    def start(self) -> None:
        """Start to accept and answer requests."""
        self.entrance = Entrance(self._listening)
        self._opening = asyncio.create_task(self._open(), name="web")

    async def _open(self) -> asyncio.Server:
        patience = PATIENCE if self._encrypted else None
        server = await asyncio.get_running_loop().create_server(
            lambda: HttpConnection(self),
            sock=self.entrance,
            ssl=self._encrypted,
            backlog=BACKLOG,
            ssl_handshake_timeout=patience,
            ssl_shutdown_timeout=patience,
        )
        self.entrance.listen(QUEUE)  # asyncio has used BACKLOG for the kernel's queue, too
        return server

    def run(self, exchange: HttpExchange) -> None:
        """Run the application for a request, in a task of its own."""
        app = _TWO_ENDS if _has_two_ends(exchange.scope) else self.app
        task = asyncio.get_running_loop().create_task(exchange.run(app))
        self._tasks.add(task)
        task.add_done_callback(self._end_task)

    def _end_task(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self.note_end()

    def note_end(self) -> None:
        """Note that a request or a connection has ended."""
        if not self._tasks and not self.connections:
            self._quiet.set()

    async def stop(self) -> None:
        """Close the socket, wait for requests under way for ENDING seconds, and cancel the others."""
        self._listening.close()
        opening, self._opening = self._opening, None
        if opening is None:
            return
        server = await opening
        asyncio.get_running_loop().remove_reader(self.entrance.fileno())
        await _turns()  # asyncio serves no accepted connection after `close`, nor closes it (Server._attach)
        server.close()
        for connection in list(self.connections):
            connection.finish()
        if self._tasks or self.connections:
            self._quiet.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(ENDING):
                    await self._quiet.wait()
        for connection in list(self.connections):
            connection.transport.abort()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await _turns()


async def _turns() -> None:
    for _ in range(TURNS):
        await asyncio.sleep(0)


def _has_two_ends(scope: Scope) -> bool:
    """True if the body's end is ambiguous, so that a proxy could split the request (RFC 9112, 6.1)."""
    names = {name for name, _ in scope["headers"]}
    return b"transfer-encoding" in names and (b"content-length" in names or scope["http_version"] == "1.0")


_TWO_ENDS = closing_problem(400, "bad_request", coded("two_ends"))
