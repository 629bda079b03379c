"""Puts messages on the bus, one after the other, each of them once.

A stream takes a message only behind the one that we know to be its subject's last. Where we do not know it, after a
start or an answer that never came, the stream says which it is; the message's id, which nobody else can guess, then
tells whether it was stored already.
"""

import hashlib
import hmac
import re
from collections.abc import Mapping
from typing import NamedTuple

from nats.js.client import JetStreamContext
from nats.js.errors import APIError

from . import names as n

WRONG_LAST = 10071  # the error of a stream that has another last message
NOTHING = "0"  # as the last message of a subject: there is none, or it was too old to be kept
ACK = 5.0  # seconds


class Message(NamedTuple):
    """Message to publish. `epoch`, `seq`: the record it reports; `more`: additional headers."""

    subject: str
    epoch: str
    seq: int
    body: bytes
    more: Mapping[str, str] = {}  # headers


class Sender:
    """Publishes messages one by one, each stored once.

    `rivals`: count of messages by another writer on subjects that belong to this writer alone.
    """

    def __init__(self, stream: JetStreamContext, secret: bytes) -> None:
        self.rivals = 0
        self._stream, self._secret = stream, secret
        self._last: dict[str, int] = {}  # by subject, where we know it

    async def send(self, message: Message) -> None:
        """Publish a message; it is durable when this returns. Raises nats' errors."""
        last = self._last.pop(message.subject, None)
        try:
            await self._send(message, last or 0)
        except APIError as error:
            other = re.search(r"wrong last sequence: (\d+)", error.description or "")
            if error.err_code != WRONG_LAST or other is None:
                raise
            self.rivals += last is not None and other[1] != NOTHING
            await self._send(message, int(other[1]))

    async def _send(self, message: Message, last: int) -> None:
        headers = {
            **message.more,
            n.EPOCH: message.epoch,
            n.SEQ: str(message.seq),
            "Nats-Msg-Id": self._id(message),
            "Nats-Expected-Last-Subject-Sequence": str(last),
        }
        stored = await self._stream.publish(message.subject, message.body, timeout=ACK, headers=headers)
        self._last[message.subject] = stored.seq

    def _id(self, message: Message) -> str:
        said = f"{message.subject} {message.epoch} {message.seq}".encode()
        return hmac.new(self._secret, said, hashlib.sha256).hexdigest()[:32]
