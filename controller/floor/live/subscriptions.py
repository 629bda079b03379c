"""Statuses, heartbeats and shared documents from the bus, for `LiveTables`.

Invariant: no table counts as silent before the floor has shown that it can hear. The time of `LiveTables` advances with
answers of the server only: messages on their way when the server was asked have come by then.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

import msgspec
import structlog
from nats.aio.msg import Msg

from ...bus.bus_client import FAILED, BusClient, reason_of
from ...bus.names import CLAIMS, LARGEST, STATUS, TableNames
from ...bus.seals import Seals, signature_time
from ...bus.signed_commands import LATE
from ...bus.status import Status
from ...bus.stream_reader import StoredMessage
from ...core.clock import SECOND, Time
from ...core.coded_message import CodedMessage, coded
from ...journal.tasks import run_together
from ..shared_state.documents import Alarms, Assignments, CallClaim
from ..storage.table_events import is_time
from .buckets import Bucket, BucketEntry
from .epochs import Epochs
from .heartbeats import Beat, Beats, beat_in
from .live_tables import LiveTables
from .table_state import SILENT

ANSWER = 1.5  # seconds; a stream that answers later counts as absent
PULSE = 0.25
CALLS = 1000  # largest number of calls that a table makes for one fault

T = TypeVar("T")
E = TypeVar("E")


class TableSubscriptions:
    """Feeds `LiveTables` from the bus, in the event loop of the connection.

    `heard`: called with each beat by which a table is heard.
    """

    def __init__(
        self, line: BusClient, studio: str, live_tables: LiveTables, seals: Seals, clock: Callable[[], Time]
    ) -> None:
        self._line, self._studio, self._live_tables, self._seals, self._clock = line, studio, live_tables, seals, clock
        self._beaten: dict[str, int] = {}  # by table: signing time of the last beat
        self._ahead: dict[str, int] = {}  # the same for beats whose clock is ahead by more than LATE
        self._newest: dict[str, Status] = {}
        self._judged = Beats()
        self._on_bus: dict[str, Time] = {}  # by table: its last beat, whoever has signed it
        self.heard: Callable[[str, Beat], None] = lambda *_: None
        self._epochs = Epochs(line, studio, seals)
        live_tables.doubts = lambda table: (*seals.troubles_of(table), *self._epochs.troubles_of(table, clock()))
        self._past: dict[str, set[str]] = {}  # epochs of each table that were followed by another
        self._buckets = [Bucket(line, name, studio, self._is_sound) for name in (STATUS, CLAIMS)]
        self._log = structlog.get_logger()

    def last_message(self, key: str) -> StoredMessage | None:
        """Last signed message of a shared document, as `LiveTables` has received it; None: there is none."""
        return self._buckets[-1].last_message(key)

    async def run(self) -> None:
        """Follow the bus until cancelled."""
        await run_together(self._pulse(), self._follow())

    async def _follow(self) -> None:
        """Follow tables and floors once the roster tells which signatures count."""
        await self._seals.known.wait()
        statuses, shared = self._buckets
        await run_together(
            self._epochs.run(),
            self._beats(),
            statuses.follow(self._status, self._live_tables.note_complete),
            shared.follow(self._document, lambda: None),
        )

    def judge_anew(self, tables: Iterable[str]) -> None:
        """Judge all messages again because other keys count now. `tables`: had another key before."""
        for table in tables:
            self._beaten.pop(table, None)
            self._ahead.pop(table, None)
            self._newest.pop(table, None)
            self._past.pop(table, None)
            self._epochs.forget(table)
        for bucket in self._buckets:
            bucket.judge_anew()
        self._epochs.judge_anew()

    # ── the line ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def _pulse(self) -> None:
        while True:
            start = self._clock()
            trouble = await self._trouble()
            self._live_tables.set_trouble(trouble)
            self._live_tables.tick(start if trouble is None else self._clock())
            await asyncio.sleep(PULSE)

    async def _trouble(self) -> CodedMessage | str | None:
        """Reason why no messages come, or None.

        A ping would not do: nats-py closes the connection after a late answer.
        """
        if not self._line.there.is_set():
            return self._line.trouble or coded("line_cut")
        if not self._seals.known.is_set():
            return coded("no_roster")
        try:
            info = await self._line.client.jetstream(timeout=ANSWER).stream_info(f"KV_{STATUS}")
        except FAILED as error:
            return reason_of(error)
        leaderless = info.cluster is not None and not info.cluster.leader
        return coded("too_few_servers") if leaderless else None

    async def _beats(self) -> None:
        await self._line.there.wait()
        await self._line.client.subscribe(
            TableNames(self._studio, "*").subject("beat"), cb=self._beat
        )  # stays subscribed

    async def _beat(self, message: Msg) -> None:
        table, now, at = message.subject.split(".")[2], self._clock(), signature_time(message.headers)
        self._on_bus[table] = now
        sound = self._is_sound(message.subject, message.headers, message.data)
        if not sound or not message.subject.endswith(".beat") or not self._is_later(table, at, now):
            return  # also for a stored message that a consumer delivers here: its subject does not end in `.beat`
        if (beat := beat_in(message.data)) is None or self._epochs.is_rival(table, beat.epoch, now):
            return
        if self._judged.is_heard(table, beat, self._newest.get(table), now):
            self._live_tables.note_beat(table, now)
            self.heard(table, beat)

    @property
    def unheard_tables(self) -> list[str]:
        """Tables that send heartbeats now, but none by which this floor hears them."""
        since = self._clock() - SILENT
        self._on_bus = {table: at for table, at in self._on_bus.items() if at > since}
        return sorted(table for table in self._on_bus if not self._live_tables.is_heard(table))

    def _is_later(self, table: str, at: int, now: Time) -> bool:
        """True if a beat was signed after the last one.

        Beats of a clock that is ahead by more than LATE are compared with each other only: else, once that clock is set
        right, the table would count as silent.
        """
        last = self._ahead if at / 1000 > now / SECOND + LATE else self._beaten
        is_later = at > last.get(table, 0)
        last[table] = max(at, last.get(table, 0))
        return is_later

    def _is_sound(self, subject: str, headers: Mapping[str, str] | None, body: bytes) -> bool:
        sound = self._seals.is_sound(subject, headers, body)
        if not sound:
            self._log.warning("unsigned", subject=subject)
        return sound

    # ── the tables ───────────────────────────────────────────────────────────────────────────────────────────────

    def _status(self, entry: BucketEntry) -> None:
        value = entry.value
        if value is None:
            self._live_tables.remove(entry.key)
            return
        status = _status_in(entry.key, value)
        if status is None:
            self._log.warning("no_status", table=entry.key)
        elif self._is_newer(status):
            self._live_tables.take_status(entry.key, status, entry.seq)

    def _is_newer(self, status: Status) -> bool:
        """True if the status is newer than the last known one, and not a late one of an ended epoch; notes it."""
        last_status, past = self._newest.get(status.table), self._past.setdefault(status.table, set())
        stands = self._epochs.is_current(status.table, status.epoch)
        if stands is False or (stands is None and status.epoch in past):
            return False
        if last_status is not None and last_status.epoch == status.epoch and last_status.seq > status.seq:
            return False
        if last_status is not None and last_status.epoch != status.epoch:
            past.add(last_status.epoch)
        self._newest[status.table] = status
        return True

    # ── shared documents ─────────────────────────────────────────────────────────────────────────────────────────

    def _document(self, entry: BucketEntry) -> None:
        table, dot, what = entry.key.rpartition(".")
        if dot and what == "call":
            self._live_tables.set_claim(table, self._decode(entry, CallClaim, None))
        elif entry.key == "assignments":
            self._live_tables.set_assignments(self._decode(entry, Assignments, {}))
        elif entry.key == "alarms":
            self._live_tables.set_alarms(self._decode(entry, Alarms, {}))

    def _decode(self, entry: BucketEntry, kind: type[T], nothing: E) -> T | E:
        try:
            return nothing if entry.value is None else msgspec.json.decode(entry.value, type=kind)
        except msgspec.MsgspecError as error:
            self._log.warning("no_document", key=entry.key, reason=str(error))
            return nothing


def _status_in(table: str, value: bytes) -> Status | None:
    """Status of a table in the value of its bucket entry; None if it is invalid."""
    try:
        status = msgspec.json.decode(value[: LARGEST + 1], type=Status)
    except (msgspec.MsgspecError, ValueError):
        return None
    fault = status.fault
    times = status.at, status.halted_at, None if fault is None else fault.since
    sound = all(map(is_time, filter(None, times))) and (fault is None or 0 <= fault.calls <= CALLS)
    return status if sound and status.table == table else None
