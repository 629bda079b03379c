"""Clients with connections of their own, plain or encrypted, from any address of this PC."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from msgspec import Struct

from tests.patience import PATIENCE
from tests.web.conftest import AUTHORITY
from tests.web.net import NetworkTable

TRUSTING = ssl.create_default_context()
AUTHORITY.configure_trust(TRUSTING)
FOLLOW, LOOK = "/api/events?role=player", "/api/screen?role=player"


class RawAnswer(Struct):
    """Answer to a request: status, headers, and the body if it has an end."""

    status: int
    headers: dict[str, str]
    body: Any = None


class RawConnection:
    """Connection on which a test writes HTTP requests itself."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self._writer = reader, writer

    @classmethod
    async def to(cls, table: NetworkTable, host: str) -> "RawConnection":
        trusting = None if table.net.certificate is None else TRUSTING
        return cls(*await asyncio.open_connection("127.0.0.1", table.port, local_addr=(host, 0), ssl=trusting))

    def says(self, method: str, target: str, body: object = None, **headers: str) -> None:
        """Send a request without waiting for its answer."""
        content = b"" if body is None else json.dumps(body).encode()
        fields = {"host": "127.0.0.1", "content-length": str(len(content)), **headers}
        lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
        self._writer.write("\r\n".join(lines).encode() + content)

    async def hears(self) -> RawAnswer:
        """Read one answer from the connection."""
        async with asyncio.timeout(PATIENCE):
            first, *fields = (await self.reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
            headers = {name.lower(): value for name, _, value in (field.partition(": ") for field in fields)}
            body = await self.reader.readexactly(int(headers.get("content-length", 0)))
        typed = headers.get("content-type", "")
        return RawAnswer(int(first.split()[1]), headers, json.loads(body) if "json" in typed else body)

    def close(self) -> None:
        self._writer.transport.abort()


async def ask(
    table: NetworkTable, host: str, method: str, target: str, body: object = None, **headers: str
) -> RawAnswer:
    """Send one request on a connection of its own and return the answer."""
    line = await RawConnection.to(table, host)
    try:
        line.says(method, target, body, **headers)
        return await line.hears()
    finally:
        line.close()


@asynccontextmanager
async def lines(table: NetworkTable, counts: Mapping[str, int]) -> AsyncIterator[list[RawConnection]]:
    """Open the given number of connections from each address, and close them at the end."""
    opened = [await RawConnection.to(table, host) for host, count in counts.items() for _ in range(count)]
    try:
        yield opened
    finally:
        for line in opened:
            line.close()


async def follow(opened: list[RawConnection], target: str = FOLLOW, **headers: str) -> list[RawAnswer]:
    """Request a stream on every connection and return the answers."""
    for line in opened:
        line.says("GET", target, **headers)
    return [await line.hears() for line in opened]
