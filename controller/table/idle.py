"""Work for the moments in which nothing happens at the table.

Nobody waits for it. It is done on the loop, a piece at a time, each piece after all events that have come by then;
work that has become useless is dropped.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

Piece = Callable[[], object]


class Idle:
    """What is left to do. All of it runs on the loop's thread."""

    def __init__(self) -> None:
        self._pieces: deque[Piece] = deque()
        self._next: asyncio.Handle | None = None

    def do(self, pieces: Iterable[Piece]) -> None:
        """Do these pieces, in place of any that were left."""
        self._pieces = deque(pieces)
        self._go_on()

    def _go_on(self) -> None:
        if self._pieces and self._next is None:
            self._next = asyncio.get_running_loop().call_soon(self._step)

    def _step(self) -> None:
        self._next = None
        if self._pieces:
            piece = self._pieces.popleft()
            self._go_on()
            piece()
