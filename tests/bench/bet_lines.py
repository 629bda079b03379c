"""HTTP connections of a game server that are kept alive and send bets, one bet at a time each."""

import json
import selectors
import socket
from collections.abc import Iterable, Iterator

END, LENGTH = b"\r\n\r\n", b"content-length: "
LARGE = 1 << 16


class BetConnections:
    """Send commands over `count` connections to a port of this PC that stay open."""

    def __init__(self, port: int, count: int, token: str) -> None:
        self._head = (
            f"POST /api/v1/commands HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nauthorization: Bearer {token}\r\n"
            "content-type: application/json\r\naccept: */*\r\nuser-agent: bench\r\n"
        )
        self._sockets = [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
        for one in self._sockets:
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send(self, commands: Iterable[object]) -> None:
        """Send each command alone, on a connection that has no answer outstanding; assert that each is done."""
        left = iter(commands)
        with selectors.DefaultSelector() as selector:
            for one in self._sockets:
                if self._next(one, left):
                    selector.register(one, selectors.EVENT_READ, bytearray())
            while selector.get_map():
                for key, _ in selector.select():
                    one: socket.socket = key.fileobj  # type: ignore[assignment] # only sockets are
                    if _answered(one, key.data) and not self._next(one, left):
                        selector.unregister(one)

    def _next(self, one: socket.socket, left: Iterator[object]) -> bool:
        command = next(left, None)
        if command is None:
            return False
        body = json.dumps(command)
        one.sendall(f"{self._head}content-length: {len(body)}\r\n\r\n{body}".encode())
        return True

    def close(self) -> None:
        for one in self._sockets:
            one.close()


def _answered(one: socket.socket, buffer: bytearray) -> bool:
    """Read received bytes; return whether the answer is complete. Asserts that its verdict is "done"."""
    part = one.recv(LARGE)
    assert part, f"the connection was closed after {bytes(buffer)!r}"
    buffer += part
    head, found, body = buffer.partition(END)
    if not found or len(body) < int(head.lower().partition(LENGTH)[2].split(b"\r\n")[0]):
        return False
    assert b'"verdict":"done"' in body, bytes(buffer)
    buffer.clear()
    return True
