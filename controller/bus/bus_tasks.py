"""Bus work of one table, in the bus thread's event loop; the table never waits for it."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import structlog
from msgspec import json
from nats.aio.msg import Msg

from ..config.bus import BusSection
from ..core import events as e
from ..core.coded_message import CodedMessage, coded
from ..core.state import State
from ..core.viewers import Viewers
from ..core.views import Audience
from ..core.witness import Contradiction
from ..journal.tasks import cancel_tasks
from ..outputs.hold import SILENT
from ..table.beats import seconds_to_beat
from ..table.loop import Table
from ..text.coded import render, sentence_and_code
from .bus_client import AGAIN, FAILED, BusClient, failure_text, options, reason_of
from .comparison import BEAT, RETELL, Comparison
from .floor_beats import FloorBeats, subject_of
from .keys import credentials_in
from .names import TableNames
from .publisher import Publisher, Recent, Source
from .relay import Relay, RelayedAnswer, RelayedRequest
from .requests import Requests
from .signed_commands import CommandVerifier
from .witness import seals_of

PATIENCE = 2.0  # seconds for sending the remaining records when the table stops


def audiences_of(section: BusSection) -> Sequence[Audience]:
    """Audiences for which a table publishes its events."""
    return ("manager", "server", "player") if section.players else ("manager", "server")


class TableEnds(NamedTuple):
    """Connections between the bus and a table.

    `troubles`: returns defects other than the bus's own, for the status; `floors`: called with a floor's name and
    whether it sends the alerts of faults.
    """

    section: BusSection
    table: Table
    journal: Path
    relay: Relay
    viewers: Callable[[], Viewers]
    troubles: Callable[[], Sequence[CodedMessage | str]]
    floors: Callable[[str, bool], None] | None = None


class BusTasks:
    """Runs all bus tasks of a table.

    Created by the table's thread, which sets `table_loop` before `run` and may use only `recent`, `trouble`,
    `acknowledged_seq`, `tell` and `end`. Raises BadCredentials, BadConfig.
    """

    def __init__(self, ends: TableEnds) -> None:
        self.recent = Recent()
        self.table_loop: asyncio.AbstractEventLoop | None = None
        section = ends.section
        self._ends, self._names = ends, TableNames(section.studio, ends.table.house.table)
        credentials = credentials_in(Path(section.credentials or ""))
        self._line = BusClient(options(section, credentials, self._names.inbox))
        self._seals = seals_of(section, self._names.table)
        verifier = CommandVerifier({"floor": section.floors, "platform": section.platforms})
        self._requests = Requests(self._line.client, self._names, verifier, self._ask, self._epoch, self._seals)
        source = Source(self._names, ends.journal, lambda: ends.table.state, audiences_of(section), ends.viewers)
        self._publisher = Publisher(source, self.recent, self._line, credentials.secret, self._seals)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended, self._news = asyncio.Event(), asyncio.Event()
        self._status, self._listening, self._ending = b"", False, False
        self._comparison = Comparison(self._line, self._names, self._seals, self._records, self._apply_comparison)
        self._untold: float | None = None  # monotonic time since which the bus lacks the newest status
        self._failed: CodedMessage | str | None = None
        self._log = structlog.get_logger().bind(table=self._names.table)

    @property
    def trouble(self) -> CodedMessage | str | None:
        """Current defect of the bus connection, or None."""
        unsigned = next(iter(self._seals.troubles), None)
        return self._comparison.doubt or self._line.trouble or self._publisher.trouble or self._failed or unsigned

    def _trouble_text(self) -> str | None:
        return None if self.trouble is None else render(self.trouble)

    @property
    def acknowledged_seq(self) -> int | None:
        """Sequence number up to which all records are on the bus; None before publishing has started."""
        return self._publisher.acknowledged_seq if self._publisher.is_started else None

    def tell(self, status: bytes) -> bool:
        """Publish this status, and look for new records. Returns False if the bus loop does not run yet."""
        return self._do(lambda: self._take_status(status))

    def end(self) -> None:
        """Stop `run`. Called by the table's thread at its end."""
        self._ending = True
        self._do(self._ended.set)

    def _do(self, what: Callable[[], None]) -> bool:
        if self._loop is None:
            return False
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(what)
        return True

    def _take_status(self, status: bytes) -> None:
        if status != self._status:
            self._status = status
            self._untold = self._untold or time.monotonic()
            self._news.set()
        self._publisher.wake()

    async def run(self) -> None:
        """Run all bus tasks until `end` is called, then send what is left and close the connection."""
        self._loop = asyncio.get_running_loop()
        if self._ending:  # `end` was called before this loop ran
            self._ended.set()
        works = (self._publish, self._line.open, self._greeting, self._comparison.run, self._tell_status, self._beat)
        tasks = [asyncio.create_task(self._keep_running(work)) for work in works]
        await self._ended.wait()
        await self._finish()
        await cancel_tasks(tasks)
        await self._publisher.stop()
        await self._line.close()

    async def _keep_running(self, work: Callable[[], Awaitable[None]]) -> None:
        done = False
        while not done:
            try:
                await work()
                done, self._failed = True, None
            except Exception as error:  # noqa: BLE001 - what goes wrong on the bus ends neither it nor the table
                self._failed = reason_of(error)
                self._log.error("bus_failed", exc_info=error)
                await asyncio.sleep(AGAIN)

    async def _finish(self) -> None:
        """Send the remaining records and the final head, for at most PATIENCE seconds."""
        head = self._ends.table.journal.head
        try:
            async with asyncio.timeout(PATIENCE):
                if self._line.up.is_set():
                    await self._publisher.finish(head)
        except FAILED as error:
            self._log.warning("head_not_told", reason=failure_text(error))
        if self._publisher.acknowledged_seq < head.seq:
            reason = self._trouble_text() or render(coded("stopped_first"))
            self._log.warning("bus_behind", sent=self._publisher.acknowledged_seq, head=head.seq, reason=reason)

    # ── events ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def _publish(self) -> None:
        """Start publishing once the record has begun; a full disk at the start can delay that."""
        while not self._ends.table.state.seq:
            await asyncio.sleep(AGAIN)
        self._publisher.start()

    async def _greeting(self) -> None:
        await self._line.greet_on_connect(self._greet)

    async def _greet(self) -> bool:
        """Prepare a new connection: subscribe, and compare the record with the head on the bus.

        Returns True if publishing may begin: the record exists and does not contradict the head.
        """
        try:
            if not self._listening:
                await self._requests.listen()
                await self._hear_floors()
                self._listening = True
            self._news.set()
        except FAILED as error:
            self._comparison.note_failure(error)
            return False
        return await self._comparison.greet()

    def _records(self) -> tuple[Path, State]:
        return self._ends.journal, self._ends.table.state

    async def _hear_floors(self) -> None:
        if (floors := self._ends.floors) is None:
            return
        keys, table = self._ends.section.floors, self._names.table
        beats = FloorBeats(keys, lambda name, calls: floors(name, calls and self._is_told), table=table)

        async def take_beat(message: Msg) -> None:
            beats.take(message.subject, message.headers, message.data)

        await self._line.client.subscribe(subject_of(self._names.studio, "*"), cb=take_beat)

    @property
    def _is_told(self) -> bool:
        """True if floors have the present status, or have lacked it for less than SILENT seconds.

        If not, the table must send its own alerts.
        """
        return self._untold is None or time.monotonic() - self._untold < SILENT

    def _apply_comparison(self, contradiction: Contradiction | None) -> None:
        self._publisher.is_standing = self._requests.is_answering = contradiction is None or not contradiction.elsewhere
        for head in self._comparison.heads:
            self._publisher.note_head(head)
        self._failed = None
        if self.table_loop is None:
            return
        state, events = self._ends.table.state, list[e.Event]()
        if state.doubts.get("witness") != (contradiction and contradiction.first):
            about = (contradiction.first, *sentence_and_code(contradiction.message)) if contradiction else ()
            events.append(e.Checked("witness", *about))
        if state.unheard and contradiction is None:
            events.append(e.WitnessAsked())
        for event in events:
            self.table_loop.call_soon_threadsafe(self._ends.table.take, event)

    async def _tell_status(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(RETELL):
                    await self._news.wait()
            await self._line.there.wait()
            await self._comparison.tried.wait()
            self._news.clear()
            try:
                if (status := self._status) and self._requests.is_answering:
                    subject = self._names.status
                    headers = self._seals.seal(subject, status)
                    await self._line.client.jetstream().publish(subject, status, headers=headers)
                    self._untold = None if status == self._status else time.monotonic()
            except FAILED as error:
                self._log.warning("status_not_told", reason=failure_text(error))
                self._untold = self._untold or time.monotonic()
                self._news.set()
                await asyncio.sleep(AGAIN)

    async def _beat(self) -> None:
        """Publish a heartbeat every BEAT seconds while connected; else nats-py would queue them."""
        while True:
            await self._line.there.wait()
            subject = self._names.subject("beat")
            beat = json.encode({"epoch": self._epoch(), "seq": self._ends.table.state.seq})
            await self._line.client.publish(subject, beat, headers=self._seals.seal(subject, beat))
            await asyncio.sleep(seconds_to_beat(BEAT))

    # ── requests ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _epoch(self) -> str:
        return self._ends.table.state.identity.epoch

    async def _ask(self, request: RelayedRequest) -> RelayedAnswer:
        assert self.table_loop is not None  # noqa: S101 - it was there before the thread
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._ends.relay(request), self.table_loop))
