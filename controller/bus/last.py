"""The last message of a subject that its author has signed."""

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
    found, seq = None, 0
    while seq + 1 < (last.seq or 0):
        try:
            one = await stream.get_msg(name, seq + 1, subject=subject, next=True)
        except NotFoundError:
            break
        seq = one.seq or 0
        if seq < (last.seq or 0) and is_sound(one, seals):
            found = one
    return found


def is_sound(message: RawStreamMsg, seals: Seals) -> bool:
    """Whether its author has signed it."""
    return seals.is_sound(message.subject or "", message.headers, message.data or b"")
