"""Client of the bus on connections that close at once, without waiting for the other side.

So a reconnect never waits for the end of an old connection.
"""

import asyncio
import os
import ssl
from contextlib import suppress
from errno import ECONNRESET
from urllib.parse import ParseResult

import nats.aio.client
from nats.aio.transport import TcpTransport

from ..journal.tasks import cancel_tasks
from ..web.net.reads import limit_reads

CLOSE = 1.0  # seconds for the other side to close the connection, too


class EncryptedStream(asyncio.StreamReaderProtocol):
    """Encrypted stream that ends when the other side closes.

    Otherwise asyncio prints a warning about a stream that stays open.
    """

    def eof_received(self) -> bool:
        """Pass the end of the stream to the reader. Returns False, so that the transport closes."""
        super().eof_received()
        return False


class BusConnection(TcpTransport):
    """TCP connection that is aborted at its end, instead of waiting for the other side.

    The library's own connection waits. After a failed handshake the wait never ends, and on a cut line it takes long;
    meanwhile the client does not reconnect.
    """

    def __bool__(self) -> bool:
        return True  # otherwise the library would create a transport of its own

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call] # the library's own has no types
        self._is_final = False

    def end(self) -> None:
        """Refuse to connect from now on."""
        self._is_final = True

    async def connect(self, uri: ParseResult, buffer_size: int, connect_timeout: int) -> None:
        """Open a new connection and drop everything of the attempt before.

        Raises OSError, TimeoutError; after `end` CancelledError, the only error that stops the library's reconnecting.
        """
        self.abort()
        if not self._is_final:
            await super().connect(uri, buffer_size, connect_timeout)
            self._limit_reads()
        if self._is_final:  # `end` may have been called while this connected
            self.abort()
            raise asyncio.CancelledError

    def abort(self) -> None:
        """Drop the present connection at once, without sending what is left."""
        if self._io_writer is not None:
            self._io_writer.transport.abort()

    def _limit_reads(self) -> None:
        if self._io_writer is not None:
            limit_reads(self._io_writer.transport)

    async def connect_tls(
        self, uri: str | ParseResult, ssl_context: ssl.SSLContext, buffer_size: int, connect_timeout: int
    ) -> None:
        """Encrypt the connection, as the library does, on an EncryptedStream. Raises OSError, TimeoutError."""
        loop, reader = asyncio.get_running_loop(), asyncio.StreamReader(limit=buffer_size)
        protocol, transport = EncryptedStream(reader), None
        name = uri if isinstance(uri, str) else uri.hostname
        if self._io_writer is not None:
            async with asyncio.timeout(connect_timeout):
                transport = await loop.start_tls(self._io_writer.transport, protocol, ssl_context, server_hostname=name)
        if transport is None:
            raise ConnectionResetError(ECONNRESET, os.strerror(ECONNRESET))
        self._io_reader, self._io_writer = reader, asyncio.StreamWriter(transport, protocol, reader, loop)
        self._limit_reads()

    def writelines(self, payload: list[bytes]) -> None:
        """Write the remaining bytes; do nothing if there is no open connection."""
        if self._io_writer is not None and not self._io_writer.is_closing():
            self._io_writer.writelines(payload)

    async def drain(self) -> None:
        """Wait until written bytes are sent; return at once without a connection."""
        if self._io_writer is not None:
            await self._io_writer.drain()

    async def wait_closed(self) -> None:
        """Wait at most CLOSE seconds for the connection to close, then abort it."""
        if self._io_writer is None:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE):
                await self._io_writer.wait_closed()
        self._io_writer.transport.abort()


class NatsClient(nats.aio.client.Client):
    """Client of nats-py over a `BusConnection`."""

    def __init__(self) -> None:
        super().__init__()
        self._transport = self._connection = BusConnection()

    async def close(self) -> None:
        """Close the client for good, also while it reconnects, and if the line is lost just then.

        The library cancels its reconnecting once. On Python 3.11 a cancellation is lost if an awaited answer comes in
        the same turn of the loop; the client would then connect again, for ever.
        """
        self._connection.end()
        await self._close_once()
        reconnecting = self._reconnection_task
        if reconnecting is not None and reconnecting is not asyncio.current_task():
            await cancel_tasks([reconnecting])
        if not self.is_closed:  # the reconnecting task had connected again before it ended
            await self._close_once()
        self._connection.abort()  # also a connection that was opened after a server error had closed the client

    async def _close_once(self) -> None:
        with suppress(OSError):
            await super().close()
