"""Connection of the HTTP server: turns, time limits, and refusal of bytes that are no request.

Invariant: an error of a client ends only its connection. Unread bytes and the time to parse them are bounded.
"""

import asyncio
import socket
from collections import deque
from typing import TYPE_CHECKING

import httptools
import structlog
from starlette.types import Scope

from ...core.coded_message import coded
from .exchange import HttpExchange
from .reads import limit_reads
from .replies import AGAIN, closing_problem, encode_answer
from .scope import http_scope
from .sockets import peer_of

if TYPE_CHECKING:
    from .server import WebServer

PATIENCE = 10.0  # seconds for a TLS handshake, and then for each request to begin
UNREAD = 1 << 16  # bytes that may wait for a connection's turn; also the limit of bytes that are no body, as a head
AHEAD = 32  # pipelined requests of a connection that may wait for their answers
HEADERS = 100  # of one request: thousands in one packet would block the table's loop

Headers = list[tuple[bytes, bytes]]


class HttpConnection(asyncio.Protocol):
    """HTTP connection of one client; requests are answered in order, one at a time.

    The state of each request contains:

    uid        user at the other end of a Unix socket
    drop       closes the connection at once
    stalled    whether the other end takes nothing at the moment
    """

    transport: asyncio.Transport

    def __init__(self, server: "WebServer") -> None:
        self.writable = asyncio.Event()
        self.writable.set()
        self._server, self._loop = server, asyncio.get_running_loop()
        self._parser = httptools.HttpRequestParser(self)
        self._parser.set_dangerous_leniencies(lenient_data_after_close=True)  # else its error overtakes the answer
        self._newest: HttpExchange | None = None  # request that was received last, perhaps in part
        self._current: HttpExchange | None = None  # the request that is being answered, or was answered last
        self._ahead = deque[HttpExchange]()
        self._unparsed = b""  # not parsed yet
        self._in_head, self._head_bytes = False, 0  # `_head_bytes`: bytes since the request or its last body part began
        self._url, self._headers, self._is_asked = b"", Headers(), False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Note a new connection: its two ends, its functions for the entrance, the time limit of its first request."""
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - as asyncio has it for streams
        self.transport = transport
        limit_reads(transport)
        line: socket.socket = transport.get_extra_info("socket")
        self._state = {"uid": peer_of(line), "drop": transport.abort, "stalled": lambda: not self.writable.is_set()}
        scheme = "http" if transport.get_extra_info("sslcontext") is None else "https"
        client, server = (_endpoint(transport.get_extra_info(name)) for name in ("peername", "sockname"))
        self._ends = {"client": client, "server": server, "scheme": scheme}
        self._server.connections.add(self)
        self._server.entrance.register(line.fileno(), lambda: not self.waits, lambda: self._cut_off(_NO_ROOM))
        self._patience = self._loop.call_later(PATIENCE, self._expect_request, None)

    def connection_lost(self, _: Exception | None) -> None:
        """Cancel the time limit of a closed connection, and end the exchanges under way."""
        self._patience.cancel()
        self._server.connections.discard(self)
        if self._current is not None:
            self._current.hang_up()
        self.writable.set()
        self._ahead.clear()
        del self._parser  # breaks the reference cycle: the parser refers to this connection
        self._server.note_end()

    def pause_writing(self) -> None:
        """Called by the transport when the other end does not read fast enough."""
        self.writable.clear()

    def resume_writing(self) -> None:
        """Called by the transport when the other end reads again."""
        self.writable.set()

    def read_on(self) -> None:
        """Resume reading, unless the application has yet to take a body or pipelined requests."""
        if self._ahead or (self._newest is not None and self._newest.is_full):
            self.transport.pause_reading()
        else:
            self.transport.resume_reading()

    @property
    def waits(self) -> bool:
        """True if no complete request is under way."""
        return self._current is None or self._current.over

    def finish(self) -> None:
        """Close the connection after the request under way."""
        if self.waits:
            self.transport.close()
        elif self._current is not None:
            self._current.keeps = False

    def _cut_off(self, says: bytes) -> None:
        """Close the connection; `says`: last answer for a client that is sending a request."""
        begun, unread = self._unparsed or self._in_head, self.transport.get_write_buffer_size()
        if not begun or unread or not self.waits:
            self.transport.abort()
            return
        self.transport.write(says)
        self.transport.close()

    def _expect_request(self, last: HttpExchange | None) -> None:
        """Close the connection if no request has begun since `last` was answered."""
        if self.transport.is_closing():
            return
        if self.waits and self._current is last:
            self._cut_off(_TOO_SLOW)
        else:
            self._patience = self._loop.call_later(
                PATIENCE, self._expect_request, self._current if self.waits else None
            )

    def data_received(self, data: bytes) -> None:
        """Store received bytes until this connection's turn."""
        if not self._unparsed:
            self._server.turns.wait(self._parse)
        self._unparsed += data
        if len(self._unparsed) >= UNREAD:
            self.transport.pause_reading()

    def _parse(self) -> None:
        data, self._unparsed = self._unparsed, b""
        if self.transport.is_closing():
            return
        self._head_bytes += len(data)
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserUpgrade:  # no upgrade is supported: the request is answered like any other
            if self._newest is not None:
                self._newest.keeps = False
        except httptools.HttpParserError:
            structlog.get_logger().warning("no_request")
            self._refuse()
        else:
            if self._head_bytes > UNREAD:
                self._refuse()
        if not self.transport.is_closing():
            self.read_on()

    def _refuse(self) -> None:
        """Answer bytes that are no HTTP request with a problem (400), and close the connection."""
        begun = self._ahead or (self._current is not None and self._current.begun)
        if begun and not self.waits:  # no problem can be sent in the middle of another answer
            self.transport.abort()
            return
        self.transport.write(_NO_REQUEST)
        self.transport.close()

    def on_message_begin(self) -> None:
        """Called by the parser at the first byte of a request."""
        self._in_head, self._head_bytes, self._is_asked = True, 0, False
        self._url, self._headers = b"", []

    def on_url(self, url: bytes) -> None:
        """Called by the parser with a part of the address."""
        self._url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Called by the parser with a header; headers after a body (trailers) are ignored.

        Raises ValueError, which ends the connection.
        """
        if len(self._headers) >= HEADERS:
            raise ValueError
        if self._in_head:
            self._headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        """Called by the parser at the end of a request's head. Raises ValueError, which ends the connection."""
        self._in_head, version = False, self._parser.get_http_version()
        if len(self._ahead) >= AHEAD or not _is_sound(version, self._headers):
            raise ValueError
        keeps = version == "1.1" and self._parser.should_keep_alive()
        is_asked = (b"expect", b"100-continue") in [(name, value.lower()) for name, value in self._headers]
        one = self._newest = HttpExchange(self._scope(version), self, keeps=keeps, is_asked=is_asked)
        self._ahead.append(one)
        if self.waits:
            self._answer_next()

    def _scope(self, version: str) -> Scope:
        address = httptools.parse_url(self._url)
        path, method = (address.path or b"/").decode("ascii"), self._parser.get_method().decode()
        line = {"state": dict(self._state), **self._ends}
        return http_scope(method, path, address.query or b"", self._headers, line, version)

    def on_body(self, body: bytes) -> None:
        """Called by the parser with a part of a body."""
        self._head_bytes = 0
        if self._newest is not None:
            self._newest.take(body)

    def on_message_complete(self) -> None:
        """Called by the parser at the end of a request."""
        if self._newest is not None:
            self._newest.end_body()

    def finish_answer(self) -> None:
        """Start to answer the next request, or close a connection that is not kept."""
        if self._current is not None and not self._current.keeps:
            self.transport.close()
        elif not self.transport.is_closing():
            self._answer_next()
            self.read_on()

    def _answer_next(self) -> None:
        if self._ahead:
            self._current = self._ahead.popleft()
            self._server.run(self._current)


def _endpoint(address: object) -> tuple[str, int] | None:
    """Host and port of one end of a connection; None for a Unix socket."""
    return (str(address[0]), int(address[1])) if isinstance(address, tuple) else None


def _is_sound(version: str, headers: Headers) -> bool:
    """True if a request names one host (RFC 9112, 3.2) and no transfer coding but `chunked` (6.1)."""
    hosts = sum(name == b"host" for name, _ in headers)
    codings = {value.lower() for name, value in headers if name == b"transfer-encoding"}
    return version in ("1.0", "1.1") and hosts <= 1 and (hosts == 1 or version == "1.0") and codings <= {b"chunked"}


_NO_REQUEST = encode_answer(closing_problem(400, "bad_request", coded("no_request")))
_TOO_SLOW = encode_answer(closing_problem(408, "too_slow", coded("request_too_slow", seconds=PATIENCE)))
_NO_ROOM = encode_answer(closing_problem(503, "no_room", coded("room_given_away"), **{"retry-after": str(AGAIN)}))
