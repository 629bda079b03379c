"""A keyboard's node: opened, taken from all others, let go of.

The one rule: half a code that was being typed when it was taken is no code: nothing is heard until it is silent.
"""

import fcntl
import os
import select
import time
from contextlib import suppress
from dataclasses import dataclass

from drivers.keyboards.input_events import EVENT, EVIOCGRAB, EVIOCSCLOCKID
from drivers.keyboards.typed import QUICK
from drivers.patience import Unusable

CHUNK = 64 * EVENT.size
ENDLESS = 5.0  # seconds in which any scanner has said its code


@dataclass(frozen=True, slots=True)
class Node:
    """One that is open, by its descriptor."""

    descriptor: int

    def fileno(self) -> int:
        """For reading."""
        return self.descriptor

    def close(self) -> None:
        """With it the grab ends."""
        os.close(self.descriptor)


def opened(name: str) -> Node:
    """The node, which nobody else hears from now on. May block until it is silent. Raises OSError, Unusable."""
    node = Node(os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC))
    try:
        grab(node.descriptor)
        silent(node.descriptor)
    except BaseException:
        node.close()
        raise
    return node


def grab(descriptor: int) -> None:
    """Take it from all others: displays, consoles, programs. Raises OSError: EBUSY where another has done so."""
    fcntl.ioctl(descriptor, EVIOCGRAB, 1)
    with suppress(OSError):  # its times are those of the wall clock then, which is set once in a while
        fcntl.ioctl(descriptor, EVIOCSCLOCKID, time.CLOCK_MONOTONIC.to_bytes(4, "little"))


def silent(descriptor: int, seconds: float = QUICK) -> None:
    """Throw away what comes until nothing has for so long. Raises OSError, Unusable."""
    end = time.monotonic() + ENDLESS
    while select.select([descriptor], [], [], seconds)[0]:
        if not os.read(descriptor, CHUNK):
            return  # hung up, which whoever reads on is told
        if time.monotonic() > end:
            raise Unusable("it types without end: is a key held down, or something on the reader?")
