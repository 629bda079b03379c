"""Turns at the table's loop, for those who come over a line.

One of them a turn of the loop, however many have something to say or to be told. Between two of them
whatever the devices have sent is taken.
"""

import asyncio
from collections import deque
from collections.abc import Callable


class Turns:
    """Who is next."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()

    def wait(self, turn: Callable[[], None]) -> None:
        """Call this when it is its turn."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._next)
        self._waiting.append(turn)

    def _next(self) -> None:
        turn = self._waiting.popleft()
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._next)
        turn()

    async def mine(self) -> None:
        """Wait until it is one's turn."""
        comes = asyncio.Event()
        self.wait(comes.set)
        await comes.wait()
