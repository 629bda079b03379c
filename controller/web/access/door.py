"""Sign-in and sign-out over the network.

GET    /session          {"role", "name", "csrf", "table", "badge"}: the visitor, and the token that writes need;
                         "lapsed": the PIN must be typed again before any action
POST   /session          {"name", "pin"}, or {"badge", "pin"}: sign in; 401 wrong, 403 closed, 429 too soon or too many
POST   /session/alive    keep the session in use: somebody has touched the page
DELETE /session          sign out
GET    /kiosk/CODE       make this browser, at the table's own PC, the dealer's screen
"""

import asyncio
from collections.abc import Collection

import msgspec
import structlog
from msgspec import Struct
from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from ...config.badges import BadgeUse
from ...config.people import KnownPerson, Person, PersonRole
from ...core.coded_message import CodedMessage, coded
from ...text.coded import join_with_or
from ...text.errors import shorten_to_line
from ..api.callers import caller_of
from ..api.hand_over_message import Credentials
from ..net.address import is_loopback
from ..net.bodies import body_of
from ..net.replies import RequestRefused, as_json
from . import kiosk
from .credential_checker import CredentialChecker, SignInAttempt
from .persons import PAGES
from .sessions import IN_USE, LONGEST, TooManySessions
from .sign_on import NetSignOn, host_of
from .sources import PinSource, network, peer, screen, session

LARGEST = 4096  # bytes of a body
FOR_LONG = 400 * 86400  # seconds: the longest time for which browsers keep a cookie


class SessionAnswer(Struct, frozen=True, omit_defaults=True):
    """Answer to GET /session: role, name and rights of the visitor."""

    table: str
    role: str
    name: str
    csrf: str | None
    badge: BadgeUse | None = None  # what a badge is enough for here; None: no registry, so no badges
    lapsed: bool = False
    id: str | None = None  # at a floor: the badge number
    roles: tuple[PersonRole, ...] = ()  # at a floor: the person's roles in the registry


class FrontDoor:
    """Routes for sign-in of shift managers and for the dealer's screen.

    `tells_roles`: list the roles to a signed-in person.
    """

    def __init__(
        self, table: str, sign_on: NetSignOn, checker: CredentialChecker, *, tells_roles: bool = False
    ) -> None:
        self._table, self._sign_on, self._checker, self._tells_roles = table, sign_on, checker, tells_roles
        self._log = structlog.get_logger().bind(table=table)
        self.routes = [*self.session_below(""), Route("/kiosk/{code}", self.kiosk)]

    def session_below(self, base: str) -> list[BaseRoute]:
        """Routes for sign-in and sign-out below a path."""
        return [
            Route(f"{base}/session", self.show),
            Route(f"{base}/session", self.sign_in, methods=["POST"]),
            Route(f"{base}/session", self.sign_out, methods=["DELETE"]),
            Route(f"{base}/session/alive", self.alive, methods=["POST"]),
        ]

    async def show(self, request: Request) -> Response:
        """GET /session: the signed-in shift manager, else the dealer at the table, else anybody."""
        browser = self._sign_on.signed_in(request)
        if browser is not None and request.query_params.get("role") != "dealer":
            return as_json(self._manager(browser.known, browser.session.csrf, lapsed=browser.lapsed))
        if self._sign_on.is_dealers_screen(request):
            answer = as_json(self._session_answer("dealer", "dealer", self._sign_on.kiosk_csrf))
            if key := self._sign_on.kiosk_key(request):  # each use renews the cookie
                self._set_cookie(request, answer, self._sign_on.kiosk_cookie, key, FOR_LONG)
            return answer
        return as_json(self._session_answer("player", "anybody", None))

    def _manager(self, user: KnownPerson, csrf: str, *, lapsed: bool = False) -> SessionAnswer:
        who = replace(self._session_answer("manager", user.person.name, csrf), lapsed=lapsed)
        return replace(who, id=user.id, roles=user.person.roles) if self._tells_roles else who

    def _session_answer(self, role: str, name: str, csrf: str | None) -> SessionAnswer:
        persons = self._checker.persons
        badge = None if persons.people() is None else persons.badge
        return SessionAnswer(self._table, role, name, csrf, badge)

    async def sign_in(self, request: Request) -> Response:
        """POST /session: sign a person in; sets the session's cookies."""
        check_origin(request)
        credentials = await read_sign_in(request)
        attempt = attempt_of(credentials, self._source(request), request.cookies.get(self._sign_on.mark_cookie))
        user = await self._checker.admit(attempt)
        if not PAGES & set(user.person.roles):
            raise RequestRefused(403, missing_roles_message(user.person.name, PAGES))
        self._sign_on.sessions.close(self._sign_on.key(request))
        try:
            key, opened = self._sign_on.sessions.open(user.id, user.person.credentials_mark)
        except TooManySessions:
            raise RequestRefused(429, coded("too_many_sessions"), {"retry-after": f"{IN_USE:.0f}"}) from None
        self._checker.record_sign_in(user, peer(request), "manager", attempt.proof(self._checker.persons.badge))
        answer = as_json(self._manager(user, opened.csrf))
        self._set_cookie(request, answer, self._sign_on.mark_cookie, self._checker.persons.mark(user), FOR_LONG)
        self._set_cookie(request, answer, self._sign_on.cookie, key, int(LONGEST))
        return answer

    def _source(self, request: Request) -> PinSource:
        """Source of a sign-in: the table's screen, a signed-in browser, or a network."""
        if self._sign_on.is_dealers_screen(request):
            return screen(request)
        browser = self._sign_on.signed_in(request)
        return network(request) if browser is None else session(request, browser.known.id)

    async def sign_out(self, request: Request) -> Response:
        """DELETE /session: sign the person out."""
        caller = caller_of(request)
        self._sign_on.sessions.close(self._sign_on.key(request))
        self._log.info("signed_out", name=caller.name, via=peer(request))
        answer = Response(status_code=204)
        self._set_cookie(request, answer, self._sign_on.cookie, "", 0)
        return answer

    async def alive(self, request: Request) -> Response:
        """POST /session/alive: keep the session in use."""
        if caller_of(request).role != "manager":
            raise RequestRefused(401, coded("expected", needed=coded("needed_manager")))
        return Response(status_code=204)

    async def kiosk(self, request: Request) -> Response:
        """GET /kiosk/CODE: make this browser at the table's PC the dealer's screen."""
        if not self._sign_on.is_at_this_pc(request):
            raise RequestRefused(403, coded("browser_here"))
        key = await asyncio.to_thread(kiosk.claim, self._sign_on.persons.users, request.path_params["code"])
        if key is None:
            raise RequestRefused(403, coded("used"))
        self._checker.record_sign_in(KnownPerson("kiosk", Person("kiosk")), peer(request), "kiosk")
        query = request.url.query  # such as the language
        answer = RedirectResponse(f"/dealer?{query}" if query else "/dealer", 303)
        self._set_cookie(request, answer, self._sign_on.kiosk_cookie, key, FOR_LONG)
        return answer

    def _set_cookie(self, request: Request, answer: Response, name: str, key: str, seconds: int) -> None:
        secure = request.url.scheme == "https" or is_loopback(host_of(request))  # browsers trust their own PC
        answer.set_cookie(name, key, seconds, path="/", secure=secure, httponly=True, samesite="strict")


def check_origin(request: Request) -> None:
    """Refuse sign-ins that come from another site's page. Raises HTTPException."""
    origin = request.headers.get("origin")
    if origin is not None and origin.partition("://")[2].lower() != request.headers.get("host", "").lower():
        raise RequestRefused(403, coded("own_page"))
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise RequestRefused(400, coded("content_type"))


def missing_roles_message(name: str, roles: Collection[PersonRole]) -> CodedMessage:
    """Message for a verified person who is refused because they have none of these roles."""
    return coded("none_of_them", roles=join_with_or([coded(f"role_{role}") for role in sorted(roles)]), name=name)


async def read_sign_in(request: Request) -> Credentials:
    """Name, badge and PIN in the request body. Raises HTTPException."""
    try:
        return msgspec.json.decode(await body_of(request, LARGEST), type=Credentials)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise HTTPException(400, shorten_to_line(str(error))) from None


def attempt_of(credentials: Credentials, source: PinSource, mark: str | None = None) -> SignInAttempt:
    """Sign-in attempt from the request. Raises HTTPException unless it has a badge, or a name and a PIN."""
    if (credentials.name is None) == (credentials.badge is None):
        raise RequestRefused(400, coded("name_or_badge"))
    if credentials.badge is None and credentials.pin is None:
        raise RequestRefused(400, coded("name_and_pin"))
    return SignInAttempt(credentials.name or "", credentials.pin or "", source, mark, credentials.badge or "")
