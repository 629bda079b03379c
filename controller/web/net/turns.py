"""Queue that lets the event loop serve one network connection per turn.

Data of the devices is processed between two turns, however many connections are busy.
"""

import asyncio
from collections import deque
from collections.abc import Callable


class Turns:
    """Queue of network work that runs one item in each turn of the loop."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], None]] = deque()

    def wait(self, turn: Callable[[], None]) -> None:
        """Queue a function to be called in its turn."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._next)
        self._waiting.append(turn)

    def _next(self) -> None:
        turn = self._waiting.popleft()
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._next)
        turn()

    async def wait_for_turn(self) -> None:
        """Wait for the caller's own turn."""
        comes = asyncio.Event()
        self.wait(comes.set)
        await comes.wait()
