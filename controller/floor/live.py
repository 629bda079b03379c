"""What the bus says of all tables now: their status, their beats, and what floors share.

The one rule: nobody is silent before the floor has shown that it can hear. Time passes for the hall at the pace of
answers of the server: what was on its way when a question was answered has come by then.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

import msgspec
import structlog
from nats.aio.msg import Msg

from ..bus.line import FAILED, Line, words_of
from ..bus.names import CLAIMS, LARGEST, STATUS, Place
from ..bus.seals import Seals, at_of
from ..bus.status import Status
from ..core.clock import Time
from ..journal.outbox import ended
from ..text.pc_texts import IS_CUT, NO_ROSTER, TOO_FEW_SERVERS
from .beats import Beats
from .buckets import Bucket, Entry
from .documents import Alarms, Assignments, Claimed
from .hall import Hall
from .told import is_time

ANSWER = 1.5  # seconds: a stream that answers later is not there
PULSE = 0.25
CALLS = 1000  # that a table makes of one fault

T = TypeVar("T")
E = TypeVar("E")


class Live:
    """Tells the hall. In the loop of the line."""

    def __init__(self, line: Line, studio: str, hall: Hall, seals: Seals, clock: Callable[[], Time]) -> None:
        self._line, self._studio, self._hall, self._seals, self._clock = line, studio, hall, seals, clock
        self._beaten: dict[str, int] = {}  # by table: when it signed the last beat
        self._newest: dict[str, Status] = {}
        self._judged = Beats()
        hall.doubts = seals.troubles_of
        self._past: dict[str, set[str]] = {}  # epochs of each table that were followed by another
        self._buckets = [Bucket(line, name, studio, self._is_sound) for name in (STATUS, CLAIMS)]
        self._log = structlog.get_logger()

    async def run(self) -> None:
        """For ever."""
        works = self._pulse(), self._follow()
        tasks = [asyncio.create_task(work) for work in works]
        try:
            await asyncio.gather(*tasks)
        finally:
            await ended(tasks)

    async def _follow(self) -> None:
        """Once it is known whose signatures count."""
        await self._seals.known.wait()
        statuses, shared = self._buckets
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._beats())
            tasks.create_task(statuses.follow(self._status, self._hall.complete))
            tasks.create_task(shared.follow(self._document, lambda: None))

    def judge_anew(self, tables: Iterable[str]) -> None:
        """Other signatures count than before; what the former keys of these tables have said is forgotten."""
        for table in tables:
            self._beaten.pop(table, None)
            self._newest.pop(table, None)
            self._past.pop(table, None)
        for bucket in self._buckets:
            bucket.judge_anew()

    # ── the line ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def _pulse(self) -> None:
        while True:
            asked = self._clock()
            trouble = await self._trouble()
            self._hall.line(trouble)
            self._hall.tick(asked if trouble is None else self._clock())
            await asyncio.sleep(PULSE)

    async def _trouble(self) -> str | None:
        """Why nothing comes. A ping would not do: the client dies of one that is answered after its time."""
        if not self._line.there.is_set():
            return self._line.trouble or IS_CUT
        if not self._seals.known.is_set():
            return NO_ROSTER
        try:
            info = await self._line.client.jetstream(timeout=ANSWER).stream_info(f"KV_{STATUS}")
        except FAILED as error:
            return words_of(error)
        return TOO_FEW_SERVERS if info.cluster is not None and not info.cluster.leader else None

    async def _beats(self) -> None:
        await self._line.there.wait()
        await self._line.client.subscribe(Place(self._studio, "*").subject("beat"), cb=self._beat)  # it comes back

    async def _beat(self, message: Msg) -> None:
        table, now, at = message.subject.split(".")[2], self._clock(), at_of(message.headers)
        sound = self._is_sound(message.subject, message.headers, message.data)
        if not sound or not message.subject.endswith(".beat") or at <= self._beaten.get(table, 0):
            return  # a stored message that a consumer delivers here keeps the subject that it has in its stream
        self._beaten[table] = at
        if self._judged.is_heard(table, message.data, self._newest.get(table), now):
            self._hall.beat(table, now)

    def _is_sound(self, subject: str, headers: Mapping[str, str] | None, body: bytes) -> bool:
        sound = self._seals.is_sound(subject, headers, body)
        if not sound:
            self._log.warning("unsigned", subject=subject)
        return sound

    # ── the tables ───────────────────────────────────────────────────────────────────────────────────────────────

    def _status(self, entry: Entry) -> None:
        if entry.value is None:
            self._hall.gone(entry.key)
            return
        status = _status_in(entry)
        if status is None:
            self._log.warning("no_status", table=entry.key)
        elif self._is_newer(status):
            self._hall.status(entry.key, status, entry.place)

    def _is_newer(self, status: Status) -> bool:
        """One of a record that has been followed by another, or from before what is known, was late."""
        known, past = self._newest.get(status.table), self._past.setdefault(status.table, set())
        if status.epoch in past:
            return False
        if known is not None and known.epoch == status.epoch and known.seq > status.seq:
            return False
        if known is not None and known.epoch != status.epoch:
            past.add(known.epoch)
        self._newest[status.table] = status
        return True

    # ── what floors share ────────────────────────────────────────────────────────────────────────────────────────

    def _document(self, entry: Entry) -> None:
        table, dot, what = entry.key.rpartition(".")
        if dot and what == "call":
            self._hall.call(table, self._decoded(entry, Claimed, None))
        elif entry.key == "assignments":
            self._hall.assignments(self._decoded(entry, Assignments, {}))
        elif entry.key == "alarms":
            self._hall.alarms(self._decoded(entry, Alarms, {}))

    def _decoded(self, entry: Entry, kind: type[T], nothing: E) -> T | E:
        try:
            return nothing if entry.value is None else msgspec.json.decode(entry.value, type=kind)
        except msgspec.MsgspecError as error:
            self._log.warning("no_document", key=entry.key, reason=str(error))
            return nothing


def _status_in(entry: Entry) -> Status | None:
    """What a table says of itself; null: that is none."""
    try:
        status = msgspec.json.decode((entry.value or b"")[: LARGEST + 1], type=Status)
    except (msgspec.MsgspecError, ValueError):
        return None
    fault = status.fault
    times = status.at, status.halted_at, None if fault is None else fault.since
    sound = all(map(is_time, filter(None, times))) and (fault is None or 0 <= fault.calls <= CALLS)
    return status if sound and status.table == entry.key else None
