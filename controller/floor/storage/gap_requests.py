"""Gaps in the stored events, filled by requests to the tables."""

import asyncio
import time
from collections.abc import Callable, Sequence
from contextlib import suppress

import structlog

from ...bus.bus_client import AGAIN
from ...core.coded_message import coded
from .failures import FloorFailed
from .store import Gap, Store
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
        for gap in await asyncio.to_thread(self._store.gaps):
            if self._not_before.get(gap.table, 0.0) <= time.monotonic():
                await self._try(gap)

    async def _try(self, gap: Gap) -> None:
        """Fill at least a part of a gap now, or schedule it for later."""
        try:
            events = _decode_events(gap, await self._ask(gap.table, gap.epoch, gap.first - 1))
        except (Unanswered, InvalidEvent) as error:
            self._log.warning("hole_left", table=gap.table, first=gap.first, last=gap.last, reason=str(error))
            self._not_before[gap.table] = time.monotonic() + LATER
            return
        new = await asyncio.to_thread(self._store.add, events)
        if events and not new:  # the table's hourly limit is reached (`ByteLimits`)
            self._not_before[gap.table] = time.monotonic() + LATER
            return
        first = next((one.seq for one in events if one.epoch == gap.epoch), gap.last + 1)
        if first > gap.first:  # the table no longer has these events, nor has anybody else
            self._log.warning("hole_given_up", table=gap.table, first=gap.first, last=first - 1)
            await asyncio.to_thread(self._store.give_up, gap._replace(last=first - 1))
        if new:
            self._log.info("hole_filled", table=gap.table, first=new[0].seq, last=new[-1].seq)
            self._hear(new)
        self._news.set()  # look for the rest of the gap


def _decode_events(gap: Gap, bodies: Sequence[bytes]) -> list[TableEvent]:
    """Events of these bodies with their epochs; another epoch may begin among them. Raises InvalidEvent."""
    events, epoch = list[TableEvent](), gap.epoch
    for body in bodies:
        one = decode_event(gap.table, epoch, body)
        if one.seq > gap.last:
            break
        if one.seq < gap.first:
            raise InvalidEvent(coded("event_out_of_order", after=gap.first - 1, seq=one.seq))
        if one.kind == "loss_accepted":
            epoch = epoch_begin(one).epoch or epoch
        events.append(one._replace(epoch=epoch))
    return events
