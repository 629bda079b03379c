"""What happened at all tables, from the bus into the floor's store, for ever.

The one rule: the place in the stream moves with what is kept, in one transaction. Whatever breaks, it goes on from
there, and what comes twice is known again. What the stream has forgotten is asked of the tables.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress

import structlog
from nats.aio.msg import Msg
from nats.js.api import ConsumerConfig, DeliverPolicy, StreamInfo

from ..bus.line import AGAIN, FAILED, Line, words_of
from ..bus.names import EVENTS
from ..bus.streams import is_same
from .failures import FloorFailed
from .filling import Filling
from .store import MOST, Store
from .told import Asking, Told, Untold, told_in

GATHER = 0.005  # seconds for more to come, that goes in the same transaction
LOOK = 2.0  # seconds between two looks at whether the stream is still the one it was
HEARTBEAT = 0.5  # seconds: by two that are missed a stream is asked anew for what follows
ROOM = 4 * MOST  # messages at hand; beyond them the bus waits


class Feed:
    """Of one floor. `hear`: is told what is new, once it is kept."""

    def __init__(
        self, line: Line, studio: str, store: Store, ask: Asking, hear: Callable[[Sequence[Told]], None]
    ) -> None:
        self.behind = 0  # events that are still to come
        self._line, self._studio, self._store, self._hear = line, studio, store, hear
        self._filling = Filling(store, ask, hear)
        self._cut: str | None = None  # why the stream is not read
        self._full: str | None = None  # why nothing can be kept
        self._waiting = list[Msg]()
        self._news, self._idle, self._room = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._idle.set()
        self._room.set()
        self._strange = set[str]()  # subjects under which what came last is no event
        self._log = structlog.get_logger()

    @property
    def trouble(self) -> str | None:
        """What is wrong now."""
        return self._full or self._cut

    async def run(self) -> None:
        """For ever."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._follow())
            tasks.create_task(self._keep())
            tasks.create_task(self._filling.run())

    # ── from the bus ─────────────────────────────────────────────────────────────────────────────────────────────

    async def _follow(self) -> None:
        while True:
            await self._line.there.wait()
            try:
                info = await self._stream()
                async with self._read(info):
                    self._cut = None
                    while self._line.there.is_set() and is_same(info, info := await self._stream()):
                        await asyncio.sleep(LOOK)
            except FAILED as error:
                self._trouble(f"the events cannot be read: {words_of(error)}")
                await asyncio.sleep(AGAIN)
            except FloorFailed as error:
                self._full = str(error)
                await asyncio.sleep(AGAIN)

    def _trouble(self, says: str) -> None:
        if self._cut != says:
            self._log.warning("feed_cut", reason=says)
        self._cut = says

    async def _stream(self) -> StreamInfo:
        return await self._line.client.jetstream().stream_info(EVENTS)

    @asynccontextmanager
    async def _read(self, info: StreamInfo) -> AsyncIterator[None]:
        """Have what follows come, until the end. Raises nats' errors, FloorFailed."""
        await self._idle.wait()  # what is at hand still has its place in the stream that was
        place = await asyncio.to_thread(self._store.follow, str(info.created), info.state.last_seq)
        subscription = await self._line.client.jetstream().subscribe(
            f"tablectl.{self._studio}.*.event.manager",
            stream=EVENTS,
            cb=self._came,
            ordered_consumer=True,
            idle_heartbeat=HEARTBEAT,
            config=ConsumerConfig(deliver_policy=DeliverPolicy.BY_START_SEQUENCE, opt_start_seq=place + 1),
        )
        try:
            yield
        finally:
            with suppress(*FAILED):
                await subscription.unsubscribe()

    async def _came(self, message: Msg) -> None:
        self._waiting.append(message)
        self._idle.clear()
        self._news.set()
        if len(self._waiting) >= ROOM:
            self._room.clear()
            await self._room.wait()

    # ── into the store ───────────────────────────────────────────────────────────────────────────────────────────

    async def _keep(self) -> None:
        while True:
            await self._news.wait()
            await asyncio.sleep(GATHER)
            batch = self._waiting[:MOST]
            told = [one for message in batch if (one := self._told(message)) is not None]
            last = batch[-1].metadata
            try:
                new = await asyncio.to_thread(self._store.add, told, last.sequence.stream)
            except FloorFailed as error:
                self._is_full(str(error))
                await asyncio.sleep(AGAIN)
                continue
            del self._waiting[: len(batch)]
            self._kept(new, last.num_pending or 0)

    def _kept(self, new: Sequence[Told], pending: int) -> None:
        self._full = None
        self.behind = pending + len(self._waiting)
        self._room.set()
        if not self._waiting:
            self._news.clear()
            self._idle.set()
        if new:
            self._hear(new)
            self._filling.look()

    def _is_full(self, says: str) -> None:
        if self._full != says:
            self._log.error("store_failed", reason=says)
        self._full = says

    def _told(self, message: Msg) -> Told | None:
        try:
            one = told_in(message.subject, message.headers, message.data)
        except Untold as error:
            if message.subject not in self._strange:
                self._log.warning("event_ignored", subject=message.subject, reason=str(error))
            self._strange.add(message.subject)
            return None
        self._strange.discard(message.subject)
        return one
