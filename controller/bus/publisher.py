"""Publishes the record on the bus from its durable outbox.

It publishes every event for each audience, and a head after each round, each resettlement and the begin of an epoch
after a loss. With a head on the bus, an older copy of the record is refused.

An event has the same content as over HTTP. Unsent events follow later in order, however long the interruption was.
"""

import asyncio
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import UNSET

from ..core.coded_message import CodedMessage, coded
from ..core.mark import Mark
from ..core.records import Cancelled, LossAccepted, Record, Resettled, Settled
from ..core.state import State
from ..core.viewers import STRANGERS, Viewers
from ..core.views import Audience, views
from ..core.witness import past_of
from ..journal import Head, JournalError, hash_at, mark_of, read
from ..journal.outbox import BUS, DeliveryPace, Outbox, Parcel, TargetPlaces
from ..text.coded import render
from .bus_client import FAILED, BusClient, reason_of
from .names import EVENT, LARGE, TableNames
from .seals import Seals
from .sender import BusMessage, Sender
from .witness import head_message

RECENT = 2000  # records kept in memory, so that new records need not be read from disk
MOST = 200  # records in one parcel
PACE = DeliveryPace(first=0.2, longest=2.0)
LOOK = 0.01  # seconds between two looks at the last record sent
KEEP = 1.0  # seconds between two writes of the last record sent; messages repeated after a crash keep their ids


class Source(NamedTuple):
    """Table whose record is published. `state`: returns its present state, from any thread."""

    names: TableNames
    journal: Path
    state: Callable[[], State]
    audiences: Sequence[Audience]
    viewers: Callable[[], Viewers]


class Recent:
    """Latest durable records, kept in memory for the bus thread. Thread-safe."""

    def __init__(self) -> None:
        self._records = deque[Record](maxlen=RECENT)
        self._lock = threading.Lock()

    def add(self, records: Sequence[Record]) -> None:
        """Append records. Called with records that are already on disk."""
        with self._lock:
            self._records.extend(records)

    def records_after(self, seq: int, most: int) -> list[Record] | None:
        """Return up to `most` records after `seq`; None if the first of them is on disk only."""
        with self._lock:
            if not self._records or self._records[0].seq > seq + 1:
                return None
            start = seq + 1 - self._records[0].seq
            return list(islice(self._records, start, start + most))


class Publisher:
    """Publisher of the record to the bus, in the bus thread's event loop.

    `recent`: filled by the table's thread; `secret`: key of the message ids.
    """

    def __init__(self, source: Source, recent: Recent, line: BusClient, secret: bytes, seals: Seals) -> None:
        self.trouble: CodedMessage | None = None
        self.is_standing = True  # False: a later epoch is valid, so no heads are published
        self._source, self._recent, self._line, self._seals = source, recent, line, seals
        self._heads, self._subjects = frozenset(source.names.heads), _subjects(source)
        self.sender = Sender(line.client.jetstream(), secret)
        self._sent: dict[tuple[str, str], int] = {}  # by subject and epoch: record of the last head that was sent
        self._end = source.state().seq  # start of publishing for a table that was never on the bus
        self._outbox: Outbox[Sequence[BusMessage]] | None = None

    def start(self) -> None:
        """Start sending behind the last record that was sent before. Raises JournalFailed."""
        places = TargetPlaces(self._source.journal)
        target, last_sent = begin(places, self._source.state(), self._end)
        self._outbox = Outbox(target, places, last_sent, self._pack, self._post, PACE, keep=KEEP, quiet=True)
        self._outbox.start()

    def wake(self) -> None:
        """Look for new records now. Does nothing before `start`."""
        if self._outbox is not None:
            self._outbox.wake()

    @property
    def acknowledged_seq(self) -> int:
        """Sequence number up to which all records are on the bus."""
        return 0 if self._outbox is None else self._outbox.place

    @property
    def is_started(self) -> bool:
        """True if `start` was called."""
        return self._outbox is not None

    async def stop(self) -> None:
        """Stop sending; the next start sends what is left."""
        if self._outbox is not None:
            await self._outbox.stop()

    async def finish(self, head: Head) -> None:
        """Send all records up to `head`, then the head itself. Raises nats' errors."""
        state = self._source.state()
        while self.acknowledged_seq < head.seq:
            await asyncio.sleep(LOOK)
        await self._send(self._head(state.at, mark_of(state, head)))

    def _pack(self, after: int) -> Parcel[Sequence[BusMessage]]:
        """Next parcel of messages behind record `after`. Raises JournalError and keeps it as `trouble`."""
        try:
            return self._next_parcel(after)
        except JournalError as error:
            self.trouble = coded("unsent_after", after=after, reason=error.message)
            raise

    def _next_parcel(self, after: int) -> Parcel[Sequence[BusMessage]]:
        state = self._source.state()
        recent = self._recent.records_after(after, MOST)
        batch = islice(read(self._source.journal, after), MOST) if recent is None else recent
        records = [record for record in batch if record.seq <= state.seq]  # `state` lacks the rounds of later ones
        if not records:
            return Parcel(after, None)
        viewers = self._source.viewers() if "player" in self._source.audiences else STRANGERS
        live = state.round.number if state.live else None
        messages = [message for record in records for message in self._messages_of(record, state, live, viewers)]
        return Parcel(records[-1].seq, messages)

    def _messages_of(self, record: Record, state: State, live: int | None, viewers: Viewers) -> list[BusMessage]:
        """Messages of a record. `live`: number of the live round; None: no round is live."""
        epoch, over = epoch_of(state, record.seq), live is None or record.round != live
        events = views(record, self._subjects, viewers, over=over)
        messages = [
            _event(subject, epoch, record.seq, msgspec.json.encode(event))
            for subject, event in zip(self._subjects.values(), events, strict=True)
        ]
        if isinstance(record.what, Settled | Cancelled | Resettled | LossAccepted):
            messages += self._head_at(record, epoch, state)
        return messages

    def _head_at(self, record: Record, epoch: str, state: State) -> list[BusMessage]:
        """Head message for a record, as a list of one; empty if the record's hash is in a missing archive."""
        digest = hash_at(self._source.journal, record.seq)
        past = past_of(loss for loss in state.losses if loss.stands < record.seq)
        if digest is None:
            return []
        return [self._head(record.at, Mark(epoch, record.seq, digest.hex(), record.table, past or UNSET))]

    def _head(self, at: int, mark: Mark) -> BusMessage:
        subject, body = head_message(self._source.names, mark, at)
        return BusMessage(subject, mark.epoch, mark.seq, body, self._seals.seal(subject, body))

    async def _post(self, messages: Sequence[BusMessage]) -> str | None:
        """Send messages: those of each subject in order, all subjects at once, and heads after all events."""
        await self._line.up.wait()
        events = [message for message in messages if message.subject not in self._heads]
        heads = [message for message in messages if message.subject in self._heads]
        failed = await self._send_each(events) or await self._send_each(heads)
        if failed is not None:
            message, error = failed
            self.trouble = coded("unsent", seq=message.seq, reason=reason_of(error))
            return render(self.trouble)
        rivals = self.sender.rivals
        self.trouble = coded("rivals", count=rivals) if rivals else None
        return None

    async def _send_each(self, messages: Sequence[BusMessage]) -> tuple[BusMessage, Exception] | None:
        """Send the messages of all subjects at once; return the first message that could not be sent, with the error.

        Of its subject nothing more is sent; other subjects are sent to their end.
        """
        by_subject = defaultdict[str, list[BusMessage]](list)
        for message in messages:
            by_subject[message.subject].append(message)
        ends = await asyncio.gather(*map(self._send_all, by_subject.values()))
        return min(filter(None, ends), key=lambda end: end[0].seq, default=None)

    async def _send_all(self, messages: Sequence[BusMessage]) -> tuple[BusMessage, Exception] | None:
        """Send messages one after the other, up to the first that fails."""
        for message in messages:
            try:
                await self._send(message)
            except FAILED as error:
                return message, error
        return None

    async def _send(self, message: BusMessage) -> None:
        if message.subject in self._heads and not self.is_standing:
            return
        if self._sent.get((message.subject, message.epoch), 0) < message.seq:
            await self.sender.send(message)
            self._sent[message.subject, message.epoch] = message.seq

    def note_head(self, mark: Mark) -> None:
        """Register the head of this epoch that the bus has, so that no older head is sent after it."""
        subject, _ = head_message(self._source.names, mark, 0)
        self._sent[subject, mark.epoch] = mark.seq


def _subjects(source: Source) -> Mapping[Audience, str]:
    """Subject of the events for each audience."""
    return {audience: source.names.subject("event", audience) for audience in source.audiences}


def _event(subject: str, epoch: str, seq: int, body: bytes) -> BusMessage:
    """Event message; above EVENT bytes only a notice, so that receivers ask the table for the event."""
    if len(body) <= EVENT:
        return BusMessage(subject, epoch, seq, body)
    return BusMessage(subject, epoch, seq, b"", {LARGE: str(len(body))})


def epoch_of(state: State, seq: int) -> str:
    """Epoch to which the record with this sequence number belongs."""
    ended = next((loss.epoch for loss in state.losses if seq <= loss.stands), None)
    return state.identity.epoch if ended is None else ended


def begin(places: TargetPlaces, state: State, end: int) -> tuple[str, int]:
    """Outbox target of the current epoch, and the record behind which sending begins.

    If nothing of the epoch was sent yet, sending begins at `end`, or where the epoch split from the one before. Raises
    JournalFailed.
    """
    target, seqs = f"{BUS}{state.identity.epoch}", places.read()
    if target in seqs or not state.losses:
        return target, places.begin([target], state.seq if target in seqs else end)[target]
    sent = (min(loss.stands, seqs[was]) for loss in reversed(state.losses) if (was := f"{BUS}{loss.epoch}") in seqs)
    last_sent = next(sent, state.losses[-1].stands)
    places.move(target, last_sent)
    return target, last_sent
