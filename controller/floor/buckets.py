"""A bucket of the bus followed: all that stands in it, then every change, whatever happens to the line and the servers.

What was missed is made good: after a server is back, when the stream is another one, and now and then anyway, all of it
is asked for anew. Of a stream that was made anew the library's consumer hears only what follows the place that it had
reached in the one that is gone.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import nats.errors
import structlog
from nats.aio.msg import Msg
from nats.js.api import DeliverPolicy, StreamInfo
from nats.js.client import JetStreamContext
from nats.js.errors import NotFoundError

from ..bus.line import AGAIN, FAILED, Line, words_of
from ..bus.streams import is_same

HEARTBEAT = 0.5  # seconds: after two of them that do not come the server is asked for what follows
WHOLE = 60.0  # seconds for all of it to come
ANEW = 60.0  # seconds from then until all of it is asked for anew
SAME = 2.0  # seconds between two looks at whether the stream is still the one it was
LOOK = 0.25
TIMEOUT = 2.0


class Entry(NamedTuple):
    """What stands under a key now. `place`: in the bucket; with no value it was removed."""

    key: str
    place: int
    value: bytes | None


class Bucket:
    """One of them, below a studio's name."""

    def __init__(self, line: Line, name: str, studio: str) -> None:
        self._line, self._stream, self._below = line, f"KV_{name}", f"$KV.{name}.{studio}."
        self._known = set[str]()
        self._log = structlog.get_logger().bind(bucket=name)

    async def follow(self, hear: Callable[[Entry], None], complete: Callable[[], None]) -> None:
        """For ever. `complete`: is told when all that stands there has been heard."""
        while True:
            await self._line.there.wait()
            try:
                await self._session(hear, complete)
            except FAILED as error:
                self._log.warning("not_followed", reason=words_of(error))
                await asyncio.sleep(AGAIN)

    async def _session(self, hear: Callable[[Entry], None], complete: Callable[[], None]) -> None:
        """From all there is on, while it is the same stream. Raises nats' errors."""
        was = await self._info()
        found = await self._stream_of().subscribe(
            f"{self._below}>",
            stream=self._stream,
            ordered_consumer=True,
            idle_heartbeat=HEARTBEAT,
            deliver_policy=DeliverPolicy.LAST_PER_SUBJECT,
        )
        try:
            await self._hear(found, was, hear, complete)
        finally:
            with suppress(*FAILED):
                await found.unsubscribe()

    async def _hear(
        self,
        found: JetStreamContext.PushSubscription,
        was: StreamInfo,
        hear: Callable[[Entry], None],
        complete: Callable[[], None],
    ) -> None:
        clock = asyncio.get_running_loop().time
        until, look, keys, waits, heard = clock() + WHOLE, clock() + SAME, set[str](), True, True
        info = await found.consumer_info()
        empty = not (info.num_pending or (info.delivered and info.delivered.consumer_seq) or found.pending_msgs)
        # As long as it comes, however slowly, nothing is asked for anew: else it would never come to its end.
        while self._line.there.is_set() and (clock() < until or (waits and heard)):
            if waits and empty:
                await self._miss(keys, hear)
                complete()
                waits, until = False, clock() + ANEW
            if clock() > look:
                if not is_same(was, was := await self._info()):
                    self._log.warning("stream_made_anew")
                    return
                look = clock() + SAME
            heard = False
            with suppress(nats.errors.TimeoutError):
                message = await found.next_msg(timeout=LOOK)
                keys.add(self._take(message, hear))
                empty, heard = message.metadata.num_pending == 0, True

    def _take(self, message: Msg, hear: Callable[[Entry], None]) -> str:
        gone = (message.headers or {}).get("KV-Operation") in ("DEL", "PURGE")
        key = message.subject.removeprefix(self._below)
        (self._known.discard if gone else self._known.add)(key)
        hear(Entry(key, message.metadata.sequence.stream, None if gone else message.data))
        return key

    async def _miss(self, keys: set[str], hear: Callable[[Entry], None]) -> None:
        """What has not come was removed, unless it was just being replaced. Raises nats' errors."""
        for key in self._known - keys:
            try:
                await self._stream_of().get_last_msg(self._stream, f"{self._below}{key}")
            except NotFoundError:
                self._known.discard(key)
                hear(Entry(key, 0, None))

    async def _info(self) -> StreamInfo:
        return await self._stream_of().stream_info(self._stream)

    def _stream_of(self) -> JetStreamContext:
        return self._line.client.jetstream(timeout=TIMEOUT)
