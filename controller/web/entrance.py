"""Where connections come in: so many at a time, some of them for this PC alone.

The one rule: they are counted from the moment they are accepted. On an encrypted line the application hears of one only
when it has been agreed on a key; who never says a word would take one file after the other until none can be opened,
which ends the program.
"""

import os
import socket
from typing import Any

from .access.sign_on import is_loopback

CONNECTIONS = 64  # at a time
KEPT = 16  # of them for this PC: the dealer's screen is on it


class Entrance(socket.socket):
    """A listening socket of its own, at the place of another, which stays its owner's."""

    def __init__(self, listening: socket.socket) -> None:
        super().__init__(listening.family, listening.type, listening.proto, os.dup(listening.fileno()))
        self._inside: list[socket.socket] = []

    def accept(self) -> tuple[socket.socket, Any]:
        """Whoever comes next. Raises ConnectionAbortedError, which asyncio passes over, where there is no room."""
        connection, address = super().accept()
        self._inside = [one for one in self._inside if one.fileno() >= 0]
        if len(self._inside) >= (CONNECTIONS if _is_here(address) else CONNECTIONS - KEPT):
            connection.close()
            raise ConnectionAbortedError
        self._inside.append(connection)
        return connection, address


def _is_here(address: Any) -> bool:  # noqa: ANN401 - each family of sockets has its own
    """Whether they are at this PC; a Unix socket has nobody else."""
    return not isinstance(address, tuple) or is_loopback(address[0])
