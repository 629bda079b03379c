"""Asks a table over the bus, with an answer in the inbox that only this table may publish in."""

import asyncio
from secrets import token_hex

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import NoRespondersError

from .permissions import answer_of

NOBODY = "503"  # the status of an answer by the server itself: there is no such table


class Asker:
    """Of one floor or platform. `kind`: floor or platform; `name`: its own."""

    def __init__(self, client: Client, kind: str, name: str) -> None:
        self._client, self._kind, self._name = client, kind, name

    def inbox(self, table: str) -> str:
        """Where one answer of a table goes; nobody can guess it."""
        return answer_of(self._kind, self._name, table, token_hex(16))

    async def ask(
        self, subject: str, body: bytes, inbox: str, timeout: float, headers: dict[str, str] | None = None
    ) -> Msg:
        """Raises nats' errors, TimeoutError; NoRespondersError where there is no such table."""
        future = asyncio.get_running_loop().create_future()
        heard = await self._client.subscribe(inbox, future=future)
        try:
            await self._client.publish(subject, body, inbox, headers)
            async with asyncio.timeout(timeout):
                answer: Msg = await future
        finally:
            await heard.unsubscribe()
        if (answer.headers or {}).get("Status") == NOBODY:
            raise NoRespondersError
        return answer
