"""Follow a bucket of the bus: all its present values, then every change.

Lost messages are made good: the whole bucket is read again after a server is back, when the stream was recreated, and
at intervals.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import structlog
from nats.js.api import StreamInfo
from nats.js.errors import NotFoundError

from ...bus.bus_client import AGAIN, FAILED, BusClient, failure_text
from ...bus.names import REMOVAL
from ...bus.stream_reader import StoredMessage, StreamSignal, read
from ...bus.streams import is_same

ANEW = 60.0  # seconds until the whole bucket is read again
SAME = 2.0  # seconds between two checks for a recreated stream
LOOK = 0.5  # seconds until the next read if no message was heard
MOST = 500  # messages read at a time
TIMEOUT = 2.0


Sound = Callable[[str, Mapping[str, str] | None, bytes], bool]


class BucketEntry(NamedTuple):
    """Value of a key. `message` None: the key was removed.

    `seq`: sequence number of the value in the bucket; 0 for a key that a new reading of the bucket lacks.
    """

    key: str
    seq: int
    message: StoredMessage | None

    @property
    def value(self) -> bytes | None:
        """Body of the message, or None."""
        return None if self.message is None else self.message.body


class Bucket:
    """Bucket of the bus below a studio's name.

    `sound`: tells whether subject, headers and body are signed by their author; other messages are skipped,
    markers of removed keys too.
    """

    def __init__(self, line: BusClient, name: str, studio: str, sound: Sound) -> None:
        self._sound = sound
        self._line, self._stream, self._below = line, f"KV_{name}", f"$KV.{name}.{studio}."
        self._messages = dict[str, StoredMessage]()  # by key: the last message that its author has signed
        self._again = False
        self._log = structlog.get_logger().bind(bucket=name)

    def judge_anew(self) -> None:
        """Read the whole bucket again because other keys count now.

        Entries of former keys are reported as removed.
        """
        self._again = True

    def last_message(self, key: str) -> StoredMessage | None:
        """Last message of a key that its author has signed, as it was reported; None: there is none."""
        return self._messages.get(key)

    async def follow(self, hear: Callable[[BucketEntry], None], complete: Callable[[], None]) -> None:
        """Follow the bucket until cancelled.

        `hear`: called with each entry; `complete`: called when all present values have been heard.
        """
        while True:
            await self._line.there.wait()
            try:
                await self._session(hear, complete)
            except FAILED as error:
                self._log.warning("not_followed", reason=failure_text(error))
                await asyncio.sleep(AGAIN)

    async def _session(self, hear: Callable[[BucketEntry], None], complete: Callable[[], None]) -> None:
        """Read everything, then follow changes while the stream is the same. Raises nats' errors."""
        self._again = False
        was, news = await self._info(), StreamSignal()
        subscription = await self._line.client.subscribe(f"{self._below}>", cb=news.hear)
        try:
            last_seq = await self._read_all(hear)
            if is_same(was, was := await self._info()):
                complete()
                await self._changes(was, last_seq, news, hear)
        finally:
            with suppress(*FAILED):
                await subscription.unsubscribe()

    async def _read_all(self, hear: Callable[[BucketEntry], None]) -> int:
        """Read the last entry of each key; return the sequence number read up to. Raises nats' errors."""
        last, last_seq = dict[str, BucketEntry](), 0
        while messages := await self._read(last_seq):
            last |= {one.key: one for one in self._entries(messages)}
            last_seq = messages[-1].seq
        for entry in sorted(last.values(), key=lambda one: one.seq):
            self._tell(entry, hear)
        await self._miss(set(last), hear)
        return last_seq

    async def _changes(
        self, was: StreamInfo, last_seq: int, news: StreamSignal, hear: Callable[[BucketEntry], None]
    ) -> None:
        clock = asyncio.get_running_loop().time
        until, look = clock() + ANEW, clock() + SAME
        while self._line.there.is_set() and not self._again and clock() < until:
            if clock() > look:
                if not is_same(was, was := await self._info()):
                    self._log.warning("stream_made_anew")
                    return
                look = clock() + SAME
            if messages := await self._read(last_seq):
                news.forget_read(messages)
                for entry in self._entries(messages):
                    self._tell(entry, hear)
                last_seq = messages[-1].seq
            else:
                await news.wait(LOOK)

    def _tell(self, entry: BucketEntry, hear: Callable[[BucketEntry], None]) -> None:
        if entry.message is None:
            self._messages.pop(entry.key, None)
        else:
            self._messages[entry.key] = entry.message
        hear(entry)

    def _entries(self, messages: Sequence[StoredMessage]) -> Iterator[BucketEntry]:
        for one in messages:
            if self._sound(one.subject, one.headers, one.body):
                key, gone = one.subject.removeprefix(self._below), one.headers.get(REMOVAL) in ("DEL", "PURGE")
                yield BucketEntry(key, one.seq, None if gone else one)

    async def _miss(self, keys: set[str], hear: Callable[[BucketEntry], None]) -> None:
        """Report known keys without a present entry as removed, unless they still exist and count.

        Raises nats' errors.
        """
        for key, one in [(key, one) for key, one in self._messages.items() if key not in keys]:
            if not self._sound(one.subject, one.headers, one.body) or await self._is_removed(key):
                self._tell(BucketEntry(key, 0, None), hear)

    async def _is_removed(self, key: str) -> bool:
        """True if the bucket has no message of this key, also none that replaced it. Raises nats' errors."""
        try:
            await self._line.client.jetstream(timeout=TIMEOUT).get_last_msg(self._stream, f"{self._below}{key}")
        except NotFoundError:
            return True
        return False

    async def _read(self, last_seq: int) -> list[StoredMessage]:
        return await read(self._line.client, self._stream, f"{self._below}>", last_seq, MOST)

    async def _info(self) -> StreamInfo:
        return await self._line.client.jetstream(timeout=TIMEOUT).stream_info(self._stream)
