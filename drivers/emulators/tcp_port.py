"""A serial device server without hardware: a TCP address behind which one device stands, in raw mode.

A host opens it as `socket://HOST:PORT`. One host is served at a time, as such servers do; the next is let in
once it has gone. Pulling the cable is the server gone from the network.
"""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress

CHUNK = 4096


class TcpPort:
    """The far end of such a line. `plug` is to be called on a running loop; it raises OSError where the address is
    taken. Port 0 is any that is free, from the first plug on the same one."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self._server: socket.socket | None = None
        self._line: socket.socket | None = None
        self._unread = bytearray()
        self._received: Callable[[bytes], object] = self._unread.extend

    @property
    def plugged(self) -> bool:
        """Whether a host can find it."""
        return self._server is not None

    @property
    def name(self) -> str:
        """What a config calls it."""
        return f"socket://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"

    def plug(self) -> None:
        """Listen; nothing to do if it does."""
        if self._server is None:
            family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
            self._server = socket.create_server((self.host, self.port), family=family, backlog=1)
            self._server.settimeout(0)
            self.port = self._server.getsockname()[1]
            self._let_in()

    def unplug(self) -> None:
        """Be gone: a host that has the line open reads its end, and finds nobody."""
        if self._server is not None:
            self._loop.remove_reader(self._server)
            self._server.close()
            self._server = None
        self._hang_up()

    def write(self, data: bytes) -> None:
        """To the host. What nobody reads is lost: unplugged, nobody connected, or a host that is far behind."""
        if self._line is not None:
            with suppress(OSError):  # one that has gone is noticed by reading
                self._line.send(data)

    def read(self) -> bytes:
        """What the host has sent since the last read; empty if nothing, or if it is watched."""
        data = bytes(self._unread)
        self._unread.clear()
        return data

    def watch(self, received: Callable[[bytes], object]) -> None:
        """Call `received` with what the host sends, as it comes; across unplugging too."""
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
        except OSError:  # it has gone again
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
