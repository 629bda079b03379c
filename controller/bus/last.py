"""The messages of a subject that their author has signed, as the leader of the stream has them."""

from collections.abc import AsyncIterator

from nats.js.api import RawStreamMsg
from nats.js.client import JetStreamContext
from nats.js.errors import NotFoundError

from .seals import Seals

NO_MESSAGE = 10037  # the error of a stream that has none there


async def last_sound(
    stream: JetStreamContext, name: str, subject: str, last: RawStreamMsg, seals: Seals
) -> RawStreamMsg | None:
    """`last`: the last one there is; where it is not signed, the newest before it that is. Raises nats' errors."""
    if is_sound(last, seals):
        return last
    found = None
    async for one in all_after(stream, name, subject, 0):
        if (one.seq or 0) >= (last.seq or 0):
            break
        found = one if is_sound(one, seals) else found
    return found


async def all_after(stream: JetStreamContext, name: str, subject: str, seq: int) -> AsyncIterator[RawStreamMsg]:
    """All messages behind a place, signed or not, the oldest first. Raises nats' errors."""
    while True:
        try:
            one = await stream.get_msg(name, seq + 1, subject=subject, next=True)
        except NotFoundError as error:
            if error.err_code != NO_MESSAGE:
                raise
            return
        seq = one.seq or 0
        yield one


def is_sound(message: RawStreamMsg, seals: Seals) -> bool:
    """Whether its author has signed it."""
    return seals.is_sound(message.subject or "", message.headers, message.data or b"")
