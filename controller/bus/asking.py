"""Asks a table over the bus, with an answer in the inbox that only this table may publish in."""

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
NOBODY = "503"  # the status of an answer by the server itself: there is no such table


def about_answer(
    subject: str, headers: Mapping[str, str] | None, body: bytes, epoch: str, status: str
) -> tuple[str, ...]:
    """What an answer is signed with beside its own body: the request, the epoch of the table and the status."""
    said = headers or {}
    request = "\n".join((subject, said.get(n.NONCE, ""), said.get(n.TO, ""), "")).encode() + body
    return hashlib.sha256(request).hexdigest(), epoch, status


class Asker:
    """Of one floor or platform. `kind`: floor or platform; `name`: its own."""

    def __init__(self, client: Client, kind: str, name: str, seals: Seals) -> None:
        self._client, self._kind, self._name, self._seals = client, kind, name, seals

    def inbox(self, table: str) -> str:
        """Where one answer of a table goes; nobody can guess it."""
        return answer_of(self._kind, self._name, table, token_hex(16))

    async def ask(
        self, subject: str, body: bytes, inbox: str, timeout: float, headers: dict[str, str] | None = None
    ) -> Msg:
        """The first answer that the table has signed to this request. Raises nats' errors, TimeoutError;
        NoRespondersError where there is no such table."""
        answers = asyncio.Queue[Msg]()
        heard = await self._client.subscribe(inbox, cb=answers.put)
        try:
            await self._client.publish(subject, body, inbox, headers)
            async with asyncio.timeout(timeout):
                while not self._is_signed(answer := await answers.get(), (subject, headers, body)):
                    continue
                return answer
        finally:
            await heard.unsubscribe()

    def is_sound(self, message: Msg) -> bool:
        """Whether its author has signed it."""
        return self._seals.is_sound(message.subject, message.headers, message.data)

    def _is_signed(self, answer: Msg, request: Request) -> bool:
        """Raises NoRespondersError."""
        said = answer.headers or {}
        if said.get("Status") == NOBODY:
            raise NoRespondersError
        about = about_answer(*request, said.get(n.EPOCH, ""), said.get(n.CODE, ""))
        return self._seals.is_sound(answer.subject, said, answer.data, *about)
