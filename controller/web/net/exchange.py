"""Exchange of one request and its answer between a connection and the ASGI application."""

import asyncio
from http import HTTPStatus
from typing import Protocol

import structlog
from starlette.types import ASGIApp, Message, Scope

from ...core.coded_message import coded
from .replies import closing_problem

HIGH_WATER = 1 << 16  # bytes of a body that may wait for the application before the connection stops reading
NO_BODY = (204, 304)
_LINES = {status: f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\n".encode() for status in HTTPStatus}
_BUG = closing_problem(500, "bug", coded("bug"))


class Carrier(Protocol):
    """Interface of a connection to its exchanges."""

    transport: asyncio.Transport
    writable: asyncio.Event

    def read_on(self) -> None:
        """Resume reading from the client if there is room for more bytes."""

    def finish_answer(self) -> None:
        """Note that the answer is written whole."""


class HttpExchange:
    """Request of an HTTP connection with its answer. `keeps`: the connection stays open after the answer.

    `begun`: part of the answer is written; `over`: the whole answer is written.
    """

    def __init__(self, scope: Scope, carrier: Carrier, *, keeps: bool, is_asked: bool) -> None:
        self.scope, self.keeps, self.begun, self.over, self.is_gone = scope, keeps, False, False, False
        self._carrier, self._is_asked = carrier, is_asked  # True: the client waits for `100 Continue`
        self._body, self._more, self._news = bytearray(), True, asyncio.Event()
        self._head, self._in_chunks, self._is_bare = b"", False, scope["method"] == "HEAD"

    @property
    def is_full(self) -> bool:
        """True if received parts of the body wait for the application."""
        return len(self._body) > HIGH_WATER

    def take(self, part: bytes) -> None:
        """Store a part of the body for the application; ignored after the answer."""
        if not self.over:
            self._body += part
            self._news.set()

    def end_body(self) -> None:
        """Note that the body is complete."""
        self._more = False
        self._news.set()

    def hang_up(self) -> None:
        """Note that the client has gone."""
        self.is_gone = True
        self._news.set()

    async def run(self, app: ASGIApp) -> None:
        """Run the application for this request. Exceptions are logged, because nothing awaits this task."""
        try:
            await app(self.scope, self.receive, self.send)
        except Exception:  # noqa: BLE001 - it would stop the table
            structlog.get_logger().exception("request_failed", path=self.scope["path"])
        finally:
            if not self.over and not self.is_gone and self.begun:
                self._carrier.transport.abort()
        if not self.begun and not self.is_gone:
            await _BUG(self.scope, self.receive, self.send)

    async def receive(self) -> Message:
        """Return the next part of the request's body, or that the client has gone."""
        if self._is_asked and not self.is_gone:
            self._carrier.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            self._is_asked = False
        if not self.over and not self.is_gone:
            self._carrier.read_on()
            await self._news.wait()
            self._news.clear()
        if self.over or self.is_gone:
            return {"type": "http.disconnect"}
        body, self._body = bytes(self._body), bytearray()
        return {"type": "http.request", "body": body, "more_body": self._more}

    async def send(self, message: Message) -> None:
        """Write a part of the answer, as soon as the client can receive more."""
        if not self.is_gone:
            await self._carrier.writable.wait()
        if self.is_gone:
            return
        if message["type"] == "http.response.start":
            self._write_head(message)
        else:
            self._write_body(message.get("body", b""), more=message.get("more_body", False))

    def _write_head(self, message: Message) -> None:
        status, headers = message["status"], list(message["headers"])
        names = {name: value.lower() for name, value in headers}
        self.begun, self._is_asked = True, False
        self.keeps = self.keeps and names.get(b"connection") != b"close"
        has_length = b"content-length" in names
        if not has_length and not self._is_bare and status not in NO_BODY:
            self._in_chunks = self.scope["http_version"] == "1.1"  # older clients read until the connection closes
            self.keeps = self.keeps and self._in_chunks
            headers += [(b"transfer-encoding", b"chunked")] if self._in_chunks else []
        if not self.keeps and b"connection" not in names:
            headers.append((b"connection", b"close"))
        self._head = _LINES[status] + b"".join(map(_line, headers)) + b"\r\n"
        if not has_length:
            self._write(b"")  # a stream: send the head now, as its first part may come much later

    def _write_body(self, part: bytes, *, more: bool) -> None:
        if self._is_bare:
            part = b""
        elif self._in_chunks:
            part = (b"%x\r\n%b\r\n" % (len(part), part) if part else b"") + (b"" if more else b"0\r\n\r\n")
        self._write(part)
        if not more:
            self.over = True
            self._news.set()
            self._carrier.finish_answer()

    def _write(self, part: bytes) -> None:
        head, self._head = self._head, b""
        if head or part:
            self._carrier.transport.write(head + part)


def _line(header: tuple[bytes, bytes]) -> bytes:
    """Encode a header as bytes. Raises ValueError if its value contains a line break."""
    name, value = header
    if b"\n" in value or b"\r" in value or b"\0" in value:
        raise ValueError(f"header {name!r}")
    return b"%b: %b\r\n" % header
