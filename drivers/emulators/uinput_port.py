"""Emulated typing device: a keyboard made by the kernel (uinput), behind a path that stays.

What is written to it is typed, a line end as Enter. How sure: the kernel's headers (linux/uinput.h).
"""

import fcntl
import os
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Final

from drivers.emulators.typist import keystrokes
from drivers.keyboards.input_events import EV_KEY

UINPUT: Final = Path("/dev/uinput")
UI_DEV_CREATE, UI_DEV_DESTROY, UI_DEV_SETUP = 0x5501, 0x5502, 0x405C5503
UI_SET_EVBIT, UI_SET_KEYBIT, UI_GET_SYSNAME = 0x40045564, 0x40045565, 0x8040552C
SETUP: Final = struct.Struct("@HHHH80sI")  # bus, vendor, product, version; name; force feedback
KEYS = 128  # as many as a keyboard has
VIRTUAL: Final = Path("/sys/devices/virtual/input")


class UinputPort:
    """Far end of a virtual keyboard. `link`: a symlink to its node.

    Raises FileExistsError if something other than a symlink is there.
    """

    def __init__(self, link: Path) -> None:
        self.link = link
        self._device: int | None = None

    @property
    def name(self) -> str:
        """Name of the port in a config: the path of the link."""
        return str(self.link)

    @property
    def is_plugged(self) -> bool:
        """True if the virtual keyboard exists now."""
        return self._device is not None

    def plug(self) -> None:
        """Create the keyboard; does nothing if it exists. Raises OSError."""
        if self.is_plugged:
            return
        if self.link.exists() and not self.link.is_symlink():
            raise FileExistsError(f"expected {self.link} to be free for an emulated port, got a file: remove it")
        self._device = os.open(UINPUT, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            node = _create_keyboard(self._device)
        except BaseException:
            self.unplug()
            raise
        self.link.unlink(missing_ok=True)
        self.link.symlink_to(node)

    async def wait_for_host(self) -> None:
        """Do nothing: a keyboard types even if no program reads it."""

    def unplug(self) -> None:
        """Remove the keyboard with its node; does nothing if there is none."""
        if self._device is not None:
            self.link.unlink(missing_ok=True)
            os.close(self._device)
            self._device = None

    def write(self, data: bytes) -> None:
        """Type a text; characters that no key types are left out."""
        if self._device is not None:
            os.write(self._device, keystrokes(data.decode("ascii", "ignore").replace("\r", "")))

    def read(self) -> bytes:
        """Return no bytes: a host sends nothing to a keyboard."""
        return b""

    def watch(self, received: Callable[[bytes], object]) -> None:
        """Do nothing: a host sends nothing to a keyboard."""


def _create_keyboard(descriptor: int) -> Path:
    """Create a virtual keyboard through uinput and return the path of its node."""
    fcntl.ioctl(descriptor, UI_SET_EVBIT, EV_KEY)
    for key in range(1, KEYS):
        fcntl.ioctl(descriptor, UI_SET_KEYBIT, key)
    fcntl.ioctl(descriptor, UI_DEV_SETUP, SETUP.pack(3, 0x1209, 0x0001, 1, b"tablectl emulated wedge", 0))
    fcntl.ioctl(descriptor, UI_DEV_CREATE)
    name = fcntl.ioctl(descriptor, UI_GET_SYSNAME, bytes(64)).rstrip(b"\0").decode()
    return Path("/dev/input") / next((VIRTUAL / name).glob("event*")).name
