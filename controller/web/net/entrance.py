"""Where connections come in: so many at a time, so many of them from one PC, some for this one alone.

They are counted from the moment they are accepted. On an encrypted line the application hears of one only
when it has been agreed on a key; who never says a word would take one file after the other until none can be opened,
which ends the program.
"""

import os
import socket

from .address import is_loopback

CONNECTIONS = 64  # at a time
KEPT = 16  # of them for this PC: the dealer's screen is on it
EACH = 24  # of the others for one PC, half of them: no single one shuts out all


class Entrance(socket.socket):
    """A listening socket of its own, at the place of another, which stays its owner's."""

    def __init__(self, listening: socket.socket) -> None:
        super().__init__(listening.family, listening.type, listening.proto, os.dup(listening.fileno()))
        self._inside: dict[socket.socket, str | None] = {}  # and from where

    def accept(self) -> tuple[socket.socket, object]:
        """Whoever comes next. Raises ConnectionAbortedError, which asyncio passes over, where there is no room."""
        connection, address = super().accept()
        self._inside = {one: pc for one, pc in self._inside.items() if one.fileno() >= 0}
        pc = _other_pc(address)
        if not self._has_room(pc):
            connection.close()
            raise ConnectionAbortedError
        self._inside[connection] = pc
        return connection, address

    def _has_room(self, pc: str | None) -> bool:
        if pc is None:
            return len(self._inside) < CONNECTIONS
        return len(self._inside) < CONNECTIONS - KEPT and list(self._inside.values()).count(pc) < EACH


def _other_pc(address: object) -> str | None:
    """Which one they are at; null for this one. Through a Unix socket nobody else comes."""
    return str(address[0]) if isinstance(address, tuple) and not is_loopback(address[0]) else None
