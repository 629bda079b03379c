"""Who is asking, over the network.

    a bearer token                        the game server, or another program
    a session's cookie                    the shift manager who has signed in
    nothing, at the table's own PC        the dealer, in front of the screen there
    nothing, elsewhere                    anybody: they may look on as players do

`?role=` asks for less: as the dealer, as a player. The one rule: what is written comes with a token, or with the word
(`x-csrf`) that only our own pages are told; so no other page that is open in the same browser can write.
"""

import re
import secrets
from collections.abc import Callable
from contextlib import suppress

from starlette.exceptions import HTTPException
from starlette.requests import Request

from ...config.mistakes import BadUsers
from ..api.commands import Caller, Role
from ..api.request_parameters import role_of
from ..net.address import is_loopback
from .sessions import Session, Sessions
from .users import UsersFile

LOOKING = frozenset({"GET", "HEAD"})
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


class NetSignOn:
    """`cookie`: the name of the session's. `kiosk`: whether the screen at this PC is the dealer's."""

    def __init__(self, users: UsersFile, sessions: Sessions, cookie: str, *, kiosk: bool) -> None:
        self.users, self.sessions, self.cookie = users, sessions, cookie
        self.kiosk_csrf = secrets.token_urlsafe(32)
        self._kiosk = kiosk

    async def __call__(self, request: Request) -> Caller:
        """The caller. Raises HTTPException, BadUsers."""
        role = role_of(request)
        authorization = request.headers.get("authorization")
        if authorization is not None:
            return self._program(request, authorization, role)
        if role == "player":
            return ANYBODY
        session = self.session(request)
        if session is not None and role in (None, "manager"):
            return self._manager(request, session)
        if role in (None, "dealer") and self.at_the_table(request):
            return self._dealer(request)
        if session is not None and role == "dealer" and request.method in LOOKING:
            request.state.still = self._still(request)
            return Caller("dealer", session.name, f"web:{session.name}")
        if role is None and request.method in LOOKING:
            return ANYBODY
        raise HTTPException(401, f"expected {_NEEDED[role]}", {"www-authenticate": "Bearer"})

    def _program(self, request: Request, authorization: str, role: Role | None) -> Caller:
        name = self._holder(authorization)
        if name is None:
            raise HTTPException(401, "expected a token that is known here", {"www-authenticate": "Bearer"})
        if role == "player":
            return ANYBODY
        if role not in (None, "server"):
            raise HTTPException(403, f"a token is the game server's, not the {role}'s")
        request.state.still = _as_long_as(lambda: self._holder(authorization) == name)
        return Caller("server", name, f"token:{name}")

    def _holder(self, authorization: str) -> str | None:
        """Whose token it is that was sent."""
        kind, _, token = authorization.partition(" ")
        return self.users.users().holder(token.strip()) if kind.lower() == "bearer" else None

    def session(self, request: Request) -> Session | None:
        """The session it belongs to, of somebody who is still a shift manager."""
        session = self.sessions.get(self.key(request))
        if session is None or self.users.users().managers.get(session.name) != session.hashed:
            return None
        return session

    def key(self, request: Request) -> str | None:
        """The key in its cookie."""
        return request.cookies.get(self.cookie)  # whatever else this PC's programs have a browser keep

    def _manager(self, request: Request, session: Session) -> Caller:
        if request.method not in LOOKING:
            _check_csrf(request, session.csrf)
            self.sessions.use(session)
        request.state.still = self._still(request)
        return Caller("manager", session.name, f"web:{session.name}")

    def _still(self, request: Request) -> Callable[[], bool]:
        """Whether it is still so, for streams: they go on for as long as the session does."""
        return _as_long_as(lambda: self.session(request) is not None)

    def _dealer(self, request: Request) -> Caller:
        if request.method not in LOOKING:
            _check_csrf(request, self.kiosk_csrf)
            _check_origin(request)
        return Caller("dealer", "dealer", "web:kiosk")

    def at_the_table(self, request: Request) -> bool:
        """Whether it comes from this PC, and not through a proxy on it."""
        client = request.client
        return (
            self._kiosk
            and client is not None
            and is_loopback(client.host)
            and is_loopback(host_of(request))
            and not any(name in request.headers for name in _FORWARDED)
        )


ANYBODY = Caller("player", "anybody", "web:anybody")
_NEEDED = {
    None: "a token of the game server's, or to be signed in",
    "manager": "a shift manager who is signed in",
    "dealer": "the screen at the table's own PC",
    "server": "a token of the game server's",
}


def _as_long_as(it_is_so: Callable[[], bool]) -> Callable[[], bool]:
    """Where the users file cannot be read it is not."""

    def still() -> bool:
        with suppress(BadUsers):
            return it_is_so()
        return False

    return still


def _check_csrf(request: Request, word: str) -> None:
    said = request.headers.get("x-csrf")
    if said is None:
        raise HTTPException(401, f"expected {_NEEDED[None]}", {"www-authenticate": "Bearer"})
    if not secrets.compare_digest(said.encode("latin-1", "replace"), word.encode()):
        raise HTTPException(403, "x-csrf: expected the word of this page; open it anew")


def _check_origin(request: Request) -> None:
    """A browser says which site its page is of: one that came through a proxy which does not is told so."""
    _, _, site = request.headers.get("origin", "http://localhost").partition("://")
    if not is_loopback(_without_port(site)):
        raise HTTPException(403, "expected a page opened at the table's own PC; behind a proxy set [web] kiosk = false")


def host_of(request: Request) -> str:
    """The name under which we are asked, without the port."""
    return _without_port(request.headers.get("host", ""))


def _without_port(place: str) -> str:
    return re.sub(r":\d+$", "", place).strip("[]").lower()
