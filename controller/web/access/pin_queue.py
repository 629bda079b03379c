"""Queue of PINs to be tried, one at a time, with places reserved per kind of source.

A source has two places. Those of signed-in people, marked browsers and the table's own PC are tried first, then badges,
then PINs of unknown browsers. When all places of unknown browsers are taken, for badges or for PINs, a network without
a place gets the latest place of a network with two.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from msgspec import Struct

from .sources import KNOWN, PinSource

EACH = 2  # places of one source
STRANGERS = 32  # places for PINs of all unknown browsers together, and as many for their badges


class PinQueueFull(Exception):
    """Error: there is no place for this attempt now."""


class WaitingPin(Struct, eq=False):
    """Attempt that waits in the queue. `turn`: future that is done when its PIN is to be tried."""

    source: PinSource
    turn: asyncio.Future[None]


class PinQueue:
    """Queue of the PINs at one table or floor."""

    def __init__(self) -> None:
        self.waiting: list[WaitingPin] = []
        self._trying: WaitingPin | None = None

    @asynccontextmanager
    async def turn(self, source: PinSource) -> AsyncIterator[None]:
        """Wait for a turn and hold it inside the block. Raises PinQueueFull."""
        one = self._enter(source)
        try:
            self._next()
            await one.turn
            yield
        finally:
            if one in self.waiting:
                self.waiting.remove(one)
            if self._trying is one:
                self._trying = None
            self._next()

    def _enter(self, source: PinSource) -> WaitingPin:
        if sum(one.source.key == source.key for one in self.waiting) >= EACH:
            raise PinQueueFull
        alike = [one for one in self.waiting if one.source.rank == source.rank]
        if source.rank != KNOWN and len(alike) >= STRANGERS:
            self._make_room(alike, source.key)
        one = WaitingPin(source, asyncio.get_running_loop().create_future())
        self.waiting.append(one)
        return one

    def _make_room(self, alike: list[WaitingPin], key: str) -> None:
        held = Counter(one.source.key for one in alike)
        displaced = [one for one in alike if held[one.source.key] > held[key] + 1 and not one.turn.done()]
        if not displaced:
            raise PinQueueFull
        self.waiting.remove(displaced[-1])
        displaced[-1].turn.set_exception(PinQueueFull())

    def _next(self) -> None:
        attempts = [one for one in self.waiting if not one.turn.done()]  # a cancelled attempt may still be listed
        if self._trying is None and attempts:
            self._trying = min(attempts, key=lambda one: one.source.rank)  # among equal ranks, the oldest
            self._trying.turn.set_result(None)
