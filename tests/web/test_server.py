"""Connections of the network door and the socket: reads, turns, timeouts, queue and end."""

import asyncio
import gc
import socket
import ssl
import struct
import weakref
from contextlib import ExitStack, closing, suppress
from functools import partial
from http.client import HTTPConnection, HTTPSConnection
from types import SimpleNamespace

import pytest

from controller.web.api import api
from controller.web.net import connection, server
from controller.web.net.exchange import HttpExchange
from controller.web.net.reads import READ
from controller.web.net.turns import Turns
from tests.clocks import leap
from tests.patience import PATIENCE, on_loop, turns, until
from tests.web.conftest import AUTHORITY
from tests.web.net import BrowserPerson, NetworkTable
from tests.web.rig import Spoken

HEALTH = b"GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"


def test_an_answer_does_not_wait_for_the_last_ones_receipt(tmp_path):
    """Otherwise each answer takes 40 ms on a connection that is kept open."""

    async def steps():
        async with NetworkTable(tmp_path) as table:
            _, writer = await asyncio.open_connection("127.0.0.1", table.port)
            (_, server) = table.api._servers
            await until(lambda: server.connections)
            (door,) = server.connections
            ours = door.transport.get_extra_info("socket")
            assert ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            writer.close()

    on_loop(steps)


@pytest.mark.parametrize("encrypted", [False, True])
def test_a_long_body_is_read_in_small_pieces(tmp_path, files, monkeypatch, encrypted):
    """Large read buffers that hold few bytes fragment the memory of a table."""
    rooms = []
    if encrypted:
        read = ssl.SSLObject.read
        monkeypatch.setattr(ssl.SSLObject, "read", lambda line, room: rooms.append(room) or read(line, room))
    else:
        take = connection.HttpConnection.data_received
        monkeypatch.setattr(
            connection.HttpConnection, "data_received", lambda door, data: rooms.append(len(data)) or take(door, data)
        )
    trusting = ssl.create_default_context()
    AUTHORITY.configure_trust(trusting)
    way = {"context": trusting} if encrypted else {}

    def post(port: int, token: str) -> int:
        client = (HTTPSConnection if encrypted else HTTPConnection)("127.0.0.1", port, timeout=PATIENCE, **way)
        with closing(client) as line:
            line.request("POST", "/api/commands", b" " * 900_000 + b"[]", {"authorization": f"Bearer {token}"})
            return line.getresponse().status

    async def steps():
        async with NetworkTable(tmp_path, **(files if encrypted else {})) as table:
            return await asyncio.to_thread(post, table.port, table.token)

    assert on_loop(steps) in (200, 400)
    assert sum(rooms) > 900_000
    assert max(rooms) <= READ


def test_devices_are_heard_between_any_two_requests():
    order = []

    async def steps():
        loop, turns = asyncio.get_running_loop(), Turns()

        def device() -> None:
            order.append("device")
            if len(order) < 12:
                loop.call_soon(device)

        loop.call_soon(device)
        for number in range(3):
            turns.wait(partial(order.append, number))
        await until(lambda: len(order) >= 12)
        turns.wait(partial(order.append, "later"))
        await until(lambda: order[-1] == "later")

    on_loop(steps)
    assert order[:6] == ["device", 0, "device", 1, "device", 2]


def test_simultaneous_and_pipelined_requests_are_all_answered(tmp_path):
    async def steps():
        async with NetworkTable(tmp_path) as table:
            people = [await asyncio.open_connection("127.0.0.1", table.port) for _ in range(40)]
            for _, writer in people:
                writer.write(HEALTH * 3)
            for reader, writer in people:
                for _ in range(3):
                    head = await reader.readuntil(b"\r\n\r\n")
                    assert head.startswith(b"HTTP/1.1 200 ")
                    await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].split()[0]))
                writer.close()

    on_loop(steps)


async def patience_ends() -> None:
    """Put the clock forward until connections without a request in progress have used up their time."""
    await turns()
    for _ in range(2):  # a connection answered before the first check is closed at the second
        leap(server.PATIENCE)
        await turns()


@pytest.mark.parametrize(
    "begun",
    [b"", HEALTH[:-1], HEALTH, HEALTH + HEALTH[:-1]],
    ids=["nothing", "half of one", "one", "one and half of another"],
)
def test_a_connection_without_a_complete_request_is_closed(tmp_path, begun):
    async def steps():
        async with Spoken(tmp_path) as table, table.connected() as (reader, writer):
            writer.write(begun)
            for _ in range(begun.count(HEALTH)):
                assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
            await until(lambda: table.api._servers[0].connections)
            await patience_ends()
            assert b"HTTP/1.1 200 " not in await reader.read()  # to its end

    on_loop(steps)


def test_bytes_after_an_answer_do_not_keep_the_connection(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table, table.connected() as (reader, writer):
            writer.write(b"GET /healthz HTTP/1.1\r\nhost: t\r\ncontent-length: 1000000\r\n\r\n")
            assert (await reader.readline()).startswith(b"HTTP/1.1 200 ")
            for _ in range(3):
                writer.write(b"x")
                await patience_ends()
            await until(lambda: not table.api._servers[0].connections)

    on_loop(steps)


@pytest.mark.parametrize("ends", ["answered", "client gone"])
def test_a_request_that_is_over_reads_as_disconnected(ends):
    carrier = SimpleNamespace(transport=SimpleNamespace(write=lambda _: None), writable=asyncio.Event())
    carrier.read_on = carrier.finish_answer = lambda: None
    request = HttpExchange({"type": "http", "method": "GET"}, carrier, keeps=True, is_asked=False)

    async def steps():
        carrier.writable.set()
        if ends == "client gone":
            request.hang_up()
        await request.send({"type": "http.response.start", "status": 204, "headers": []})
        await request.send({"type": "http.response.body"})
        for _ in range(2):
            assert await request.receive() == {"type": "http.disconnect"}

    with pytest.raises(StopIteration):
        steps().send(None)  # nothing waits


def test_a_connection_with_an_open_stream_is_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(api, "HEARTBEAT", 0.01)

    async def steps():
        async with Spoken(tmp_path) as table, table.following("/api/events") as reader:
            for _ in range(4):
                await reader.readuntil(b"\r\n:\n\r\n")
                leap(server.PATIENCE)

    on_loop(steps)


def test_nothing_is_kept_of_a_connection_that_is_over(tmp_path):
    """At a thousand connections a second, collecting their remains as garbage would delay a card."""

    async def steps():
        async with Spoken(tmp_path) as table:
            await table.state()
            first = {weakref.ref(one) for one in gc.get_objects() if isinstance(one, connection.HttpConnection)}
            await table.state()  # a new connection removes the closed ones
            gc.collect()
            assert first
            assert not [one for one in first if (door := one()) and door._loop is asyncio.get_running_loop()]

    on_loop(steps)


def waiting_at(listening: socket.socket) -> int:
    """Return how many connections nobody has accepted yet: `tcpi_unacked` of the listening socket."""
    (waiting,) = struct.unpack_from("I", listening.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 32), 24)
    return waiting


def test_many_simultaneous_connections_wait_and_are_answered(tmp_path):
    """Beyond its queue the kernel uses SYN cookies, and resets a connection with an unknown cookie."""

    async def steps():
        async with NetworkTable(tmp_path) as table:
            await BrowserPerson(table).ask("GET", "/healthz")
            with ExitStack() as stack:
                sockets = list[socket.socket]()
                for _ in range(100):  # none is accepted meanwhile
                    sockets.append(stack.enter_context(socket.create_connection(("127.0.0.1", table.port), PATIENCE)))
                    sockets[-1].sendall(b"GET /nothing HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
                assert waiting_at(table.net.socket) == len(sockets)
                answers = [await asyncio.to_thread(one.recv, 12) for one in sockets]
                assert {answer[:9] for answer in answers} == {b"HTTP/1.1 "}

    on_loop(steps)


async def _empty(scope, receive, send):
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body"})


@pytest.mark.parametrize("late", range(6))
def test_a_client_connecting_just_before_the_stop_is_closed(late):
    """The client connects this number of turns of the loop before the server stops."""
    with closing(socket.create_server(("127.0.0.1", 0))) as listening, closing(socket.socket()) as client:

        async def steps():
            web = server.WebServer(_empty, listening)
            web.start()
            await turns()
            client.connect(listening.getsockname())
            for _ in range(late):
                await asyncio.sleep(0)
            await web.stop()

        on_loop(steps)
        gc.collect()
        client.settimeout(PATIENCE)
        with suppress(ConnectionResetError):
            assert client.recv(1) == b""


def test_a_stop_waits_for_requests_whose_client_has_gone():
    """A ruling under way is carried out, though its page was closed."""
    begun, released, done = asyncio.Event(), asyncio.Event(), []

    async def app(scope, receive, send):
        begun.set()
        await released.wait()
        done.append(scope["path"])

    with closing(socket.create_server(("127.0.0.1", 0))) as listening:

        async def steps():
            web = server.WebServer(app, listening)
            web.start()
            await turns()
            _, writer = await asyncio.open_connection(*listening.getsockname())
            writer.write(HEALTH)
            await begun.wait()
            writer.close()
            await until(lambda: not web.connections)
            async with asyncio.TaskGroup() as group:
                group.create_task(web.stop())
                await turns()
                released.set()

        on_loop(steps)
    assert done == ["/healthz"]
