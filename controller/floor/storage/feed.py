"""Copies the events of all tables from the bus into the floor's store.

Invariant: the position in the stream is stored in the same transaction as the events. After any failure it continues
from there; repeated events are recognised. Events that the stream no longer has are requested from the tables. An event
has no signature: those of a table that the roster lacks are skipped.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress

import structlog
from nats.js.api import StreamInfo

from ...bus.bus_client import AGAIN, FAILED, BusClient, reason_of
from ...bus.names import EVENTS
from ...bus.seals import Seals
from ...bus.stream_reader import StoredMessage, StreamSignal, read
from ...bus.streams import is_same
from ...core.coded_message import CodedMessage, coded
from ...journal.tasks import run_together
from ...text.coded import render
from .failures import FloorFailed
from .gap_requests import GapFiller
from .store import Store
from .table_events import Asking, InvalidEvent, TableEvent, event_of_message

BATCH = 2000  # events read at a time
LOOK = 2.0  # seconds between two checks for a recreated stream
PAUSE = 0.1
ROSTER = 3.0  # seconds by which the first events of a table may arrive before the roster that names the table


class FloorFeed:
    """Feed of one floor.

    `seals`: has the tables of the roster; `hear`: called with new events once they are stored.
    """

    def __init__(
        self,
        line: BusClient,
        studio: str,
        seals: Seals,
        store: Store,
        ask: Asking,
        hear: Callable[[Sequence[TableEvent]], None],
    ) -> None:
        self.behind = 0  # number of events not read yet
        self._line, self._seals, self._store, self._hear = line, seals, store, hear
        self._subject = f"tablectl.{studio}.*.event.manager"
        self._filling = GapFiller(store, ask, hear)
        self._stream_failure: CodedMessage | None = None  # reason why the stream cannot be read
        self._store_failure: str | None = None  # reason why nothing can be stored
        self._absent = set[str]()  # tables that the roster lacked when their first event arrived
        self._invalid = set[str]()  # subjects whose last message was no valid event
        self._log = structlog.get_logger()

    @property
    def trouble(self) -> CodedMessage | str | None:
        """Current defect: the store cannot be written, or the stream cannot be read; None if there is none."""
        return self._store_failure or self._stream_failure

    async def run(self) -> None:
        """Follow the stream and fill gaps until cancelled, once the roster is known."""
        await self._seals.known.wait()
        await run_together(self._follow(), self._filling.run())

    # ── from the bus ─────────────────────────────────────────────────────────────────────────────────────────────

    async def _follow(self) -> None:
        while True:
            await self._line.there.wait()
            try:
                await self._session()
            except FAILED as error:
                self._note_stream_failure(coded("events_unread", reason=reason_of(error)))
                await asyncio.sleep(AGAIN)
            except FloorFailed as error:
                self._note_store_failure(str(error))
                await asyncio.sleep(AGAIN)

    def _note_stream_failure(self, message: CodedMessage) -> None:
        if self._stream_failure != message:
            self._log.warning("feed_cut", reason=render(message))
        self._stream_failure = message

    async def _stream(self) -> StreamInfo:
        return await self._line.client.jetstream().stream_info(EVENTS)

    async def _session(self) -> None:
        """Store new events while the stream is the same. Raises nats' errors, FloorFailed."""
        was, news, clock = await self._stream(), StreamSignal(), asyncio.get_running_loop().time
        batch = list[StoredMessage]()
        subscription = await self._line.client.subscribe(self._subject, cb=news.hear)
        try:
            last_seq = await asyncio.to_thread(self._store.follow, str(was.created), was.state.last_seq)
            self._stream_failure, look = None, clock() + LOOK
            while self._line.there.is_set():
                if clock() > look:
                    if not is_same(was, was := await self._stream()):
                        return
                    look = clock() + LOOK
                if batch := batch or await self._read(last_seq):
                    news.forget_read(batch)
                    last_seq = batch[-1].seq
                    batch = await self._store_and_read(batch)
                else:
                    await news.wait(LOOK)
        finally:
            with suppress(*FAILED):
                await subscription.unsubscribe()

    async def _read(self, last_seq: int) -> list[StoredMessage]:
        return await read(self._line.client, EVENTS, self._subject, last_seq, BATCH)

    async def _store_and_read(self, batch: Sequence[StoredMessage]) -> list[StoredMessage]:
        """Store these messages, and read the following ones meanwhile; return the following ones.

        Both are finished before an error of either is raised. Raises FloorFailed, nats' errors.
        """
        if not batch[-1].pending:
            await self._store_events(batch)
            return []
        error, following = await asyncio.gather(
            self._store_events(batch), self._read(batch[-1].seq), return_exceptions=True
        )
        if isinstance(error, BaseException):
            raise error
        if isinstance(following, BaseException):
            raise following
        return following

    # ── into the store ───────────────────────────────────────────────────────────────────────────────────────────

    async def _store_events(self, batch: Sequence[StoredMessage]) -> None:
        """Store these messages and report what is new. Raises FloorFailed."""
        await self._wait_for_roster({_table_of(message) for message in batch})
        messages = [message for message in batch if _table_of(message) in self._seals.tables]
        events = [one for message in messages if (one := self._parse(message)) is not None]
        new = await asyncio.to_thread(self._store.add, events, batch[-1].seq)
        self._store_failure, self.behind = None, batch[-1].pending
        if new:
            self._hear(new)
            self._filling.look()

    async def _wait_for_roster(self, tables: set[str]) -> None:
        """Wait for a newer roster, once for each table that the present one lacks."""
        absent = tables - self._absent
        with suppress(TimeoutError):
            async with asyncio.timeout(ROSTER):
                while absent := {table for table in absent if table not in self._seals.tables}:
                    await asyncio.sleep(PAUSE)
        for table in absent:
            self._log.warning("events_skipped", table=table, reason="not_in_roster")
        self._absent |= absent

    def _note_store_failure(self, reason: str) -> None:
        if self._store_failure != reason:
            self._log.error("store_failed", reason=reason)
        self._store_failure = reason

    def _parse(self, message: StoredMessage) -> TableEvent | None:
        try:
            one = event_of_message(message.subject, message.headers, message.body)
        except InvalidEvent as error:
            if message.subject not in self._invalid:
                self._log.warning("event_ignored", subject=message.subject, reason=str(error))
            self._invalid.add(message.subject)
            return None
        self._invalid.discard(message.subject)
        return one


def _table_of(message: StoredMessage) -> str:
    return message.subject.split(".")[2]
