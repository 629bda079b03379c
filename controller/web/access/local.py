"""Who is at the other end of the table's own Unix socket.

Whoever may connect may speak in any role, since they could as well read the record and stop the program;
the name under which the kernel knows them goes into what they do. Who speaks for a person of a registry does what that
person may.
"""

import asyncio

from starlette.requests import Request

from ..api.commands import Caller
from ..api.request_parameters import role_of
from ..net.sockets import user_name
from .persons import Persons


class LocalSignOn:
    """Who is asking, over a Unix socket."""

    def __init__(self, persons: Persons) -> None:
        self._persons = persons
        self._names: dict[int, str] = {}

    async def __call__(self, request: Request) -> Caller:
        """The caller, in the role that they say. Raises HTTPException, BadUsers."""
        role = role_of(request) or "manager"
        uid: int = request.state.uid
        if uid not in self._names:
            self._names[uid] = await asyncio.to_thread(user_name, uid)
        name = self._names[uid]
        return Caller(role, name, f"unix:{name}", for_others=True, people=self._persons.people())
