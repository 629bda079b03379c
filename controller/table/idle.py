"""Background work of a table for moments without events.

Nobody waits for it. It runs in the event loop in small pieces, each after all events that have arrived by then. New
work replaces the rest of the old.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterable

Work = Callable[[], object]


class Idle:
    """Queue of background work, used in the event loop's thread alone."""

    def __init__(self) -> None:
        self._pieces: deque[Work] = deque()
        self._next: asyncio.Handle | None = None

    def do(self, pieces: Iterable[Work]) -> None:
        """Replace the remaining work by these pieces."""
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
