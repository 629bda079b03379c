"""A serial port without hardware: a pty behind a path that stays, to be plugged and unplugged.

To the program at the path it is a port like any other, and pulling it out is a real hang-up.
"""

import asyncio
import os
import tty
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

CHUNK = 4096


class PtyPort:
    """The far end of a port. `link` is the path to be opened by a host, a symlink as udev makes them.

    Raises FileExistsError on `plug` if something other than a symlink is in the way.
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
    def plugged(self) -> bool:
        """True if the path leads to a port."""
        return self._master is not None

    def plug(self) -> None:
        """Make a new pty under the same path; nothing to do if it is plugged in."""
        if self.plugged:
            return
        self._check_link()
        # The near end stays open here too: with no host there, reading the far end would else fail without end.
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.link.unlink(missing_ok=True)
        self.link.symlink_to(os.ttyname(self._slave))
        self._watch()

    def unplug(self) -> None:
        """Hang up: the path is gone, and a host that has it open reads an error.

        Nothing to do if it is unplugged.
        """
        if self._master is None or self._slave is None:
            return
        if self._watching:
            self._watching[0].remove_reader(self._master)
        self.link.unlink(missing_ok=True)
        os.close(self._master)
        os.close(self._slave)
        self._master = self._slave = None

    def write(self, data: bytes) -> None:
        """Send bytes to the host.

        As on a real line, data is lost if the port is unplugged or the host is far behind.
        """
        if self._master is not None:
            with suppress(BlockingIOError):
                os.write(self._master, data)

    def read(self) -> bytes:
        """Bytes that the host has sent since the last read, at most 4096; empty if there are none."""
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
