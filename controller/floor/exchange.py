"""Documents that floors share, changed by compare-and-set: of two changes at once one is first.

Invariant: an error does not mean that a change failed. A write without an answer may have been stored, so the document
is read again; an edit that finds its work done changes nothing.
"""

import asyncio
import random
from collections.abc import Callable
from typing import TypeVar

import msgspec
import structlog
from nats.js.errors import NotFoundError

from ..bus.last import last_sound
from ..bus.line import FAILED, Line, words_of
from ..bus.names import CLAIMS
from ..bus.seals import Seals

PATIENCE = 4.0  # seconds, then somebody is told that it is not known
TIMEOUT = 2.0  # for one question
FIRST, LONGEST = 0.005, 0.2  # seconds between two tries, by chance: who loses them all at once tries at another time

T = TypeVar("T")


class Exchange:
    """Shared documents of one studio on the bus."""

    def __init__(self, line: Line, studio: str, seals: Seals) -> None:
        self._line, self._studio, self._seals = line, studio, seals

    async def change(self, key: str, kind: type[T], edit: Callable[[T | None], T]) -> bool:
        """Apply an edit to a document, again after each conflict. Raises what `edit` raises.

        Returns True when it is stored or was so already; False if the bus does not answer, in which case it may be
        stored all the same. Before the roster has come, nothing is changed: another floor's document would be
        overwritten.
        """
        subject, pause = self._subject(key), FIRST
        until = asyncio.get_running_loop().time() + PATIENCE
        while self._line.client.is_connected and self._seals.known.is_set():
            try:
                return await self._try(subject, kind, edit)
            except FAILED as error:
                if asyncio.get_running_loop().time() > until:
                    structlog.get_logger().warning("not_shared", key=key, reason=words_of(error))
                    return False
            await asyncio.sleep(random.uniform(0, pause))  # noqa: S311 - it is no secret
            pause = min(2 * pause, LONGEST)
        return False

    async def read(self, key: str, kind: type[T]) -> T | None:
        """Present content of a document; None if there is none. Raises nats' errors."""
        document, _ = await self._read(self._subject(key), kind)
        return document

    def _subject(self, key: str) -> str:
        return f"$KV.{CLAIMS}.{self._studio}.{key}"

    async def _try(self, subject: str, kind: type[T], edit: Callable[[T | None], T]) -> bool:
        """Try the edit once. Raises nats' errors, also if another write came first."""
        before, place = await self._read(subject, kind)
        after = edit(before)
        if after != before:
            await self._write(subject, place, msgspec.json.encode(after))
        return True

    async def _read(self, subject: str, kind: type[T]) -> tuple[T | None, int]:
        """Document as the stream's leader has it, and the sequence number of the last message.

        Messages without a floor's signature are skipped. Raises nats' errors.
        """
        stream = self._line.client.jetstream(timeout=TIMEOUT)
        try:
            last = await stream.get_last_msg(f"KV_{CLAIMS}", subject)
        except NotFoundError:
            return None, 0
        kept, place = await last_sound(stream, f"KV_{CLAIMS}", subject, last, self._seals), last.seq or 0
        try:
            return None if kept is None else msgspec.json.decode(kept.data or b"", type=kind), place
        except msgspec.MsgspecError:
            return None, place  # of another version: it is made anew

    async def _write(self, subject: str, place: int, body: bytes) -> None:
        """Write the document if the last message is still at `place`. Raises nats' errors."""
        headers = {"Nats-Expected-Last-Subject-Sequence": str(place), **self._seals.seal(subject, body)}
        await self._line.client.jetstream().publish(subject, body, timeout=TIMEOUT, headers=headers)
