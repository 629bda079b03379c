"""A bucket of the bus followed: all that stands in it, then every change, whatever happens to the line and the servers.

What was missed is made good: after a server is back, and now and then anyway, all of it is asked for anew.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import nats.errors
import structlog
from nats.aio.msg import Msg
from nats.js.api import DeliverPolicy
from nats.js.client import JetStreamContext

from ..bus.line import AGAIN, FAILED, Line, words_of

HEARTBEAT = 0.5  # seconds: after two of them that do not come the server is asked anew
ANEW = 60.0
LOOK = 0.25
TIMEOUT = 2.0


class Entry(NamedTuple):
    """What stands under a key now. `place`: in the bucket; with no value it was removed."""

    key: str
    place: int
    value: bytes | None


class Bucket:
    """One of them, below a studio's name. `there`: is told which keys there are, when all were heard of."""

    def __init__(self, line: Line, name: str, studio: str) -> None:
        self._line, self._stream, self._below = line, f"KV_{name}", f"$KV.{name}.{studio}."
        self._log = structlog.get_logger().bind(bucket=name)

    async def follow(self, hear: Callable[[Entry], None], there: Callable[[set[str]], None]) -> None:
        """For ever."""
        while True:
            await self._line.there.wait()
            try:
                await self._session(hear, there)
            except FAILED as error:
                self._log.warning("not_followed", reason=words_of(error))
                await asyncio.sleep(AGAIN)

    async def _session(self, hear: Callable[[Entry], None], there: Callable[[set[str]], None]) -> None:
        """From all there is on. Raises nats' errors."""
        found = await self._line.client.jetstream(timeout=TIMEOUT).subscribe(
            f"{self._below}>",
            stream=self._stream,
            ordered_consumer=True,
            idle_heartbeat=HEARTBEAT,
            deliver_policy=DeliverPolicy.LAST_PER_SUBJECT,
        )
        try:
            await self._hear(found, hear, there)
        finally:
            with suppress(*FAILED):
                await found.unsubscribe()

    async def _hear(
        self,
        found: JetStreamContext.PushSubscription,
        hear: Callable[[Entry], None],
        there: Callable[[set[str]], None],
    ) -> None:
        until, keys = asyncio.get_running_loop().time() + ANEW, set[str]()
        info = await found.consumer_info()
        left = (info.num_pending or 0) + (info.delivered.consumer_seq if info.delivered else 0)
        if not left:
            there(keys)
        while self._line.there.is_set() and asyncio.get_running_loop().time() < until:
            with suppress(nats.errors.TimeoutError):
                entry = self._entry(await found.next_msg(timeout=LOOK))
                hear(entry)
                keys.add(entry.key)
                left -= 1
                if left == 0:
                    there(keys)

    def _entry(self, message: Msg) -> Entry:
        gone = (message.headers or {}).get("KV-Operation") in ("DEL", "PURGE")
        key = message.subject.removeprefix(self._below)
        return Entry(key, message.metadata.sequence.stream, None if gone else message.data)
