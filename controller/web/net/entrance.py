"""Where connections come in: so many at a time, and when there are more, one that does nothing goes.

They are counted from the moment they are accepted. On an encrypted line the application hears of one only
when it has been agreed on a key; who never says a word would take one file after the other until none can be opened,
which ends the program.

Whoever comes is let in, for who they are is not known before they have spoken. It is one who has no request under way
that goes for them: the oldest of those from where most have come. So who fills the room fills it with their own.
"""

import os
import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

from .address import network_of

CONNECTIONS = 320  # at a time: more than there are places for requests, so that there is always one that does nothing


class Guest:
    """One connection. `at_work`: whether it has a request under way. `drop`: end it, with a word where that can be."""

    def __init__(self, connection: socket.socket, where: str) -> None:
        self.where = where
        self.at_work: Callable[[], bool] = lambda: False
        self.drop: Callable[[], None] = self._shut
        self._connection = connection

    @property
    def inside(self) -> bool:
        """Whether it is still open."""
        return self._connection.fileno() >= 0

    def _shut(self) -> None:
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)  # whoever reads from it is told of its end


class Entrance(socket.socket):
    """A listening socket of its own, at the place of another, which stays its owner's."""

    def __init__(self, listening: socket.socket) -> None:
        super().__init__(listening.family, listening.type, listening.proto, os.dup(listening.fileno()))
        self._guests: dict[int, Guest] = {}  # by the number of the file, the oldest first

    def accept(self) -> tuple[socket.socket, object]:
        """Whoever comes next. Raises ConnectionAbortedError, which asyncio passes over, where nobody goes for them."""
        connection, address = super().accept()
        self._guests = {number: one for number, one in self._guests.items() if one.inside}
        if len(self._guests) >= CONNECTIONS and not self._make_room():
            connection.close()
            raise ConnectionAbortedError
        self._guests[connection.fileno()] = Guest(connection, network_of(address))
        return connection, address

    def seat(self, number: int, at_work: Callable[[], bool], drop: Callable[[], None]) -> None:
        """The guest whose connection has this number can be spoken to, unless it had to go before."""
        guest = self._guests.get(number)
        if guest is not None:
            guest.at_work, guest.drop = at_work, drop

    def _make_room(self) -> bool:
        crowd = Counter(one.where for one in self._guests.values())
        idle = [(number, one) for number, one in self._guests.items() if not one.at_work()]
        if not idle:
            return False
        number, goes = max(idle, key=lambda item: crowd[item[1].where])  # of equals the first: the oldest
        del self._guests[number]
        goes.drop()
        return True
