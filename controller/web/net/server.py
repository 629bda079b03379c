"""Serve the API on a socket: uvicorn within the table's own event loop.

Invariant: no request raises an exception into the loop, for that would stop the table.

uvicorn is told to leave signals, logging and the loop alone. At its end it waits for every connection, including open
streams: close the feed first, which ends the streams.
"""

import asyncio
import logging
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

import structlog
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from .connection import PATIENCE, Door, last_word
from .entrance import Entrance
from .turns import Turns

BACKLOG = 16  # accepted in one go: more could use up the files before the first is turned away
QUEUE = 1024  # that may wait for it; beyond them the kernel loses some, or resets their connections
ENDING = 2  # seconds for requests that are under way at the end


class _Server(uvicorn.Server):
    """uvicorn that leaves signals alone and ends on an event, instead of looking ten times a second."""

    def __init__(self, config: uvicorn.Config, entrance: Entrance, encrypted: ssl.SSLContext | None) -> None:
        super().__init__(config)
        self.ending, self.turns, self.entrance = asyncio.Event(), Turns(), entrance
        self._encrypted = encrypted

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen as uvicorn does, but limit the TLS handshake to the time allowed to begin a request."""
        patience = PATIENCE if self._encrypted else None
        self.servers = [
            await asyncio.get_running_loop().create_server(
                lambda: Door(self),
                sock=listening,
                ssl=self._encrypted,
                backlog=BACKLOG,
                ssl_handshake_timeout=patience,
                ssl_shutdown_timeout=patience,
            )
            for listening in sockets or ()
        ]
        for listening in sockets or ():
            listening.listen(QUEUE)  # asyncio has taken what it accepts in one go for this, too
        self.started = True

    async def main_loop(self) -> None:
        """Wait until `ending` is set."""
        await self.ending.wait()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave the signals alone: the program handles them itself."""
        yield


class _ToStructlog(logging.Handler):
    """Log handler that passes uvicorn's messages to structlog."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log one message as the event `web`."""
        what = record.exc_info[1] if record.exc_info else None
        structlog.get_logger().log(record.levelno, "web", said=record.getMessage().strip(), exc_info=what)


class WebServer:
    """The API, served on a listening socket until it is stopped."""

    def __init__(self, app: ASGIApp, listening: socket.socket, encrypted: ssl.SSLContext | None = None) -> None:
        self._config, self._listening, self._encrypted = _config(_guard(app)), listening, encrypted
        self._server: _Server | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def connections(self) -> int:
        """Number of open connections; 0 before the start."""
        return 0 if self._server is None else len(self._server.server_state.connections)

    def start(self) -> None:
        """Start to accept and answer requests, in a task of its own."""
        log = logging.getLogger("uvicorn.error")
        log.handlers, log.propagate = [_ToStructlog()], False
        entrance = Entrance(self._listening)
        self._server = _Server(self._config, entrance, self._encrypted)
        self._task = asyncio.create_task(self._server.serve([entrance]), name="web")

    async def stop(self) -> None:
        """Close the socket and wait for requests under way.

        End the event streams first, else it waits for them.
        """
        self._listening.close()
        if self._server is not None and self._task is not None:
            self._server.ending.set()
            await self._task


def _config(app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http="httptools",
        ws="none",
        lifespan="off",
        interface="asgi3",
        log_config=None,
        log_level="warning",
        access_log=False,
        proxy_headers=False,  # a request must not choose its own client address
        server_header=False,
        date_header=False,  # it would want that loop
        timeout_graceful_shutdown=ENDING,
    )


def _guard(app: ASGIApp) -> ASGIApp:
    """Wrap the application to log its exceptions: uvicorn would raise them in a task nobody awaits."""
    log = structlog.get_logger()

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        answer = _TWO_ENDS if _has_two_ends(scope) else app
        try:
            await answer(scope, receive, send)
        except Exception:
            log.exception("request_failed", path=scope.get("path"))

    return guarded


def _has_two_ends(scope: Scope) -> bool:
    """True if the body's end is ambiguous, so that a proxy could split the request (RFC 9112, 6.1)."""
    names = {name for name, _ in scope["headers"]}
    return b"transfer-encoding" in names and (b"content-length" in names or scope["http_version"] == "1.0")


_TWO_ENDS = last_word(
    400, "bad_request", "expected a body with one end: by content-length, or from HTTP/1.1 on by transfer-encoding"
)
