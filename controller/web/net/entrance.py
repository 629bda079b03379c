"""Limit on connections: beyond it, one without a request under way is closed for a new one.

Connections are counted from the moment they are accepted. On an encrypted line the application learns of one only after
the handshake; silent clients would take one file descriptor after the other until none can be opened, which ends the
program.

A new client is always let in, as its identity is unknown before it has spoken. The connection that closes for it is the
oldest idle one from the network with the most. So a client that fills the limit displaces its own connections.
"""

import os
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

from .address import network_of

CONNECTIONS = 320  # open at a time: more than there are places for requests, so one of them is always idle


class OpenConnection:
    """Open connection of one client to the web server.

    `at_work`: it has a request under way; `drop`: closes it, with a message if possible.
    """

    def __init__(self, connection: socket.socket, where: str) -> None:
        self.where = where
        self.at_work: Callable[[], bool] = lambda: False
        self.drop: Callable[[], None] = self._shut_down
        self._connection = connection

    @property
    def is_open(self) -> bool:
        """True if the connection is still open."""
        return self._connection.fileno() >= 0

    def _shut_down(self) -> None:
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)  # a pending read then returns the end of the data


class Entrance(socket.socket):
    """Listening socket on a duplicated descriptor; the original stays with its owner."""

    def __init__(self, listening: socket.socket) -> None:
        super().__init__(listening.family, listening.type, listening.proto, os.dup(listening.fileno()))
        self._connections: dict[int, OpenConnection] = {}  # by the number of the file, the oldest first

    def accept(self) -> tuple[socket.socket, object]:
        """Accept the next connection.

        Raises ConnectionAbortedError, which asyncio ignores, if no other connection could be closed for it.
        """
        connection, address = super().accept()
        self._connections = {number: one for number, one in self._connections.items() if one.is_open}
        if len(self._connections) >= CONNECTIONS and not self._make_room():
            connection.close()
            raise ConnectionAbortedError
        self._connections[connection.fileno()] = OpenConnection(connection, network_of(address))
        return connection, address

    def register(self, number: int, at_work: Callable[[], bool], drop: Callable[[], None]) -> None:
        """Register the functions of the connection with this descriptor.

        `at_work`: tells if a request is under way; `drop`: closes the connection.
        """
        known = self._connections.get(number)
        if known is not None:
            known.at_work, known.drop = at_work, drop

    def _make_room(self) -> bool:
        counts = Counter(one.where for one in self._connections.values())
        idle = [(number, one) for number, one in self._connections.items() if not one.at_work()]
        if not idle:
            return False
        # `max` returns the first of equals: the oldest
        number, displaced = max(idle, key=lambda item: counts[item[1].where])
        del self._connections[number]
        displaced.drop()
        return True
