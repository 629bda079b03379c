"""Emulated serial device server: a TCP address with one device behind it, in raw mode.

A host opens it as `socket://HOST:PORT`. One host is served at a time, as such servers do; the next is let in once it
has gone. Unplugging removes the server from the network.
"""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress

CHUNK = 4096
LOOK = 0.05  # seconds from one look for a host to the next


class TcpPort:
    """Far end of a serial line over TCP.

    Call `plug` on a running loop; it raises OSError if the address is taken. Port 0 picks any free port, and the same
    one at each later plug.
    """

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self._server: socket.socket | None = None
        self._line: socket.socket | None = None
        self._unread = bytearray()
        self._received: Callable[[bytes], object] = self._unread.extend

    @property
    def is_plugged(self) -> bool:
        """True if a host can find the port."""
        return self._server is not None

    @property
    def name(self) -> str:
        """Name of the port in a config: `socket://HOST:PORT`."""
        return f"socket://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    def plug(self) -> None:
        """Start to listen; does nothing if it listens already."""
        if self._server is None:
            family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
            self._server = socket.create_server((self.host, self.port), family=family, backlog=1)
            self._server.settimeout(0)
            self.port = self._server.getsockname()[1]
            self._let_in()

    async def wait_for_host(self) -> None:
        """Wait until a host is connected."""
        while self._line is None:
            await asyncio.sleep(LOOK)

    def unplug(self) -> None:
        """Stop to listen: a host with the line open reads its end, and cannot connect again."""
        if self._server is not None:
            self._loop.remove_reader(self._server)
            self._server.close()
            self._server = None
        self._hang_up()

    def write(self, data: bytes) -> None:
        """Send bytes to the host.

        They are lost if the port is unplugged, nobody is connected, or the host is far behind.
        """
        if self._line is not None:
            with suppress(OSError):  # a closed connection is noticed when it is read
                self._line.send(data)

    def read(self) -> bytes:
        """Return the bytes sent by the host since the last read; empty if none, or if `watch` was called."""
        data = bytes(self._unread)
        self._unread.clear()
        return data

    def watch(self, received: Callable[[bytes], object]) -> None:
        """Call `received` with each piece of data from the host, even after unplugging."""
        self._received = received

    @property
    def _loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    def _let_in(self) -> None:
        if self._server is not None:
            self._loop.add_reader(self._server, self._accept, self._server)

    def _accept(self, server: socket.socket) -> None:
        try:
            line, _ = server.accept()
        except OSError:  # the host has disconnected already
            return
        line.settimeout(0)
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._line = line
        self._loop.remove_reader(server)  # the next one waits
        self._loop.add_reader(line, self._hear, line)

    def _hear(self, line: socket.socket) -> None:
        try:
            data = line.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self._received(data)
        else:
            self._hang_up()
            self._let_in()

    def _hang_up(self) -> None:
        if self._line is not None:
            self._loop.remove_reader(self._line)
            self._line.close()
            self._line = None
        self._unread.clear()
