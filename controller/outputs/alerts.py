"""Alerts for shift managers who are not at the table: each target reads the record at its own pace.

A target that is down gets it later; what is too old by then to be news comes as one message.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path

from ..config.alerts import Target
from ..core.clock import SECOND, Time
from ..core.records import Record
from ..journal import head_of, read, read_back
from ..journal.outbox import PACE, Outbox, Pace, Parcel, Places
from ..table.loop import Table
from .alert_text import KINDS, Alert, alert, pause, summary
from .delivery import Message, send

OLD: Time = 12 * 3600 * SECOND


class Alerts:
    """The targets of a table. `end`: the journal's last record; a new target is told of what comes after it."""

    def __init__(
        self, targets: Mapping[str, Target], journal: Path, end: int, now: Callable[[], Time], pace: Pace = PACE
    ) -> None:
        places = Places(journal)
        self._news = end  # the last record that anybody may have to be told of
        self._count = lru_cache(maxsize=2 * len(targets))(partial(_count, journal))
        self._levels = {name: target.level for name, target in targets.items()}
        self._outboxes = {
            name: Outbox(
                name,
                places,
                place,
                partial(parcel, journal, targets[name].level, now, language=targets[name].language),
                partial(_post, targets[name], pace.patience),
                pace,
            )
            for name, place in places.begin(targets, end).items()
        }

    def start(self) -> None:
        """Begin with what was left undelivered."""
        for outbox in self._outboxes.values():
            outbox.start()

    async def stop(self) -> None:
        """At once; what is not delivered by now is delivered after the next start."""
        for outbox in self._outboxes.values():
            await outbox.stop()

    def hear(self, _: Table, records: Sequence[Record]) -> None:
        """Something became durable."""
        if any(record.kind in KINDS for record in records):
            self._news = records[-1].seq
            for outbox in self._outboxes.values():
                outbox.wake()

    def queued(self) -> dict[str, int]:
        """How many alerts wait for each target. It reads the record: for a thread. Raises JournalError."""
        return {
            name: self._count(self._levels[name], outbox.place, self._news) if outbox.place < self._news else 0
            for name, outbox in self._outboxes.items()
        }


def parcel(journal: Path, level: int, now: Callable[[], Time], after: int, language: str = "en") -> Parcel[Alert]:
    """What is next for a target of that level which has all up to the record `after`. Raises JournalError."""
    end = head_of(journal).seq  # asked first: what comes while we read is not passed over
    chosen: list[Alert] = []  # all the old ones, or the first that is not
    for told in waiting(journal, level, after, language):
        news = now() - told.at <= OLD
        if not (news and chosen):
            chosen.append(told)
        if news:
            break
    if not chosen:
        return Parcel(max(after, end), None)
    told = chosen[0] if len(chosen) == 1 else summary(chosen, language)
    return Parcel(told.seq, told)


def waiting(journal: Path, level: int, after: int, language: str = "en") -> Iterator[Alert]:
    """All that a target of that level is to be told of after a record. Raises JournalError."""
    records = list(read(journal, after, KINDS))
    for record in records:
        before, late = pause(read_back(journal, record.seq, KINDS)), record is not records[-1]
        told = alert(record, before, late=late, language=language)
        if told is not None and level in told.levels:
            yield told


def _count(journal: Path, level: int, after: int, _: int) -> int:
    """How many wait behind a record; the last one is told, so that what was counted need not be counted again."""
    return sum(1 for _ in waiting(journal, level, after))


async def _post(target: Target, patience: float, told: Alert) -> str | None:
    return await send(Message(target, told.subject, told.body, urgent=not told.over), patience)
