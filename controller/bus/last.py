"""The messages of a subject that their author has signed, as the leader of the stream has them."""

from collections.abc import AsyncIterator

from nats.js.api import RawStreamMsg
from nats.js.client import JetStreamContext
from nats.js.errors import NotFoundError

from .seals import Seals


async def last_sound(
    stream: JetStreamContext, name: str, subject: str, last: RawStreamMsg, seals: Seals
) -> RawStreamMsg | None:
    """`last`: the last one there is; where it is not signed, the newest before it that is. Raises nats' errors."""
    if is_sound(last, seals):
        return last
    found = None
    async for one in all_sound(stream, name, subject, last.seq or 0, seals):
        found = one
    return found


async def all_sound(
    stream: JetStreamContext, name: str, subject: str, before: int, seals: Seals
) -> AsyncIterator[RawStreamMsg]:
    """Those before a place, the oldest first. Raises nats' errors."""
    seq = 0
    while seq + 1 < before:
        try:
            one = await stream.get_msg(name, seq + 1, subject=subject, next=True)
        except NotFoundError:
            return
        seq = one.seq or 0
        if seq < before and is_sound(one, seals):
            yield one


def is_sound(message: RawStreamMsg, seals: Seals) -> bool:
    """Whether its author has signed it."""
    return seals.is_sound(message.subject or "", message.headers, message.data or b"")
