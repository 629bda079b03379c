"""Relay between a client and a table that cuts its first connections at random moments.

The random numbers have a seed. Bytes to the client are counted, so a cut falls anywhere: before the first line,
within a number, behind an event's last byte.
"""

import asyncio
import random
import socket
import struct
from contextlib import suppress

LONGEST = 0.02  # seconds until a connection is cut, if its bytes do not reach their limit
MOST = 6000  # bytes to the client before a cut, at most
_RESET = struct.pack("ii", 1, 0)  # SO_LINGER of 0 s: closing discards unsent bytes and resets the connection


class CuttingRelay:
    """Relay to the port `table`. It cuts the first `most` connections. `cuts`: number of cuts so far."""

    def __init__(self, table: int, most: int, seed: int) -> None:
        self.cuts = 0
        self._table, self._most, self._dice = table, most, random.Random(seed)
        self._begun = 0
        self._open: set[asyncio.StreamWriter] = set()

    async def __aenter__(self):
        self._server = await asyncio.start_server(self._come, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        while self._open:
            for writer in self._open:
                writer.transport.abort()
            await asyncio.sleep(0.001)

    def cut(self) -> None:
        """Cut all open connections. This counts as one cut, if any was open."""
        self.cuts += bool(self._open)
        for writer in self._open:
            writer.transport.abort()

    async def _come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._begun += 1
        try:
            theirs, ours = await asyncio.open_connection("127.0.0.1", self._table)
        except OSError:  # the table does not run
            writer.transport.abort()
            return
        ends = {writer, ours}
        self._open |= ends
        sending = asyncio.create_task(_hand_on(reader, ours))
        await self._answer(theirs, writer, doomed=self._begun <= self._most)
        for end in ends:
            end.transport.abort()
        await sending
        self._open -= ends

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, doomed: bool) -> None:
        if not doomed:
            await _hand_on(reader, writer)
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(self._dice.uniform(0, LONGEST)):
                await _hand_on(reader, writer, self._dice.randrange(MOST))
        if self._dice.random() < 0.5:
            with suppress(OSError):  # the client has closed it
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self.cuts += 1


async def _hand_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, most: int = 2**63) -> None:
    """Copy at most `most` bytes, or until one end is closed."""
    with suppress(ConnectionError):
        while most and (part := await reader.read(min(most, 65536))):
            writer.write(part)
            await writer.drain()
            most -= len(part)
