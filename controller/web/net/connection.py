"""Connection of the HTTP server: its turns, its time limits, and what is no request.

Invariant: whatever comes ends at this connection. What it keeps unread is bounded, and how long a look at it takes."""

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import uvicorn
from starlette.responses import Response
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from .entrance import Entrance
from .reads import read_little
from .replies import AGAIN, Reason, problem
from .sockets import peer_of
from .turns import Turns

PATIENCE = 10.0  # seconds for a request to begin, the first or the next; before that, to agree on a key
UNREAD = 1 << 16  # bytes of one connection that wait for its turn; and that are no body, such as the head of a request
AHEAD = 32  # requests that a connection sends ahead of the answers
HEADERS = 100  # of one request: thousands in one packet would hold the table's loop


class Serving(Protocol):
    """Interface of a connection to its server."""

    config: uvicorn.Config
    server_state: ServerState
    turns: Turns
    entrance: Entrance


class Door(HttpToolsProtocol):
    """One connection. What the application needs of it is in the request's state.

    uid        user at the other end of a Unix socket
    drop       closes the connection at once
    stalled    whether the other end takes nothing at the moment
    """

    def __init__(self, server: Serving) -> None:
        super().__init__(server.config, server.server_state, {})
        self._turns, self._entrance = server.turns, server.entrance
        self._heard = b""  # not parsed yet
        self._in_head = False  # whether a request has begun whose head has not ended
        self._about = 0  # bytes since a request began, or since the last part of its body

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override] # as uvicorn has it
        """Note a new connection: its peer, a place at the entrance, and the time limit for its first request."""
        super().connection_made(transport)
        read_little(transport)
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
        """True if no request is under way: half of one is none."""
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
            self._about += len(heard)
            super().data_received(heard)
            if self._about > UNREAD:
                self.send_400_response("")
        if not self.flow.read_paused:
            self.transport.resume_reading()

    def on_message_begin(self) -> None:
        """Called by the parser at the first byte of a request."""
        super().on_message_begin()
        self._in_head, self._about = True, 0

    def on_header(self, name: bytes, value: bytes) -> None:
        """Called by the parser with a header; with those behind a body too, which say nothing here.

        Raises ValueError, which ends the connection.
        """
        if len(self.headers) >= HEADERS:
            raise ValueError
        if self._in_head:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Called by the parser at the end of a request's head. Raises ValueError, which ends the connection."""
        self._in_head = False
        if len(self.pipeline) >= AHEAD or not _is_sound(self.parser.get_http_version(), self.headers):
            raise ValueError
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Called by the parser with a part of a body."""
        self._about = 0
        super().on_body(body)

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


def _is_sound(version: str, headers: list[tuple[bytes, bytes]]) -> bool:
    """True if a request names one host (RFC 9112, 3.2) and no other transfer coding than chunks (6.1)."""
    hosts = sum(name == b"host" for name, _ in headers)
    codings = {value.lower() for name, value in headers if name == b"transfer-encoding"}
    return version in ("1.0", "1.1") and hosts <= 1 and (hosts == 1 or version == "1.0") and codings <= {b"chunked"}


def last_word(status: int, error: Reason, says: str, **headers: str) -> Response:
    """The problem that is the last answer of a connection."""
    answer = problem(status, error, says)
    answer.headers.update({"connection": "close", **headers})
    return answer


def _written(answer: Response) -> bytes:
    """An answer as it goes over the wire."""
    headers = (name + b": " + value for name, value in answer.raw_headers)
    return b"\r\n".join((b"HTTP/1.1 %d " % answer.status_code, *headers, b"", bytes(answer.body)))


_NO_REQUEST = _written(last_word(400, "bad_request", "expected a request of HTTP/1.1"))
_TOO_SLOW = _written(last_word(408, "too_slow", f"expected a whole request within {PATIENCE:g} s"))
_NO_ROOM = _written(
    last_word(503, "no_room", "others needed the room before a whole request had come", **{"retry-after": str(AGAIN)})
)
