"""Alerts for faults, sent by a floor: one message per fault, per further level and per offer to cancel.

Invariant: a message is sent before it is noted. Of the floors that are heard and reach their targets, the first by
name sends. If that floor is killed between sending and noting, another floor sends the message again: no message is
left out. A floor that does not reach a target says so in its heartbeats, and the tables send their alerts themselves.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import structlog
from nats.aio.msg import Msg

from ...bus.bus_client import FAILED, BusClient, failure_text
from ...bus.floor_beats import EVERY, FloorBeats, beat, subject_of
from ...bus.status import OpenCall, Status
from ...config.alerts import Target
from ...core.clock import Time, to_text
from ...core.coded_message import CodedMessage, coded
from ...journal.tasks import run_together
from ...outputs.delivery import AlertMessage, send
from ...outputs.hold import SILENT
from ..shared_state.documents import AlertNote
from ..shared_state.state import Shared
from .call_text import message
from .due_alerts import FaultAlert, next_alert
from .live_tables import LiveTables
from .twin_watch import TwinWatch

LOOK = 0.25  # seconds from one look at the calls to the next
PATIENCE = 8.0  # seconds for one message
AGAIN = 5.0  # seconds until a target that was not reached is tried again
FAILING = 600.0  # seconds for which a target counts as unreachable after a failed delivery, unless one succeeds
AT_A_TIME = 4  # tables for which alerts are sent at a time


class CallContext(NamedTuple):
    """Identity of a floor, with the connection, keys and targets to send alerts with.

    `keys`: public keys of the studio's floors, by name; `tell`: records a delivered alert; `post`: delivers a message.
    """

    line: BusClient
    studio: str
    floor: str
    seed: str
    keys: Mapping[str, str]
    targets: Mapping[str, Target]
    tell: Callable[..., object]
    post: Callable[[AlertMessage, float], Awaitable[str | None]] = send


class CallSender:
    """Sender of one floor's alerts; listens to the heartbeats of the other floors.

    `unheard`: returns the tables that are on the bus, but whose messages this floor cannot use.
    """

    def __init__(
        self,
        context: CallContext,
        live_tables: LiveTables,
        shared: Shared,
        now: Callable[[], Time],
        unheard: Callable[[], Sequence[str]],
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._context, self._live_tables, self._shared, self._now, self._steady = (
            context,
            live_tables,
            shared,
            now,
            steady,
        )
        self._unheard = unheard
        self.twin = TwinWatch(context.floor, context.seed, live_tables, steady)
        self._others: dict[str, float] = {}  # by floor that can send: end of the validity of its last heartbeat
        self._began: float | None = None  # time since which this floor could hear the others; None: no connection
        self._failed: dict[str, float] = {}  # by target: end of the time for which it counts as unreachable
        self._why: dict[str, str] = {}
        self._sent = set[tuple[FaultAlert, str]]()  # targets that have an alert which others still lack
        self._done: dict[str, AlertNote] = {}  # by table: the last alert that all targets have
        self._shared_notes: dict[str, AlertNote | None] = {}  # by table: the note that floors share, as last read
        self._under_way: dict[str, asyncio.Task[None]] = {}
        self._not_before: dict[str, float] = {}  # by table: earliest time of the next attempt
        self._log = structlog.get_logger()

    @property
    def calls(self) -> bool:
        """True if this floor sees all tables and reaches all of its targets, at least one."""
        return bool(self._context.targets) and self._live_tables.sees and not self._failing_targets()

    @property
    def trouble(self) -> CodedMessage | None:
        """Name and failure of the first target that was not reached; None if there is none."""
        failing = self._failing_targets()
        return coded("floor_alerts_fail", name=failing[0], reason=self._why[failing[0]]) if failing else None

    def _failing_targets(self) -> list[str]:
        return [name for name, until in self._failed.items() if self._steady() < until]

    async def run(self) -> None:
        """Listen, publish heartbeats and send alerts until cancelled.

        Deliveries under way are then cancelled and awaited.
        """
        try:
            await run_together(self._listen(), self._beat(), self._call())
        finally:
            await self._finish()

    async def _finish(self) -> None:
        """Cancel deliveries under way and wait for their processes, even if cancelled again."""
        left = set(self._under_way.values())
        for task in left:
            task.cancel()
        while left:
            with suppress(asyncio.CancelledError):
                _, left = await asyncio.wait(left)

    # ── heartbeats of floors ─────────────────────────────────────────────────────────────────────────────────────

    async def _listen(self) -> None:
        await self._context.line.there.wait()
        beats = FloorBeats(self._context.keys, self._note_other_floor)

        async def take_heartbeat(message: Msg) -> None:
            self.twin.take(message.subject, message.headers, message.data)
            beats.take(message.subject, message.headers, message.data)

        await self._context.line.client.subscribe(subject_of(self._context.studio, "*"), cb=take_heartbeat)

    def _note_other_floor(self, floor: str, calls: bool) -> None:  # noqa: FBT001 - as the bus hears it
        self._others[floor] = self._steady() + SILENT if calls else 0.0

    async def _beat(self) -> None:
        """Publish heartbeats, but not while the connection is cut: the client would queue them for later."""
        subject = subject_of(self._context.studio, self._context.floor)
        while True:
            if self._context.line.there.is_set():
                seed, process, unheard = self._context.seed, self.twin.process, self._unheard()
                body, headers = beat(seed, subject, calls=self.calls, now=time.time(), process=process, unheard=unheard)
                try:
                    await self._context.line.client.publish(subject, body, headers=headers)
                except FAILED as error:
                    self._log.warning("floor_beat_not_sent", reason=failure_text(error))
            self.twin.tell()
            await asyncio.sleep(EVERY)

    def _is_ours(self) -> bool:
        """True if this floor sends the alerts: no other floor that can send has a name before its own.

        False without a connection, and in the first two heartbeat intervals, because other floors may not have been
        heard yet. If no other floor can send, this one tries even if it does not reach all targets.
        """
        if not self._context.line.there.is_set():
            self._began = None
            return False
        now = self._steady()
        self._began = now if self._began is None else self._began
        if now - self._began < 2 * EVERY:
            return False
        others = [name for name, until in self._others.items() if name != self._context.floor and until > now]
        return not others or (self.calls and self._context.floor < min(others))

    # ── alerts ───────────────────────────────────────────────────────────────────────────────────────────────────

    async def _call(self) -> None:
        while True:
            await asyncio.sleep(LOOK)
            if not self._context.targets or not self._is_ours():
                continue
            for table, status in self._live_tables.tables.items():
                if status.fault is not None and self._is_due(table, status, status.fault):
                    self._begin(table)

    def _is_due(self, table: str, status: Status, fault: OpenCall) -> bool:
        if table in self._under_way or len(self._under_way) >= AT_A_TIME:
            return False
        if self._steady() < self._not_before.get(table, 0.0):
            return False
        return self._next(table, status, fault) is not None

    def _next(self, table: str, status: Status, fault: OpenCall) -> FaultAlert | None:
        return next_alert(status, fault, self._done.get(table), self._shared_notes.get(table))

    def _begin(self, table: str) -> None:
        task = self._under_way[table] = asyncio.create_task(self._tell(table))
        task.add_done_callback(lambda _: self._under_way.pop(table, None))

    async def _tell(self, table: str) -> None:
        """Send all alerts of a table's call that are due, one after the other."""
        try:
            self._shared_notes[table] = await self._shared.documents.read(f"{table}.mailed", AlertNote)
        except FAILED as error:
            self._log.warning("not_called", table=table, reason=failure_text(error))
            self._not_before[table] = self._steady() + AGAIN
            return
        last: FaultAlert | None = None
        while (
            (status := self._live_tables.status_of(table)) is not None
            and (fault := status.fault) is not None
            and self._is_ours()
        ):
            if last is not None and (last.epoch, last.fault) != (status.epoch, fault.seq):
                return  # another fault has begun, with alerts of its own
            last = self._next(table, status, fault)
            if last is None or not await self._send(last, status, fault):
                return
            await self._note(last)

    async def _send(self, call: FaultAlert, status: Status, fault: OpenCall) -> bool:
        """Send one alert to all of its targets. Returns True if all have it."""
        targets = [name for name, target in self._context.targets.items() if target.level == call.called]
        left = [name for name in targets if (call, name) not in self._sent]
        done = await asyncio.gather(*(self._post(call, name, status, fault) for name in left))
        if not all(done):
            self._not_before[call.table] = self._steady() + AGAIN
        return all(done)

    async def _post(self, call: FaultAlert, name: str, status: Status, fault: OpenCall) -> bool:
        target = self._context.targets[name]
        alert = message(target, status, fault, again=call.is_repeated)
        failure = await self._context.post(alert, PATIENCE)
        if failure is None:
            self._sent.add((call, name))
            self._failed.pop(name, None)
            about = {"table": call.table, "epoch": call.epoch, "fault": call.fault, "level": call.called}
            self._context.tell("alerted", **about, target=name)
        else:
            self._log.warning("not_delivered", target=name, reason=failure)
            self._failed[name], self._why[name] = self._steady() + FAILING, failure
        return failure is None

    async def _note(self, call: FaultAlert) -> None:
        """Store that an alert was sent, so that no other floor sends it again."""
        about = call.epoch, call.fault, call.level, self._context.floor, to_text(self._now())
        mailed = self._done[call.table] = AlertNote(*about, call.restarted, call.offer, call.since)

        def edit(before: AlertNote | None) -> AlertNote:
            return before if before is not None and before.covers(mailed) else mailed

        if not await self._shared.documents.change(f"{call.table}.mailed", AlertNote, edit):
            self._log.warning("call_not_noted", table=call.table, fault=call.fault)
        self._sent = {(one, name) for one, name in self._sent if one.table != call.table}
