"""Table with its API on a real Unix socket in this process, and clients that connect to it.

A client uses the socket in a thread or a stream of its own, as another program would.
"""

import asyncio
import json
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import structlog

from controller.cli.client import TableReply, ask
from controller.core import events as e
from controller.core.house import House
from controller.web.listeners import TableDoors
from controller.web.net.sockets import Listening
from tests.patience import PATIENCE
from tests.table.test_table import HOUSE, JournaledTable

NATURAL = ("9C", "2D", "KD", "3H")  # Player 9, Banker 5: nobody draws
OPEN, CLOSE = {"command": "open", "id": "o"}, {"command": "close", "id": "c"}
T = TypeVar("T")


class Spoken:
    """Running table that answers requests on its socket. `path`: folder for its files."""

    def __init__(self, path: Path, house: House = HOUSE) -> None:
        self.rig = JournaledTable(path / "t.journal", house)
        self.table, self.socket = self.rig.table, path / "t.sock"
        self.listening = Listening(self.socket)
        self.api = self.doors()
        self.crashes: list[dict[str, Any]] = []  # exceptions that would have ended the program

    def doors(self) -> TableDoors:
        return TableDoors(self.table, self.rig.path, self.listening)

    async def __aenter__(self):
        asyncio.get_running_loop().set_exception_handler(lambda _, context: self.crashes.append(context))
        self.table.start("d1")
        self.api.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.api.stop()
        self.listening.close()
        self.rig.close()
        assert self.crashes == []

    async def ask(self, method: str, target: str, body: object = None) -> TableReply:
        return await asyncio.to_thread(ask, self.socket, method, target, body)

    async def send(self, *commands: dict[str, Any], role: str = "manager", status: int = 200) -> list[dict[str, Any]]:
        """Send commands and return their verdicts."""
        body = commands[0] if len(commands) == 1 else list(commands)
        reply = await self.ask("POST", f"/api/commands?role={role}", body)
        assert reply.status == status, reply
        return reply.body["verdicts"]

    async def state(self, role: str = "manager") -> dict[str, Any]:
        reply = await self.ask("GET", f"/api/state?role={role}")
        assert reply.status == 200, reply
        return reply.body

    def paused(self) -> int:
        """Deal a card while bets are open, and return the number of the fault."""
        self.rig.take(e.Open(), e.CardOut("5H"))
        assert self.table.state.fault is not None
        return self.table.state.fault.seq

    def face_down(self) -> None:
        """Deal a hold'em round up to the dealer's two face-down cards, 5C and 7D."""
        self.rig.take(e.NewDeck(), e.Open(), e.PlaceBet("p1", "ante", 1000), e.Close())
        self.rig.deal("KS", "KD", "5C", "7D")

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """Connect to the table's socket and yield the reader and the writer."""
        reader, writer = await asyncio.open_unix_connection(str(self.socket))
        try:
            yield reader, writer
        finally:
            writer.close()

    @asynccontextmanager
    async def following(self, target: str, *headers: str) -> AsyncIterator[asyncio.StreamReader]:
        """Request a stream of events and yield its reader, positioned after the head of the answer."""
        async with self.connected() as (reader, writer):
            lines = [f"GET {target} HTTP/1.1", "host: t", *headers, "", ""]
            writer.write("\r\n".join(lines).encode())
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200 "), head
            yield reader


async def events(reader: asyncio.StreamReader) -> AsyncIterator[tuple[int, dict[str, Any]]]:
    """Yield the number and the content of each event of a stream, until the stream ends."""
    async for line in chunked(reader):
        if line.startswith(b"id: "):
            number = int(line[4:])
        elif line.startswith(b"data: "):
            yield number, json.loads(line[6:])


async def chunked(reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """Yield the lines of a chunked body, without an incomplete last line."""
    rest = b""
    while size := await reader.readline():
        part = await reader.readexactly(int(size, 16) + 2)
        *lines, rest = (rest + part[:-2]).split(b"\n")
        for line in lines:
            yield line
        if int(size, 16) == 0:
            return


class ThreadedTable:
    """Table on a loop of its own, in a thread, for tests that send many requests to one table."""

    def __init__(self, path: Path, kind: type[Spoken] = Spoken) -> None:
        self._path, self._kind = path, kind
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.do(self._close)
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def do(self, steps: Callable[[Spoken], Coroutine[Any, Any, T]]) -> T:
        """Run steps with the table and return their result. The first call starts the table."""
        return asyncio.run_coroutine_threadsafe(self._with_table(steps), self._loop).result(2 * PATIENCE)

    async def _with_table(self, steps: Callable[[Spoken], Coroutine[Any, Any, T]]) -> T:
        if not hasattr(self, "_table"):
            self._table = await self._kind(self._path).__aenter__()
        return await steps(self._table)

    async def _close(self, table: Spoken) -> None:
        await table.__aexit__()
        await self._loop.shutdown_default_executor()


def capture_log() -> Any:
    """Return a context manager that captures the log as a list."""
    return structlog.testing.capture_logs()
