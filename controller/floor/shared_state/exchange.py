"""Documents that floors share, changed by compare-and-set: of two changes at once one is first.

Invariant: an error does not mean that a change failed. A write without an answer may have been stored, so the document
is read again; an edit that finds its work done changes nothing. A floor that the roster lacks writes nothing.
"""

import asyncio
import random
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

import msgspec
import structlog
from nats.errors import MaxPayloadError
from nats.js.errors import APIError, NotFoundError

from ...bus.bus_client import FAILED, BusClient, failure_text, reason_of
from ...bus.last_messages import last_signed_message
from ...bus.names import CLAIMS
from ...bus.seals import Seals
from ...bus.stream_reader import StoredMessage
from ...core.coded_message import CodedMessage, coded

PATIENCE = 4.0  # seconds until a change is reported as unsure
TIMEOUT = 2.0  # seconds for one request to the bus
REFUSED = (10054, 10077)  # errors of the server: a message that is too large; a stream that is full
FIRST, LONGEST = 0.005, 0.2  # seconds between two tries, random so that floors in conflict spread out

T = TypeVar("T")


class Document(NamedTuple, Generic[T]):
    """Shared document as read.

    `seq`: sequence number of its last message; `is_stored`: False if the bus has no signed message of it.
    """

    content: T | None
    seq: int
    is_stored: bool = True


class SharedDocuments:
    """Shared documents of one studio on the bus.

    `held`: returns the last signed message of a key that this floor has received; the stream may have lost that message
    since, pushed out by unsigned ones.
    """

    def __init__(self, line: BusClient, studio: str, seals: Seals) -> None:
        self._line, self._studio, self._seals = line, studio, seals
        self._refused: dict[str, CodedMessage | str] = {}  # by key: reason why the bus refuses the document
        self.held: Callable[[str], StoredMessage | None] = lambda _: None

    @property
    def troubles(self) -> list[CodedMessage]:
        """Documents that the bus does not take, one message each."""
        refused = [coded("document_refused", key=key, reason=reason) for key, reason in self._refused.items()]
        return [coded("bus_trouble", reason=one) for one in refused]

    async def change(self, key: str, kind: type[T], edit: Callable[[T | None], T]) -> bool:
        """Apply an edit to a document, again after each conflict. Raises what `edit` raises.

        Returns True if the changed document is stored; False if the bus does not confirm that, although it may be
        stored. Without a roster that has this floor nothing is changed: another floor's document would be overwritten.
        """
        subject, pause = self._subject(key), FIRST
        until = asyncio.get_running_loop().time() + PATIENCE
        while self._line.client.is_connected and self._seals.is_trusted_floor:
            try:
                done = await self._try(subject, kind, edit)
            except FAILED as error:
                if _is_refused(error):
                    self._refused[key] = reason_of(error)
                if asyncio.get_running_loop().time() > until:
                    structlog.get_logger().warning("not_shared", key=key, reason=failure_text(error))
                    return False
            else:
                self._refused.pop(key, None)
                return done
            await asyncio.sleep(random.uniform(0, pause))  # noqa: S311 - it is no secret
            pause = min(2 * pause, LONGEST)
        return False

    async def read(self, key: str, kind: type[T]) -> T | None:
        """Present content of a document; None if there is none. Raises nats' errors."""
        return (await self._read(self._subject(key), kind)).content

    def _subject(self, key: str) -> str:
        return f"$KV.{CLAIMS}.{self._studio}.{key}"

    async def _try(self, subject: str, kind: type[T], edit: Callable[[T | None], T]) -> bool:
        """Try the edit once. Raises nats' errors, also if another write came first."""
        before = await self._read(subject, kind)
        after = edit(before.content)
        if after != before.content or not before.is_stored:
            await self._write(subject, before.seq, msgspec.json.encode(after))
        return True

    async def _read(self, subject: str, kind: type[T]) -> Document[T]:
        """Read the newest version of a document that a floor has signed, from the stream's leader.

        If the stream has only unsigned messages, return the last version that this floor has received. Raises nats'
        errors.
        """
        stream = self._line.client.jetstream(timeout=TIMEOUT)
        try:
            last = await stream.get_last_msg(f"KV_{CLAIMS}", subject)
        except NotFoundError:
            return Document(None, 0)
        message, seq = await last_signed_message(stream, f"KV_{CLAIMS}", subject, last, self._seals), last.seq or 0
        body, is_stored = (self._sound_body(subject), False) if message is None else (message.data or b"", True)
        try:
            return Document(msgspec.json.decode(body or b"", type=kind), seq, is_stored)
        except msgspec.MsgspecError:
            return Document(None, seq)  # empty, or of another program version: the next edit writes a new one

    def _sound_body(self, subject: str) -> bytes | None:
        one = self.held(subject.removeprefix(self._subject("")))
        return one.body if one is not None and self._seals.is_sound(subject, one.headers, one.body) else None

    async def _write(self, subject: str, seq: int, body: bytes) -> None:
        """Write the document if the last message is still number `seq`. Raises nats' errors."""
        headers = {"Nats-Expected-Last-Subject-Sequence": str(seq), **self._seals.seal(subject, body)}
        await self._line.client.jetstream().publish(subject, body, timeout=TIMEOUT, headers=headers)


def _is_refused(error: BaseException) -> bool:
    """True if the bus refuses to store a document: no outage, and no conflict with another write."""
    return isinstance(error, MaxPayloadError) or (isinstance(error, APIError) and error.err_code in REFUSED)
