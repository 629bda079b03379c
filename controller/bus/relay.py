"""Relay of bus requests to the table's own API, by the same routes and with the same answers as HTTP.

A GET of an event stream is answered at once with a list: the data of its events, from the first up to one page.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import structlog
from msgspec.structs import replace
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Scope

from ..core.coded_message import coded
from ..web.access.persons import Persons
from ..web.api.commands import Caller, Role
from ..web.api.request_parameters import role_of
from ..web.net.replies import RequestRefused
from ..web.net.scope import http_scope

PAGE = 500_000  # bytes of events in one answer; a larger event is a page of its own
AT_ONCE = 0.25  # seconds to wait for the first events of a stream
VIEWS: dict[str, tuple[Role, ...]] = {  # by the caller's role: roles in whose view a GET may be answered
    "manager": ("manager", "dealer", "player"),
    "server": ("server", "player"),
}
_STREAM, _DATA = b"text/event-stream", b"data: "


class RelayedAnswer(NamedTuple):
    """Answer of the API: HTTP status and body."""

    status: int
    body: bytes


class RelayedRequest(NamedTuple):
    """Request to the API, and its caller."""

    method: str
    target: str  # path and query
    body: bytes
    caller: Caller


class BusSignOn:
    """Sign-on for requests that came over the bus, whose caller is known already.

    A GET may be answered in the view of another role that sees no more (VIEWS).
    """

    def __init__(self, persons: Persons) -> None:
        self._persons = persons

    async def __call__(self, request: Request) -> Caller:
        """Return the caller of a request. Raises HTTPException (403) for a wrong role, BadUsers."""
        caller: Caller = request.scope["signer"]
        role = role_of(request)
        if role is not None and (role not in VIEWS[caller.role] or (role != caller.role and request.method != "GET")):
            raise RequestRefused(403, coded("expected_role", names=", ".join(VIEWS[caller.role]), said=role))
        people = self._persons.people() if caller.role == "manager" else None
        return replace(caller, role=role or caller.role, people=people)


class Relay:
    """Client of an ASGI application, in the table's event loop."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, request: RelayedRequest) -> RelayedAnswer:
        """Send a request to the application; return its answer. Errors of the application are logged."""
        channels, scope = _RequestChannels(request.body), _scope(request)
        answering = asyncio.ensure_future(self._app(scope, channels.receive, channels.send))
        enough = asyncio.create_task(channels.enough.wait())
        try:
            await asyncio.wait((answering, enough), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (answering, enough):
                task.cancel()
            await asyncio.wait((answering, enough))
        if not answering.cancelled() and (error := answering.exception()) is not None:
            structlog.get_logger().error("bus_request_failed", path=scope["path"], exc_info=error)
        return channels.answer()


class _RequestChannels:
    """ASGI channels of one request, which collect the answer."""

    def __init__(self, body: bytes) -> None:
        self.enough = asyncio.Event()
        self._body: bytes | None = body
        self._status, self._stream, self._answer = 500, False, bytearray()

    async def receive(self) -> Message:
        """Return the request body; further calls never return."""
        if self._body is None:
            await asyncio.Event().wait()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body}

    async def send(self, message: Message) -> None:
        """Collect a part of the answer."""
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._stream = any(value.startswith(_STREAM) for _, value in message["headers"])
            if self._stream:
                asyncio.get_running_loop().call_later(AT_ONCE, self.enough.set)
            return
        self._answer += message.get("body", b"")
        if not message.get("more_body") or (self._stream and _DATA in self._answer):
            self.enough.set()

    def answer(self) -> RelayedAnswer:
        """Return the collected answer; of an event stream a list of its events' data."""
        if not self._stream:
            return RelayedAnswer(self._status, bytes(self._answer))
        lines = [line.removeprefix(_DATA) for line in self._answer.split(b"\n") if line.startswith(_DATA)]
        return RelayedAnswer(self._status, b"[%s]" % b",".join(_page(lines)))


def _page(events: Sequence[bytes | bytearray]) -> Iterator[bytes | bytearray]:
    left = PAGE
    for number, event in enumerate(events):
        left -= len(event) + 1
        if left < 0 and number:
            return
        yield event


def _scope(request: RelayedRequest) -> Scope:
    path, _, query = request.target.partition("?")
    headers = [(b"host", b"bus"), (b"content-length", b"%d" % len(request.body))]
    line: Mapping[str, object] = {
        "scheme": "http",
        "client": None,
        "server": None,
        "state": {},
        "signer": request.caller,
    }
    return http_scope(request.method, path, query.encode(), headers, line)
