"""Who is at the other end of the table's own Unix socket.

The one rule: whoever may connect may speak in any role, since they could as well read the record and stop the program;
the name under which the kernel knows them goes into what they do.
"""

import asyncio
from typing import get_args

from starlette.exceptions import HTTPException
from starlette.requests import Request

from .commands import Caller, Role
from .sockets import user_name

ROLES: tuple[Role, ...] = get_args(Role)


class LocalSignOn:
    """Who is asking, over a Unix socket."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}

    async def __call__(self, request: Request) -> Caller:
        """The caller, in the role that they say. Raises HTTPException."""
        role = request.query_params.get("role", "manager")
        if role not in ROLES:
            raise HTTPException(400, f"role: expected one of {', '.join(ROLES)}, got {role!r}")
        uid: int = request.state.uid
        if uid not in self._names:
            self._names[uid] = await asyncio.to_thread(user_name, uid)
        name = self._names[uid]
        return Caller(ROLES[ROLES.index(role)], name, f"unix:{name}", for_others=True)
