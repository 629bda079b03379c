"""Signed questions and commands to a table over the bus, each with one signed answer.

The answer comes to an inbox that only this table may publish in.
"""

import asyncio
import hashlib
from collections.abc import Mapping
from secrets import token_hex

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import NoRespondersError

from . import names as n
from .permissions import answer_of
from .seals import Seals

Request = tuple[str, Mapping[str, str] | None, bytes]  # subject, headers, body
NOBODY = "503"  # status of an answer by the server itself: no such table is connected


def signed_fields(
    subject: str, headers: Mapping[str, str] | None, body: bytes, epoch: str, status: str
) -> tuple[str, ...]:
    """Fields that a table signs together with the body of its answer.

    They are the SHA-256 of the request in hexadecimal, the table's epoch and the HTTP status.
    """
    values = headers or {}
    request = "\n".join((subject, values.get(n.NONCE, ""), values.get(n.TO, ""), "")).encode() + body
    return hashlib.sha256(request).hexdigest(), epoch, status


class RequestClient:
    """Client of one floor or platform that asks tables over the bus.

    `kind`: "floor" or "platform"; `name`: its name in the studio; `seals`: checks the signatures of the tables.
    """

    def __init__(self, client: Client, kind: str, name: str, seals: Seals) -> None:
        self._client, self._kind, self._name, self._seals = client, kind, name, seals

    def inbox(self, table: str) -> str:
        """New inbox subject for one answer of `table`; its last part is a random token of 128 bits."""
        return answer_of(self._kind, self._name, table, token_hex(16))

    async def ask(
        self, subject: str, body: bytes, inbox: str, timeout: float, headers: dict[str, str] | None = None
    ) -> Msg:
        """Send a request; return the first answer that the table has signed for this request.

        `timeout`: in seconds. Raises TimeoutError, nats' errors, and NoRespondersError if no such table is on the bus.
        """
        answers = asyncio.Queue[Msg]()
        subscription = await self._client.subscribe(inbox, cb=answers.put)
        try:
            await self._client.publish(subject, body, inbox, headers)
            async with asyncio.timeout(timeout):
                while not self._is_signed(answer := await answers.get(), (subject, headers, body)):
                    continue
                return answer
        finally:
            await subscription.unsubscribe()

    def _is_signed(self, answer: Msg, request: Request) -> bool:
        """True if the table has signed this answer to this request. Raises NoRespondersError for status 503."""
        headers = answer.headers or {}
        if headers.get("Status") == NOBODY:
            raise NoRespondersError
        about = signed_fields(*request, headers.get(n.EPOCH, ""), headers.get(n.CODE, ""))
        return self._seals.is_sound(answer.subject, headers, answer.data, *about)
