"""Closing a bus client while it reconnects: the client ends and leaves no connection open."""

import asyncio
from pathlib import Path
from urllib.parse import urlparse

import nats

from controller.bus import bus_client
from controller.bus.bus_client import BusClient, options
from controller.bus.keys import credentials_in
from tests.bus.two_pcs import Wire
from tests.patience import PATIENCE, on_loop, turns, until

LIBRARY = Path(nats.__file__).parent
MOMENTS = 40  # turns of the event loop to try, from the client's new connection until it is closed


def tasks_of_client() -> list[str]:
    """Return the names of the nats library's tasks on this loop that have not ended."""
    begun = [task.get_coro() for task in asyncio.all_tasks()]
    return [coro.__qualname__ for coro in begun if Path(coro.cr_code.co_filename).is_relative_to(LIBRARY)]


def test_a_client_closed_while_it_reconnects_leaves_no_connection(server, monkeypatch):
    monkeypatch.setattr(bus_client, "AGAIN", 0.02)
    parameters = server.section(), credentials_in(server.seed("tables", "t1")), server.inbox("tables", "t1")

    async def close_after(moments: int) -> None:
        async with Wire(server) as wire:
            client = BusClient({**options(*parameters), "servers": list(wire.section.servers)})
            await client.open()
            wire.cut()
            await until(lambda: not wire.lines)
            wire.join()
            while not wire.lines:
                await asyncio.sleep(0)
            await turns(moments)
            await client.close()
            await until(lambda: not wire.lines and not tasks_of_client())
            assert client.client.is_closed

    for moments in range(MOMENTS):
        on_loop(lambda moments=moments: close_after(moments))


def test_a_connection_made_after_its_client_was_closed_is_dropped(server):
    parameters = server.section(), credentials_in(server.seed("tables", "t1")), server.inbox("tables", "t1")

    async def steps() -> None:
        async with Wire(server) as wire:
            client = BusClient({**options(*parameters), "servers": list(wire.section.servers)})
            await client.open()
            await client.client._close(client.client.CLOSED)
            await until(lambda: not wire.lines)
            await client.client._connection.connect(urlparse(wire.section.servers[0]), 1024, PATIENCE)
            await until(lambda: wire.lines)
            await client.close()
            await until(lambda: not wire.lines)

    on_loop(steps)
