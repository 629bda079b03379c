"""Reader of a stream's stored messages in order, without a consumer.

A key that may create consumers could let them deliver into any other stream, so no key of the studio may create one. A
batch of direct gets returns the messages after a sequence number; a message on the subject triggers the next read.
"""

import asyncio
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

import msgspec
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.errors import APIError, NoStreamResponseError

from . import names as n
from .permissions import API

Identity = tuple[str | None, ...]

ANSWER = 2.0  # seconds to wait for each message of a batch
BYTES = 8_000_000  # most bytes of one batch
GATHER = 0.005  # seconds to wait after a message until it is stored, and for further ones
TRIES = 80  # reads that look for a message that was heard, as it may never be stored
NO_MORE, NOTHING, NOBODY = "204", "404", "503"  # statuses that end a batch


class StoredMessage(NamedTuple):
    """Message stored in a stream. `pending`: number of messages after it under the same filter."""

    subject: str
    seq: int
    headers: Mapping[str, str]
    body: bytes
    pending: int


async def read(client: Client, stream: str, subject: str, after: int, most: int) -> list[StoredMessage]:
    """Read up to `most` messages behind sequence number `after`, in order.

    `subject`: filter, may have wildcards. Raises nats' errors and TimeoutError.
    """
    inbox, answers = client.new_inbox(), asyncio.Queue[Msg]()
    subscription = await client.subscribe(inbox, cb=answers.put)
    request = {"seq": after + 1, "next_by_subj": subject, "batch": most, "max_bytes": BYTES}
    try:
        await client.publish(f"{API}.DIRECT.GET.{stream}", msgspec.json.encode(request), inbox)
        return await _batch(answers)
    finally:
        await subscription.unsubscribe()


async def _batch(answers: asyncio.Queue[Msg]) -> list[StoredMessage]:
    """Collect the answers to one batch request.

    Uses a queue: `next_msg` of nats-py may swallow a cancellation. Raises NoStreamResponseError, APIError,
    TimeoutError.
    """
    messages = list[StoredMessage]()
    while True:
        message = await _next(answers)
        headers = message.headers or {}
        status = headers.get("Status")
        if status in (NO_MORE, NOTHING):
            return messages
        if status == NOBODY:
            raise NoStreamResponseError
        if status is not None:
            raise APIError(code=int(status), description=headers.get("Description"))
        messages.append(_parse_message(message, headers))


async def _next(answers: asyncio.Queue[Msg]) -> Msg:
    """Return the next answer, without a time limit if it is here already. Raises TimeoutError.

    Most answers of a batch are here already, and each time limit costs time.
    """
    with suppress(asyncio.QueueEmpty):
        return answers.get_nowait()
    async with asyncio.timeout(ANSWER):
        return await answers.get()


def _parse_message(message: Msg, headers: Mapping[str, str]) -> StoredMessage:
    pending = int(headers.get("Nats-Num-Pending", "0"))
    return StoredMessage(headers["Nats-Subject"], int(headers["Nats-Sequence"]), headers, message.data, pending)


class StreamSignal:
    """Signal for a reader to read a stream again, soon after a message on its subjects."""

    def __init__(self) -> None:
        self._event, self._left = asyncio.Event(), 0
        self._due: dict[str, Identity] = {}  # by subject: the message heard last, until it is read

    async def hear(self, message: Msg) -> None:
        """Handle a message heard on the subject. It may not be stored yet, so it only triggers a read."""
        self._due[message.subject] = _identity(message.headers or {})
        self._event.set()

    def forget_read(self, messages: Iterable[StoredMessage]) -> None:
        """Forget the awaited messages that were read."""
        for one in messages:
            if self._due.get(one.subject) == _identity(one.headers):
                del self._due[one.subject]

    async def wait(self, longest: float) -> None:
        """Wait after an empty read: briefly if a heard message is expected, else up to `longest` seconds."""
        if self._event.is_set():
            self._event.clear()
            self._left = TRIES
        if self._due and self._left:
            self._left -= 1
            await asyncio.sleep(GATHER)
            return
        self._due.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(longest):
                await self._event.wait()
                await asyncio.sleep(GATHER)


def _identity(headers: Mapping[str, str]) -> Identity:
    return headers.get(n.AT), headers.get(n.EPOCH), headers.get(n.SEQ)
