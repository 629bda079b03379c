"""Open a keyboard's node for this program alone, and release it.

Invariant: a code that was half typed when the node was opened is never taken for a code. So nothing is read until the
device is silent.
"""

import fcntl
import os
import select
import time
from contextlib import suppress
from dataclasses import dataclass

from drivers.keyboards.input_events import EVENT, EVIOCGRAB, EVIOCSCLOCKID
from drivers.keyboards.typed_lines import QUICK
from drivers.patience import DeviceCannotServe

CHUNK = 64 * EVENT.size
ENDLESS = 5.0  # seconds: by then any scanner has typed its code


@dataclass(frozen=True, slots=True)
class Node:
    """Open keyboard node, by its file descriptor."""

    descriptor: int

    def fileno(self) -> int:
        """File descriptor, for reading and select."""
        return self.descriptor

    def close(self) -> None:
        """Close the node, which also ends the grab."""
        os.close(self.descriptor)


def open_node(name: str) -> Node:
    """Open a node and grab it from all other programs. Raises OSError, DeviceCannotServe.

    May block until the device is silent.
    """
    node = Node(os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC))
    try:
        grab(node.descriptor)
        drain(node.descriptor)
    except BaseException:
        node.close()
        raise
    return node


def grab(descriptor: int) -> None:
    """Take the device from displays, consoles and other programs. Raises OSError.

    EBUSY if another program has grabbed it.
    """
    fcntl.ioctl(descriptor, EVIOCGRAB, 1)
    with suppress(OSError):  # else its times follow the wall clock, which may be set
        fcntl.ioctl(descriptor, EVIOCSCLOCKID, time.CLOCK_MONOTONIC.to_bytes(4, "little"))


def drain(descriptor: int, seconds: float = QUICK) -> None:
    """Discard input until none has come for so many seconds. Raises OSError, DeviceCannotServe."""
    end = time.monotonic() + ENDLESS
    while select.select([descriptor], [], [], seconds)[0]:
        if not os.read(descriptor, CHUNK):
            return  # hung up: the next read reports it
        if time.monotonic() > end:
            raise DeviceCannotServe("it types without end: is a key held down, or something lying on the reader?")
