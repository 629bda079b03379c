"""Messages of a subject that their author has signed, as the leader of the stream has them."""

from collections.abc import AsyncIterator

from nats.js.api import RawStreamMsg
from nats.js.client import JetStreamContext
from nats.js.errors import NotFoundError

from .seals import Seals

NO_MESSAGE = 10037  # error code of a stream without a further message


async def last_signed_message(
    stream: JetStreamContext, name: str, subject: str, last: RawStreamMsg, seals: Seals
) -> RawStreamMsg | None:
    """Return the newest message of a subject that its author has signed; None if there is none.

    `last`: newest message, signed or not. Raises nats' errors.
    """
    if is_sound(last, seals):
        return last
    newest = None
    async for one in messages_after(stream, name, subject, 0):
        if (one.seq or 0) >= (last.seq or 0):
            break
        newest = one if is_sound(one, seals) else newest
    return newest


async def messages_after(stream: JetStreamContext, name: str, subject: str, seq: int) -> AsyncIterator[RawStreamMsg]:
    """Yield all messages behind sequence number `seq`, signed or not, the oldest first.

    Raises nats' errors.
    """
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
    """True if the author of a message's subject has signed it."""
    return seals.is_sound(message.subject or "", message.headers, message.data or b"")
