"""Sender of messages to the bus, those of a subject one after the other, each stored exactly once.

Each message names the expected last sequence number of its subject. After a start or a missing answer that number is
unknown; the stream's error then contains it. The id of the stored message, which nobody else can guess, shows whether
it is ours.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping
from typing import NamedTuple

from nats.js.client import JetStreamContext
from nats.js.errors import APIError

from . import names as n

WRONG_LAST = 10071  # error code: the stream has another last message
ACK = 5.0  # seconds to wait for an acknowledgement


class BusMessage(NamedTuple):
    """Message to publish. `epoch`, `seq`: the record it reports; `more`: additional headers."""

    subject: str
    epoch: str
    seq: int
    body: bytes
    more: Mapping[str, str] = {}  # headers


class Sender:
    """Publishes messages, each stored once; only one message of a subject at a time.

    `rivals`: count of messages by another writer on subjects that belong to this writer alone.
    """

    def __init__(self, stream: JetStreamContext, secret: bytes) -> None:
        self.rivals = 0
        self._stream, self._secret = stream, secret
        self._last: dict[str, int] = {}  # by subject: last sequence number, if known

    async def send(self, message: BusMessage) -> None:
        """Publish a message; it is durable when this returns. Raises nats' errors."""
        last = self._last.pop(message.subject, None)
        try:
            await self._send(message, last or 0)
        except APIError as error:
            other = re.search(r"wrong last sequence: (\d+)", error.description or "")
            if error.err_code != WRONG_LAST or other is None:
                raise
            now = int(other[1])  # behind `last` if messages have expired, or the stream was restored from an older copy
            self.rivals += last is not None and now > last
            await self._send(message, now)

    async def _send(self, message: BusMessage, last: int) -> None:
        headers = {
            **message.more,
            n.EPOCH: message.epoch,
            n.SEQ: str(message.seq),
            "Nats-Msg-Id": self._id(message),
            "Nats-Expected-Last-Subject-Sequence": str(last),
        }
        stored = await self._stream.publish(message.subject, message.body, timeout=ACK, headers=headers)
        if not stored.duplicate:  # a duplicate's number is old, and other messages may have followed it
            self._last[message.subject] = stored.seq

    def _id(self, message: BusMessage) -> str:
        data = f"{message.subject} {message.epoch} {message.seq}".encode()
        return hmac.new(self._secret, data, hashlib.sha256).hexdigest()[:32]
