"""Signing in and out.

    GET    /session          {"role", "name", "csrf", "table"}: who is looking, and the word that their writes need
    POST   /session          {"name", "pin"}: sign in; 401 wrong, 429 locked or too many at a time
    POST   /session/alive    a person is there: the session goes on
    DELETE /session          sign out

PINs are tried one at a time and off the loop, so that guessing costs the table nothing.
"""

import asyncio
from typing import Annotated

import msgspec
import structlog
from msgspec import Meta, Struct
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...config.pins import fits
from ...text.errors import within_a_line
from ...text.faults import CROWDED, LANGUAGES, LOCKED_OUT, WRONG_PIN, Words
from ..net.address import is_loopback
from ..net.bodies import body_of
from ..net.replies import as_json
from .attempts import Attempts
from .sessions import LONGEST
from .sign_on import NetSignOn, host_of

QUEUE = 8  # people whose PIN is being tried or waits to be
EACH = 2  # of them at one PC: no single one keeps all others out
LARGEST = 4096  # bytes of a body


class SignIn(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person types."""

    name: Annotated[str, Meta(max_length=100)]  # wrong ones are kept for a while
    pin: str


class Who(Struct, frozen=True):
    """Who is looking."""

    table: str
    role: str
    name: str
    csrf: str | None


class FrontDoor:
    """Where a shift manager signs in."""

    def __init__(self, table: str, sign_on: NetSignOn, attempts: Attempts) -> None:
        self._table, self._sign_on, self._attempts = table, sign_on, attempts
        self._one_at_a_time = asyncio.Lock()
        self._waiting: list[str] = []  # from where
        self._log = structlog.get_logger().bind(table=table)
        self.routes = [
            Route("/session", self.show, methods=["GET"]),
            Route("/session", self.sign_in, methods=["POST"]),
            Route("/session", self.sign_out, methods=["DELETE"]),
            Route("/session/alive", self.alive, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """Who is looking: the shift manager who is signed in, else the dealer at the table, else anybody."""
        session = self._sign_on.session(request)
        if session is not None and request.query_params.get("role") != "dealer":
            return as_json(Who(self._table, "manager", session.name, session.csrf))
        if self._sign_on.at_the_table(request):
            return as_json(Who(self._table, "dealer", "dealer", self._sign_on.kiosk_csrf))
        return as_json(Who(self._table, "player", "anybody", None))

    async def sign_in(self, request: Request) -> Response:
        """Somebody says who they are."""
        _check_origin(request)
        said, words, pc = await _read(request), Words(_language(request)), _peer(request)
        if len(self._waiting) >= QUEUE or self._waiting.count(pc) >= EACH:
            raise HTTPException(429, words.say(CROWDED))
        self._waiting.append(pc)
        try:
            async with self._one_at_a_time:
                return await self._try(request, said, words)
        finally:
            self._waiting.remove(pc)

    async def _try(self, request: Request, said: SignIn, words: Words) -> Response:
        self._refuse_if_locked(said.name, words)
        hashed = self._sign_on.users.users().managers.get(said.name)
        if not await asyncio.to_thread(fits, said.pin, hashed) or hashed is None:
            left = self._attempts.wrong(said.name)
            name = None if hashed is None else said.name  # what nobody is called could be a pin, typed too early
            self._log.warning("sign_in_refused", name=name, via=_peer(request), left=left)
            self._refuse_if_locked(said.name, words)
            raise HTTPException(401, words.say(WRONG_PIN).format(left=left))
        self._attempts.right(said.name)
        self._sign_on.sessions.close(self._sign_on.key(request))
        key, session = self._sign_on.sessions.open(said.name, hashed)
        self._log.info("signed_in", name=said.name, via=_peer(request))
        answer = as_json(Who(self._table, "manager", said.name, session.csrf))
        self._set_cookie(request, answer, key, int(LONGEST))
        return answer

    def _refuse_if_locked(self, name: str, words: Words) -> None:
        seconds = self._attempts.locked(name)
        if seconds:
            says = words.say(LOCKED_OUT).format(minutes=seconds // 60, seconds=seconds % 60)
            raise HTTPException(429, says, {"retry-after": str(seconds)})

    async def sign_out(self, request: Request) -> Response:
        """Somebody leaves."""
        caller = await self._sign_on(request)
        self._sign_on.sessions.close(self._sign_on.key(request))
        self._log.info("signed_out", name=caller.name, via=_peer(request))
        answer = Response(status_code=204)
        self._set_cookie(request, answer, "", 0)
        return answer

    async def alive(self, request: Request) -> Response:
        """Somebody is there."""
        caller = await self._sign_on(request)
        if caller.role != "manager":
            raise HTTPException(401, "expected a shift manager who is signed in")
        return Response(status_code=204)

    def _set_cookie(self, request: Request, answer: Response, key: str, seconds: int) -> None:
        secure = request.url.scheme == "https" or is_loopback(host_of(request))  # browsers trust their own PC
        answer.set_cookie(self._sign_on.cookie, key, seconds, path="/", secure=secure, httponly=True, samesite="strict")


def _check_origin(request: Request) -> None:
    """No page of another site signs anybody in."""
    origin = request.headers.get("origin")
    if origin is not None and origin.partition("://")[2].lower() != request.headers.get("host", "").lower():
        raise HTTPException(403, "expected one of our own pages")
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise HTTPException(400, "content-type: expected application/json")


def _language(request: Request) -> str:
    asked = request.query_params.get("lang", "")
    return asked if asked in LANGUAGES else LANGUAGES[0]


async def _read(request: Request) -> SignIn:
    try:
        return msgspec.json.decode(await body_of(request, LARGEST), type=SignIn)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise HTTPException(400, within_a_line(str(error))) from None


def _peer(request: Request) -> str:
    return request.client.host if request.client is not None else "?"
