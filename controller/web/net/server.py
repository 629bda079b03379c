"""The API on a socket: uvicorn within the table's own loop.

The one rule: nothing that comes through this door reaches the loop as an exception, for that would stop the table.

uvicorn is told to leave signals, logging and the loop alone. It waits at its end for every connection, an open stream
among them: the feed is to be closed first, which ends the streams.
"""

import asyncio
import logging
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager

import structlog
import uvicorn
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from .entrance import Entrance
from .replies import AGAIN, Reason, problem
from .sockets import peer_of
from .turns import Turns

BACKLOG = 16  # accepted in one go: more could use up the files before the first is turned away
QUEUE = 1024  # that may wait for it; beyond them the kernel loses some, or resets their connections
PATIENCE = 10.0  # seconds for a request to begin, the first or the next; before that, to agree on a key
ENDING = 2  # seconds for requests that are under way at the end
UNREAD = 1 << 16  # bytes of one connection that wait for its turn, and of the head of a request
AHEAD = 32  # requests that a connection sends ahead of the answers


class Door(HttpToolsProtocol):
    """One connection. What the application needs of it is in the request's state.

    uid        user at the other end of a Unix socket
    drop       closes the connection at once
    stalled    whether the other end takes nothing at the moment
    """

    def __init__(self, server: "_Server") -> None:
        super().__init__(server.config, server.server_state, {})
        self._turns, self._entrance = server.turns, server.entrance
        self._heard = b""  # not parsed yet
        self._in_head, self._head = False, 0  # whether a request has begun whose head has not ended; its bytes so far

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Note a new connection: its peer, a place at the entrance, and the time limit for its first request."""
        super().connection_made(transport)
        connection: socket.socket = transport.get_extra_info("socket")
        flow = self.flow
        self.app_state = {"uid": peer_of(connection), "drop": transport.abort, "stalled": lambda: flow.write_paused}
        self._entrance.seat(connection.fileno(), lambda: not self._waits, lambda: self._part(_NO_ROOM))
        self._patience = self.loop.call_later(PATIENCE, self._expect_request, None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the time limit of a closed connection: else thousands of timers would be kept."""
        self._patience.cancel()
        super().connection_lost(exc)

    @property
    def _waits(self) -> bool:
        """Whether no request is under way: half of one is none."""
        return self.cycle is None or self.cycle.response_complete

    def _part(self, says: bytes) -> None:
        """End it; who is just saying something is told why."""
        begun, unread = self._heard or self._in_head, self.transport.get_write_buffer_size()
        if not begun or unread or not self._waits:
            self.transport.abort()
            return
        self.transport.write(says)
        self.transport.close()

    def _expect_request(self, last: RequestResponseCycle | None) -> None:
        """Drop who has begun none since that one, which had been answered."""
        if self.transport.is_closing():
            return
        if self._waits and self.cycle is last:
            self._part(_TOO_SLOW)
        else:
            self._patience = self.loop.call_later(PATIENCE, self._expect_request, self.cycle if self._waits else None)

    def data_received(self, data: bytes) -> None:
        """Keep what came until it is this connection's turn."""
        self._unset_keepalive_if_required()
        if not self._heard:
            self._turns.wait(self._look)
        self._heard += data
        if len(self._heard) >= UNREAD:
            self.transport.pause_reading()

    def _look(self) -> None:
        heard, self._heard = self._heard, b""
        if self.transport.is_closing():
            return
        with self._guarded():
            self._head += len(heard)
            super().data_received(heard)
            if self._in_head and self._head > UNREAD:
                self.send_400_response("")
        if not self.flow.read_paused:
            self.transport.resume_reading()

    def on_message_begin(self) -> None:
        """Called by the parser at the first byte of a request."""
        super().on_message_begin()
        self._in_head, self._head = True, 0

    def on_headers_complete(self) -> None:
        """Called by the parser at the end of a request's head. Raises OverflowError, which ends the connection."""
        self._in_head = False
        if len(self.pipeline) >= AHEAD:
            raise OverflowError
        super().on_headers_complete()

    def send_400_response(self, _: str) -> None:
        """Answer bytes that are no HTTP request with a problem (400), and close the connection."""
        begun = self.pipeline or (self.cycle is not None and self.cycle.response_started)
        if begun and not self._waits:  # an answer has begun: there is no other
            return self.transport.abort()
        self.transport.write(_NO_REQUEST)
        return self.transport.close()

    def timeout_keep_alive_handler(self) -> None:
        """Called by uvicorn if no further request came in time."""
        with self._guarded():
            super().timeout_keep_alive_handler()

    def shutdown(self) -> None:
        """Called by uvicorn at the end of the program."""
        with self._guarded():
            super().shutdown()

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever the bytes made of it, it is this connection's alone
            self.logger.warning("connection dropped: %s", type(error).__name__)
            self.transport.abort()


class _Server(uvicorn.Server):
    """uvicorn, without its hands on the signals, and told when to end: it would look ten times a second."""

    def __init__(self, config: uvicorn.Config, entrance: Entrance, encrypted: ssl.SSLContext | None) -> None:
        super().__init__(config)
        self.ending, self.turns, self.entrance = asyncio.Event(), Turns(), entrance
        self._encrypted = encrypted

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """As uvicorn's own; but to agree on a key nobody has longer than to begin a request."""
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
        """The program has its own."""
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
        """Close the socket and wait for requests under way. End the event streams first, else it waits for them."""
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
        proxy_headers=False,  # nobody may say whose request this really is
        server_header=False,
        date_header=False,  # it would want that loop
        timeout_graceful_shutdown=ENDING,
    )


def _guard(app: ASGIApp) -> ASGIApp:
    """The application, whose exceptions end here: uvicorn would answer them in a task that nobody waits for."""
    log = structlog.get_logger()

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        answer = _TWO_ENDS if _has_two_ends(scope) else app
        try:
            await answer(scope, receive, send)
        except Exception:
            log.exception("request_failed", path=scope.get("path"))

    return guarded


def _has_two_ends(scope: Scope) -> bool:
    """Whether another program on the way could see the request end elsewhere, and another one begin (RFC 9112, 6.1)."""
    names = {name for name, _ in scope["headers"]}
    return b"transfer-encoding" in names and (b"content-length" in names or scope["http_version"] == "1.0")


def _last_word(status: int, error: Reason, says: str, **headers: str) -> Response:
    answer = problem(status, error, says)
    answer.headers.update({"connection": "close", **headers})
    return answer


def _written(answer: Response) -> bytes:
    """An answer as it goes over the wire."""
    headers = (name + b": " + value for name, value in answer.raw_headers)
    return b"\r\n".join((b"HTTP/1.1 %d " % answer.status_code, *headers, b"", bytes(answer.body)))


_TWO_ENDS = _last_word(
    400, "bad_request", "expected a body with one end: by content-length, or from HTTP/1.1 on by transfer-encoding"
)
_NO_REQUEST = _written(_last_word(400, "bad_request", "expected a request of HTTP/1.1"))
_TOO_SLOW = _written(_last_word(408, "too_slow", f"expected a whole request within {PATIENCE:g} s"))
_NO_ROOM = _written(
    _last_word(503, "no_room", "others needed the room before a whole request had come", **{"retry-after": str(AGAIN)})
)
