"""What is asked over the bus is asked of the table's own API, as over HTTP: by the same routes, with the same answers.

GET of what is a stream     what it has at once, as a list: the data of its events, so many from the first as are a page
"""

import asyncio
from collections.abc import Iterator, MutableMapping, Sequence
from typing import Any, NamedTuple

import structlog
from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Message

from ..web.access.persons import Persons
from ..web.api.commands import Caller, Role
from ..web.api.request_parameters import role_of

PAGE = 500_000  # bytes of a stream's events in one answer; one that is larger is a page of its own
AT_ONCE = 0.25  # seconds within which a stream has to say what it has
AS: dict[str, tuple[Role, ...]] = {"manager": ("manager", "dealer", "player"), "server": ("server", "player")}
_STREAM, _DATA = b"text/event-stream", b"data: "


class Answer(NamedTuple):
    """What came of it, as over HTTP."""

    status: int
    body: bytes


class Asked(NamedTuple):
    """What is asked, and by whom."""

    method: str
    target: str  # path and query
    body: bytes
    caller: Caller


class BusSignOn:
    """Who is asking is who the bus' requests say; they may look at it as others who may see no more."""

    def __init__(self, persons: Persons) -> None:
        self._persons = persons

    async def __call__(self, request: Request) -> Caller:
        """The caller. Raises HTTPException, BadUsers."""
        caller: Caller = request.scope["caller"]
        role = role_of(request)
        if role is not None and (role not in AS[caller.role] or (role != caller.role and request.method != "GET")):
            raise HTTPException(403, f"role: expected one of {', '.join(AS[caller.role])}, got {role}")
        people = self._persons.people() if caller.role == "manager" else None
        return replace(caller, role=role or caller.role, people=people)


class Relay:
    """Before an application. In the table's own loop."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, asked: Asked) -> Answer:
        """Ask it."""
        said = _Said(asked.body)
        answering = asyncio.ensure_future(self._app(_scope(asked), said.receive, said.send))
        enough = asyncio.create_task(said.enough.wait())
        try:
            await asyncio.wait((answering, enough), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (answering, enough):
                task.cancel()
            await asyncio.wait((answering, enough))
        if not answering.cancelled() and (error := answering.exception()) is not None:
            structlog.get_logger().error("bus_request_failed", target=asked.target, exc_info=error)
        return said.answer()


class _Said:
    """One request and what is answered to it."""

    def __init__(self, body: bytes) -> None:
        self.enough = asyncio.Event()
        self._body: bytes | None = body
        self._status, self._stream, self._answer = 500, False, bytearray()

    async def receive(self) -> Message:
        """The body; and nothing more, ever."""
        if self._body is None:
            await asyncio.Event().wait()
        body, self._body = self._body, None
        return {"type": "http.request", "body": body}

    async def send(self, message: Message) -> None:
        """A part of the answer."""
        if message["type"] == "http.response.start":
            self._status = message["status"]
            self._stream = any(value.startswith(_STREAM) for _, value in message["headers"])
            if self._stream:
                asyncio.get_running_loop().call_later(AT_ONCE, self.enough.set)
            return
        self._answer += message.get("body", b"")
        if not message.get("more_body") or (self._stream and _DATA in self._answer):
            self.enough.set()

    def answer(self) -> Answer:
        """All of it."""
        if not self._stream:
            return Answer(self._status, bytes(self._answer))
        lines = [line.removeprefix(_DATA) for line in self._answer.split(b"\n") if line.startswith(_DATA)]
        return Answer(self._status, b"[%s]" % b",".join(_page(lines)))


def _page(events: Sequence[bytes | bytearray]) -> Iterator[bytes | bytearray]:
    left = PAGE
    for number, event in enumerate(events):
        left -= len(event) + 1
        if left < 0 and number:
            return
        yield event


def _scope(asked: Asked) -> MutableMapping[str, Any]:
    path, _, query = asked.target.partition("?")
    return {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http", "root_path": "",
        "method": asked.method, "path": path, "raw_path": path.encode(), "query_string": query.encode(),
        "headers": [(b"host", b"bus"), (b"content-length", b"%d" % len(asked.body))],
        "client": None, "server": None, "state": {}, "caller": asked.caller,
    }  # fmt: skip
