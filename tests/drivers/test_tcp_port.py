"""Emulated TCP device server, read through the real serial link."""

import asyncio
import socket
from contextlib import asynccontextmanager

import pytest

from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.tcp_port import TcpPort
from drivers.events import CardRead, Found, Lost
from drivers.own_port import OwnPort
from drivers.serial_link import SerialLink
from drivers.shoes.angel_eye import AngelEye
from tests.patience import PATIENCE, until


@asynccontextmanager
async def server():
    port = TcpPort("127.0.0.1", 0)
    port.plug()
    try:
        yield port
    finally:
        port.unplug()


@asynccontextmanager
async def host(port: TcpPort, codec: AngelEye):
    news = asyncio.Queue()
    link = SerialLink(OwnPort(port.name), codec, news.put_nowait)

    async def hears(kind):
        event = await asyncio.wait_for(news.get(), PATIENCE)
        assert isinstance(event, kind), event
        return event

    link.start()
    try:
        yield link, hears
    finally:
        await link.stop()


def test_a_shoe_behind_a_device_server_is_heard_and_answers():
    async def steps():
        async with server() as port, host(port, codec := AngelEye(allow=frozenset({"lock"}))) as (link, hears):
            shoe = EmulatedAngelEye(port, cards=["8S"])
            shoe.watch()
            await hears(Found)
            shoe.draw()
            assert (await hears(CardRead)).card == "8S"
            link.send(codec.lock())
            await until(lambda: shoe.locked)

    asyncio.run(steps())


def test_a_device_server_keeps_its_port_when_replugged():
    async def steps():
        async with server() as port, host(port, AngelEye()) as (_, hears):
            await hears(Found)
            for _ in range(2):
                port.unplug()
                await hears(Lost)
                port.plug()
                await hears(Found)

    asyncio.run(steps())


def test_a_second_host_is_served_after_the_first_leaves():
    async def steps():
        loop = asyncio.get_running_loop()
        async with server() as port:
            with socket.create_connection((port.host, port.port)) as first:
                await until_served(port, first)
                with socket.create_connection((port.host, port.port)) as second:
                    port.write(b"one")
                    first.setblocking(False)
                    assert await asyncio.wait_for(loop.sock_recv(first, 9), PATIENCE) == b"one"
                    first.close()
                    await until_served(port, second)

    asyncio.run(steps())


async def until_served(port: TcpPort, host: socket.socket):
    """Wait until the port has received a byte from this host."""
    host.setblocking(False)
    host.send(b"?")
    await until(lambda: port.read() == b"?")


def test_an_address_that_is_taken_is_refused():
    async def steps():
        async with server() as port:
            with pytest.raises(OSError, match="in use"):
                TcpPort(port.host, port.port).plug()

    asyncio.run(steps())


def test_bytes_written_without_a_host_are_lost():
    async def steps():
        async with server() as port:
            port.write(b"nobody hears this")
            assert port.read() == b""
        port.write(b"nor this")

    asyncio.run(steps())
