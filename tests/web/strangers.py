"""People on lines of their own, plain or encrypted, from whichever of this PC's addresses; and what each is told."""

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from msgspec import Struct

from tests.patience import PATIENCE
from tests.web.conftest import AUTHORITY
from tests.web.net import OnTheNet

TRUSTING = ssl.create_default_context()
AUTHORITY.configure_trust(TRUSTING)
FOLLOW, LOOK = "/api/events?role=player", "/api/screen?role=player"


class Told(Struct):
    """The head of an answer, and its body where that has an end."""

    status: int
    headers: dict[str, str]
    body: Any = None


class Line:
    """Connection that HTTP is written on by hand."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self._writer = reader, writer

    @classmethod
    async def to(cls, table: OnTheNet, host: str) -> "Line":
        trusting = None if table.net.certificate is None else TRUSTING
        return cls(*await asyncio.open_connection("127.0.0.1", table.port, local_addr=(host, 0), ssl=trusting))

    def says(self, method: str, target: str, body: object = None, **headers: str) -> None:
        content = b"" if body is None else json.dumps(body).encode()
        fields = {"host": "127.0.0.1", "content-length": str(len(content)), **headers}
        lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items()), "", ""]
        self._writer.write("\r\n".join(lines).encode() + content)

    async def hears(self) -> Told:
        async with asyncio.timeout(PATIENCE):
            first, *fields = (await self.reader.readuntil(b"\r\n\r\n")).decode().strip().split("\r\n")
            headers = {name.lower(): value for name, _, value in (field.partition(": ") for field in fields)}
            body = await self.reader.readexactly(int(headers.get("content-length", 0)))
        typed = headers.get("content-type", "")
        return Told(int(first.split()[1]), headers, json.loads(body) if "json" in typed else body)

    def close(self) -> None:
        self._writer.transport.abort()


async def ask(table: OnTheNet, host: str, method: str, target: str, body: object = None, **headers: str) -> Told:
    """Ask one question on a connection of its own."""
    line = await Line.to(table, host)
    try:
        line.says(method, target, body, **headers)
        return await line.hears()
    finally:
        line.close()


@asynccontextmanager
async def lines(table: OnTheNet, counts: Mapping[str, int]) -> AsyncIterator[list[Line]]:
    """So many from each of these addresses."""
    opened = [await Line.to(table, host) for host, count in counts.items() for _ in range(count)]
    try:
        yield opened
    finally:
        for line in opened:
            line.close()


async def follow(opened: list[Line], target: str = FOLLOW, **headers: str) -> list[Told]:
    """All of them ask for a stream; what each is told."""
    for line in opened:
        line.says("GET", target, **headers)
    return [await line.hears() for line in opened]
