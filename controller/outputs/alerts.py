"""Alerts for shift managers who are not at the table: each target reads the record at its own pace.

A target that was down gets its alerts later; those older than OLD are then sent as one summary.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple

from ..config.alerts import Target
from ..core.clock import SECOND, Time
from ..core.records import Record
from ..journal import head_of, read
from ..journal.outbox import PACE, DeliveryPace, Outbox, Parcel, TargetPlaces
from ..journal.tasks import cancel_tasks
from ..table.loop import Table
from .alert_text import FAULTS, KINDS, OTHERS, Alert, alert, summary
from .delivery import AlertMessage, send
from .hold import Hold, after_missing, last_without_alert, pause_before

OLD: Time = 12 * 3600 * SECOND
LOOK = 0.5  # seconds between two checks if floors still send alerts, while a fault is left to them
OTHER = " (other)"  # suffix of a target's name: its place in the record for alerts that floors do not send


class Alerts:
    """Delivery of a table's alerts to all targets.

    `end`: the journal's last record; a new target gets alerts for later records, and for the open fault (its record is
    `open_`). `hold`: tells if floors send the fault alerts instead; None: floors may not. With a hold, each target has
    a second place in the record for alerts that floors do not send.
    """

    def __init__(
        self,
        targets: Mapping[str, Target],
        journal: Path,
        end: int,
        now: Callable[[], Time],
        pace: DeliveryPace = PACE,
        hold: Hold | None = None,
        open_: int | None = None,
    ) -> None:
        places = TargetPlaces(journal)
        self._news, self._held = end, 0  # last record that may need an alert; last one that was left to floors
        self._count = lru_cache(maxsize=4 * len(targets))(partial(_count, journal))
        self._journal, self._now, self._pace, self._hold = journal, now, pace, hold
        self._left = asyncio.Event()  # set when an alert was left to floors
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watching: asyncio.Task[None] | None = None
        selections = [
            AlertSelection(name, name, target, KINDS if hold is None else FAULTS) for name, target in targets.items()
        ]
        if hold is not None:
            selections += [AlertSelection(name, f"{name}{OTHER}", target, OTHERS) for name, target in targets.items()]
        new = end if open_ is None else open_ - 1
        begun = places.begin([selection.place for selection in selections if selection.kinds is not OTHERS], end, new)
        begun |= places.begin([selection.place for selection in selections if selection.kinds is OTHERS], end)
        self._outboxes = [
            (selection, self._outbox(selection, places, begun[selection.place])) for selection in selections
        ]

    def _outbox(self, selection: "AlertSelection", places: TargetPlaces, place: int) -> Outbox[Alert]:
        pack, post = partial(self._pack, selection), partial(_post, selection.target, self._pace.patience)
        return Outbox(selection.place, places, place, pack, post, self._pace)

    def _pack(self, selection: "AlertSelection", after: int) -> Parcel[Alert]:
        """Return the next parcel for a selection after record `after`. Raises JournalError."""
        if self._is_held(selection):
            return self._leave(after)
        if selection.kinds is FAULTS:
            after = last_without_alert(self._journal, after, self._held)
        target = selection.target
        batch = parcel(self._journal, target.level, self._now, after, language=target.language, kinds=selection.kinds)
        return self._leave(after) if self._is_held(selection) else batch  # a floor may have been heard while we read

    def _leave(self, after: int) -> Parcel[Alert]:
        """Leave alerts after record `after` to the floors; skip faults that are over already.

        Raises JournalError.
        """
        end = head_of(self._journal).seq
        place = last_without_alert(self._journal, after, end)
        if place < end and self._loop is not None:
            self._loop.call_soon_threadsafe(self._left.set)
        return Parcel(place, None)

    def start(self) -> None:
        """Start the delivery, first of undelivered alerts."""
        self._loop = asyncio.get_running_loop()
        for _, outbox in self._outboxes:
            outbox.start()
        if self._hold is not None:
            self._watching = asyncio.create_task(self._watch(self._hold))

    async def stop(self) -> None:
        """Stop at once; undelivered alerts are delivered after the next start."""
        if self._watching is not None:
            await cancel_tasks([self._watching])
        for _, outbox in self._outboxes:
            await outbox.stop()

    async def _watch(self, hold: Hold) -> None:
        """Deliver the alerts that were left to floors once no floor sends heartbeats any more."""
        while True:
            await self._left.wait()
            while hold.seconds_left and self._is_left:
                await asyncio.sleep(LOOK)
            self._left.clear()
            self._wake()

    @property
    def _is_left(self) -> bool:
        """True if a fault that was left to floors is not over yet."""
        return any(selection.kinds is FAULTS and outbox.place < self._news for selection, outbox in self._outboxes)

    def _wake(self) -> None:
        for _, outbox in self._outboxes:
            outbox.wake()

    def hear(self, _: Table, records: Sequence[Record]) -> None:
        """Note newly durable records, and wake the outboxes if one may need an alert."""
        if any(record.kind in KINDS for record in records):
            self._news = records[-1].seq
            if self._hold is not None and self._hold.seconds_left:
                self._held = self._news
            self._wake()

    def count_queued(self) -> dict[str, int]:
        """Count the alerts that wait for each target. Raises JournalError.

        Reads the record: call in a thread.
        """
        counts = Counter[str]()
        for selection, outbox in self._outboxes:
            level, kinds, place = selection.target.level, selection.kinds, outbox.place
            until = self._held if kinds is FAULTS else 0
            waits = place < self._news and not self._is_held(selection)
            counts[selection.name] += self._count(level, kinds, until, place, self._news) if waits else 0
        return dict(counts)

    def _is_held(self, selection: "AlertSelection") -> bool:
        """True if a floor sends the alerts of this selection now."""
        return self._hold is not None and selection.kinds is FAULTS and self._hold.seconds_left > 0


class AlertSelection(NamedTuple):
    """Kinds of alerts for one target, from one place in the record on.

    `place`: the name under which that place is kept.
    """

    name: str
    place: str
    target: Target
    kinds: frozenset[str]


def parcel(
    journal: Path,
    level: int,
    now: Callable[[], Time],
    after: int,
    language: str = "en",
    kinds: frozenset[str] = KINDS,
) -> Parcel[Alert]:
    """Return the next parcel for a target of a level, after record `after`. Raises JournalError.

    The target has all alerts up to `after`. Several old alerts become one summary.
    """
    end = head_of(journal).seq  # read first, so that records that arrive meanwhile are not skipped
    chosen: list[Alert] = []  # all old alerts, or the first new one
    for notice in waiting_alerts(journal, level, after, language, kinds):
        news = now() - notice.at <= OLD
        if not (news and chosen):
            chosen.append(notice)
        if news:
            break
    if not chosen:
        return Parcel(max(after, end), None)
    notice = chosen[0] if len(chosen) == 1 else summary(chosen, language)
    return Parcel(notice.seq, notice)


def waiting_alerts(
    journal: Path, level: int, after: int, language: str = "en", kinds: frozenset[str] = KINDS
) -> Iterator[Alert]:
    """Yield the alerts after a record for a target of that level, of these kinds.

    Records in archives that are not beside the journal are left out. Raises JournalError.
    """
    records = list(read(journal, after_missing(journal, after), KINDS))
    for record in records:
        if record.kind not in kinds:
            continue
        before, late = pause_before(journal, record.seq), record is not records[-1]
        notice = alert(record, before, late=late, language=language)
        if notice is not None and level in notice.levels:
            yield notice


def alerts_to_send(journal: Path, target: Target, places: Mapping[str, int], name: str) -> Iterator[Alert]:
    """Yield the alerts that a target still has to get, by its stored places.

    Raises JournalError.
    """
    other = places.get(f"{name}{OTHER}")
    kinds = KINDS if other is None else FAULTS
    yield from waiting_alerts(journal, target.level, places[name], target.language, kinds)
    if other is not None:
        yield from waiting_alerts(journal, target.level, other, target.language, OTHERS)


def _count(journal: Path, level: int, kinds: frozenset[str], until: int, after: int, _: int) -> int:
    """Count the alerts that wait behind record `after`, without those that floors have sent up to record `until`.

    The unused argument, the journal's last record, is part of the cache key: a new record makes a new count.
    """
    return sum(1 for _ in waiting_alerts(journal, level, last_without_alert(journal, after, until), kinds=kinds))


async def _post(target: Target, patience: float, notice: Alert) -> str | None:
    return await send(AlertMessage(target, notice.subject, notice.body, urgent=not notice.over), patience)
