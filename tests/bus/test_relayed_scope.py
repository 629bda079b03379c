"""Scope of a request over the bus: the table's application gets the same one as over HTTP."""

import asyncio
import socket
from contextlib import closing

import pytest
from starlette.types import Receive, Scope, Send
from structlog.testing import capture_logs

from controller.bus.relay import Relay, RelayedRequest
from controller.web.api.commands import Caller
from controller.web.net.server import WebServer
from tests.patience import on_loop

LINE = {"client", "server", "scheme", "state", "headers"}  # where the request came from: differs between HTTP and bus


class ScopeRecorder:
    """Application that notes the scopes of its requests."""

    def __init__(self) -> None:
        self.scopes: list[Scope] = []

    async def __call__(self, scope: Scope, _: Receive, send: Send) -> None:
        self.scopes.append({name: value for name, value in scope.items() if name not in LINE and name != "signer"})
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})


async def over_http(app: ScopeRecorder, target: str) -> None:
    """Send a GET request to the application over HTTP."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        web = WebServer(app, listening)
        web.start()
        reader, writer = await asyncio.open_connection(*listening.getsockname())
        writer.write(f"GET {target} HTTP/1.1\r\nhost: t\r\nconnection: close\r\n\r\n".encode())
        await reader.read()
        writer.close()
        await web.stop()


@pytest.mark.parametrize(
    "target", ["/api/state", "/api/rounds/1%30?after=1&until=%20", "/%e2%99%a3?", "/api/state?a=?b"]
)
def test_bus_and_http_requests_have_the_same_scope(target):
    app = ScopeRecorder()

    async def steps():
        await over_http(app, target)
        await Relay(app)(RelayedRequest("GET", target, b"", Caller("manager", "m", "bus:floor")))

    on_loop(steps)
    http, bus = app.scopes
    assert bus == http


def test_an_answer_in_parts_is_whole():
    async def app(_: Scope, __: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for part in (b"a", b"b"):
            await send({"type": "http.response.body", "body": part, "more_body": True})
            await asyncio.sleep(0.01)
        await send({"type": "http.response.body", "body": b"c"})

    async def steps():
        answer = await Relay(app)(RelayedRequest("GET", "/", b"", Caller("manager", "m", "bus:floor")))
        assert (answer.status, answer.body) == (200, b"abc")

    on_loop(steps)


def test_a_failed_request_is_logged_without_its_parameters():
    """Parameters are texts of the sender: the line over HTTP does not have them either."""
    bug = ValueError("a bug")

    async def app(*_: object) -> None:
        raise bug

    async def steps():
        request = RelayedRequest("GET", "/api/v1/rounds?player=Ann", b"", Caller("server", "game", "platform:game"))
        assert (await Relay(app)(request)).status == 500

    with capture_logs() as logged:
        on_loop(steps)
    line = {"event": "bus_request_failed", "log_level": "error", "path": "/api/v1/rounds", "exc_info": bug}
    assert logged == [line]
