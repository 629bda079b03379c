"""Documents that floors share, changed by compare and set: of two that change one at once one is first.

The one rule: an error is not done. What became of it is seen by reading again: a write that got no answer may have been
stored, and an edit that finds its work done has nothing left to do.
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
    """The documents of one studio."""

    def __init__(self, line: Line, studio: str, seals: Seals) -> None:
        self._line, self._studio, self._seals = line, studio, seals

    async def change(self, key: str, kind: type[T], edit: Callable[[T | None], T]) -> bool:
        """Have a document be what an edit makes of it; unless it is that already. Raises what the edit raises.

        Whether it is; where the bus does not answer, it may come to be all the same. Nothing is changed before it is
        known whose documents count: what another floor has done would be overwritten.
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
        """What a document is now; null: there is none. Raises nats' errors."""
        document, _ = await self._read(self._subject(key), kind)
        return document

    def _subject(self, key: str) -> str:
        return f"$KV.{CLAIMS}.{self._studio}.{key}"

    async def _try(self, subject: str, kind: type[T], edit: Callable[[T | None], T]) -> bool:
        """Raises nats' errors: also where somebody else was first."""
        before, place = await self._read(subject, kind)
        after = edit(before)
        if after != before:
            await self._write(subject, place, msgspec.json.encode(after))
        return True

    async def _read(self, subject: str, kind: type[T]) -> tuple[T | None, int]:
        """What it is now, as who leads its stream has it, and the place of the last message there. What no floor has
        signed is passed over: what was before it counts. Raises nats' errors."""
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
        """Raises nats' errors: also where it is not at that place any more."""
        headers = {"Nats-Expected-Last-Subject-Sequence": str(place), **self._seals.seal(subject, body)}
        await self._line.client.jetstream().publish(subject, body, timeout=TIMEOUT, headers=headers)
