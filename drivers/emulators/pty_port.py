"""A serial port without hardware: a pty behind a path that stays, to be plugged and unplugged.

To the program at the path it is a port like any other, and pulling it out is a real hang-up.
"""

import asyncio
import fcntl
import os
import select
import sys
import termios
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from drivers.own_port import SERVED

CHUNK = 4096
LOOK, SETTLED = 0.05, 0.2  # seconds from one look for a host to the next, and for a host to set its line


class PtyPort:
    """The far end of a port. `link` is the path to be opened by a host, a symlink as udev makes them.

    Raises FileExistsError on `plug` if something other than a symlink, or another emulator's, is in the way. The link
    of an emulator that was killed is replaced.
    """

    def __init__(self, link: Path) -> None:
        self.link = link
        self._master: int | None = None
        self._slave: int | None = None
        self._watching: tuple[asyncio.AbstractEventLoop, Callable[[bytes], object]] | None = None

    @property
    def name(self) -> str:
        """Name of the port in a config: the path of the link."""
        return str(self.link)

    @property
    def is_plugged(self) -> bool:
        """True if the path leads to a port."""
        return self._master is not None

    def plug(self) -> None:
        """Make a new pty under the same path; nothing to do if it is plugged in."""
        if self.is_plugged:
            return
        self._check_link()
        # The near end stays open here too: with no host there, reading the far end would else fail without end.
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.fchmod(self._slave, os.fstat(self._slave).st_mode | SERVED)
        os.set_blocking(self._master, False)
        self.link.unlink(missing_ok=True)
        self.link.symlink_to(os.ttyname(self._slave))
        self._watch()

    async def wait_for_host(self) -> None:
        """Wait until a host has the port open, and has set its line: that discards what came before."""
        if self._master is None or self._slave is None:
            return
        os.close(self._slave)  # from now on the far end is hung up until a host opens the near one
        self._slave = None
        far = select.poll()
        far.register(self._master, 0)
        while self._master is not None and far.poll(0):
            await asyncio.sleep(LOOK)
        if self._master is not None:
            self._slave = os.open(self.link, os.O_RDWR | os.O_NOCTTY)
            tty.setraw(self._slave)
            await asyncio.sleep(SETTLED)

    def unplug(self) -> None:
        """Hang up: the path is gone, and a host that has it open reads an error.

        Nothing to do if it is unplugged.
        """
        if self._master is None:
            return
        if self._watching:
            self._watching[0].remove_reader(self._master)
        self.link.unlink(missing_ok=True)
        os.close(self._master)
        if self._slave is not None:
            os.close(self._slave)
        self._master = self._slave = None

    def write(self, data: bytes) -> None:
        """Send bytes to the host.

        As on a real line, data is lost if the port is unplugged or the host is far behind.
        """
        if self._master is not None:
            with suppress(BlockingIOError):
                os.write(self._master, data)

    @property
    def unread_bytes(self) -> int:
        """Number of bytes that were sent and that the host has not read yet; 0 if the port is unplugged."""
        if self._slave is None:
            return 0
        return int.from_bytes(fcntl.ioctl(self._slave, termios.FIONREAD, bytes(4)), sys.byteorder)

    def read(self) -> bytes:
        """Return at most 4096 bytes that the host has sent since the last read; empty if there are none."""
        if self._master is None:
            return b""
        try:
            return os.read(self._master, CHUNK)
        except BlockingIOError:
            return b""

    def watch(self, received: Callable[[bytes], object]) -> None:
        """Call `received` on the running loop with each piece of data from the host, even after unplugging."""
        self._watching = (asyncio.get_running_loop(), received)
        self._watch()

    def _watch(self) -> None:
        if self._watching and self._master is not None:
            loop, received = self._watching
            loop.add_reader(self._master, lambda: received(self.read()))

    def _check_link(self) -> None:
        if self.link.exists() and not self.link.is_symlink():
            raise FileExistsError(f"expected {self.link} to be free for an emulated port, got a file: remove it")
        if self.link.is_char_device() and self._is_served():
            raise FileExistsError(f"expected {self.link} to be free, another emulator serves it: end that one first")

    def _is_served(self) -> bool:
        """True if another emulator serves the port behind the link.

        A port that is younger than the link is not the one that the link was made for: its number was free again after
        that emulator was killed.
        """
        port = self.link.stat()
        return bool(port.st_mode & SERVED) and port.st_ctime_ns <= self.link.lstat().st_mtime_ns
