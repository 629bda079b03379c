"""Identify callers on the table's own Unix socket.

A user who may connect may act in any role, because they could also read the record and stop the program. The Unix user
name is recorded with each act. A caller that acts for a registered person has the rights of that person.
"""

import asyncio

from starlette.requests import Request

from ..api.commands import Caller
from ..api.request_parameters import role_of
from ..net.sockets import user_name
from .persons import Persons


class LocalSignOn:
    """Identifies the caller of a request on the Unix socket."""

    def __init__(self, persons: Persons) -> None:
        self._persons = persons
        self._names: dict[int, str] = {}

    async def __call__(self, request: Request) -> Caller:
        """Return the caller in the role that the request names. Raises HTTPException, BadUsers."""
        role = role_of(request) or "manager"
        uid: int = request.state.uid
        if uid not in self._names:
            self._names[uid] = await asyncio.to_thread(user_name, uid)
        name = self._names[uid]
        return Caller(role, name, f"unix:{name}", for_others=True, people=self._persons.people())
