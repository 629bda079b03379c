"""Gaps in the stored events, filled by requests to the tables."""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import structlog

from ...bus.bus_client import AGAIN
from ...core.coded_message import coded
from .failures import FloorFailed
from .store import Hole, Store
from .table_events import Asking, InvalidEvent, TableEvent, Unanswered, decode_event, epoch_begin

LATER = 30.0  # seconds until a table is asked again that did not answer


class GapFiller:
    """Fills the gaps of one store. `hear`: called with new events once they are stored."""

    def __init__(self, store: Store, ask: Asking, hear: Callable[[Sequence[TableEvent]], None]) -> None:
        self._store, self._ask, self._hear = store, ask, hear
        self._news = asyncio.Event()
        self._news.set()
        self._not_before: dict[str, float] = {}  # by table: earliest time of the next request
        self._log = structlog.get_logger()

    def look(self) -> None:
        """Look for gaps soon: events were stored."""
        self._news.set()

    async def run(self) -> None:
        """Fill gaps until cancelled: after each call of `look`, and every LATER seconds."""
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LATER):
                    await self._news.wait()
            self._news.clear()
            try:
                await self._fill()
            except FloorFailed:  # the feed reports it
                await asyncio.sleep(AGAIN)
                self._news.set()

    async def _fill(self) -> None:
        for hole in await asyncio.to_thread(self._store.holes):
            if self._not_before.get(hole.table, 0.0) <= time.monotonic():
                await self._try(hole)

    async def _try(self, hole: Hole) -> None:
        """Fill at least a part of a gap now, or schedule it for later."""
        try:
            events = _decode_events(hole, await self._ask(hole.table, hole.epoch, hole.first - 1))
        except (Unanswered, InvalidEvent) as error:
            self._log.warning("hole_left", table=hole.table, first=hole.first, last=hole.last, reason=str(error))
            self._not_before[hole.table] = time.monotonic() + LATER
            return
        new = await asyncio.to_thread(self._store.add, events)
        if events and not new:  # the table's hourly limit is reached (Shares)
            self._not_before[hole.table] = time.monotonic() + LATER
            return
        first = next((one.seq for one in events if one.epoch == hole.epoch), hole.last + 1)
        if first > hole.first:  # the table no longer has these events, nor has anybody else
            self._log.warning("hole_given_up", table=hole.table, first=hole.first, last=first - 1)
            await asyncio.to_thread(self._store.give_up, hole._replace(last=first - 1))
        if new:
            self._log.info("hole_filled", table=hole.table, first=new[0].seq, last=new[-1].seq)
            self._hear(new)
        self._news.set()  # look for the rest of the gap


def _decode_events(hole: Hole, bodies: Sequence[bytes]) -> list[TableEvent]:
    """Events of these bodies with their epochs; another epoch may begin among them. Raises InvalidEvent."""
    events, epoch = list[TableEvent](), hole.epoch
    for body in bodies:
        one = decode_event(hole.table, epoch, body)
        if one.seq > hole.last:
            break
        if one.seq < hole.first:
            raise InvalidEvent(coded("event_out_of_order", after=hole.first - 1, seq=one.seq))
        if one.kind == "loss_accepted":
            epoch = epoch_begin(one).epoch or epoch
        events.append(one._replace(epoch=epoch))
    return events
