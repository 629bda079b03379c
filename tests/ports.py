"""Free ports of this PC, each for one test."""

import random
import socket
from contextlib import suppress

PORTS = range(20000, 30000)  # the kernel gives these to no program that asks for any port


def free() -> int:
    """Return a free port and reserve it until this process ends, so that a server can restart there."""
    while True:
        port = random.choice(PORTS)
        with suppress(OSError), socket.socket() as one, socket.socket(socket.AF_UNIX) as ours:
            one.bind(("127.0.0.1", port))
            ours.bind(f"\0tablectl tests {port}")
            ours.detach()
            return port
