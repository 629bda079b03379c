"""Ports of this PC that are nobody else's."""

import random
import socket
from contextlib import suppress

PORTS = range(20000, 30000)  # the kernel gives these to nobody who asks for any


def free() -> int:
    """Nobody else's of these tests, until this process ends: a server that is down meanwhile comes back there."""
    while True:
        port = random.choice(PORTS)
        with suppress(OSError), socket.socket() as one, socket.socket(socket.AF_UNIX) as ours:
            one.bind(("127.0.0.1", port))
            ours.bind(f"\0tablectl tests {port}")
            ours.detach()
            return port
