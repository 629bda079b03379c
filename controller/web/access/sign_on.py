"""Identification of callers over the network.

    a bearer token                        the game server, or another program
    a session's cookie                    the person who has signed in at the shift manager's page; if it has lapsed,
                                          they may only look at the table (`AT_A_GLANCE`)
    a screen's cookie, at this PC alone   the dealer, in front of the screen that was authorised by `tablectl kiosk`
    nothing                               anybody: sees what players see

`?role=` lowers the rights: to the dealer's, or to a player's. Invariant: each write has a bearer token, or the CSRF
token (`x-csrf`) that only our own pages get. So no other page in the same browser can write.

A lapsed session still shows the table, so that a shift manager sees a fault and chooses the ruling while typing the
PIN: the ruling takes two touches and the PIN. It shows the cards on the table, which viewers see too, and totals of
stakes, but no single player's; hidden cards are backs. The record, reports, devices and all actions are refused. After
sign-out, a change of the PIN or badge, and LONGEST seconds, the browser is not signed in at all.
"""

import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

from starlette.requests import Request

from ...config.mistakes import BadUsers
from ...config.people import KnownPerson, People
from ...core.coded_message import CodedMessage, coded
from ..api.commands import Caller, Role
from ..api.request_parameters import role_of
from ..net.address import is_loopback
from ..net.replies import RequestRefused
from .kiosk import is_granted
from .persons import PAGES, Persons
from .sessions import Session, Sessions

LOOKING = frozenset({"GET", "HEAD"})
AT_A_GLANCE = re.compile("/api/screen|/api/preview|/session")  # see the table, preview a ruling, sign out
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


class BrowserSession(NamedTuple):
    """Session of a browser, and its person as registered now.

    `lapsed`: the PIN must be typed again; `people`: the registry that knows the person, None if none is kept.
    """

    session: Session
    known: KnownPerson
    lapsed: bool
    people: People | None


class NetSignOn:
    """Identifies the caller of a request.

    `cookie`: name of the session's cookie; `at_hand`: every browser at this PC is the dealer's, as in a demo;
    `at_a_glance`: paths that are open to a lapsed session.
    """

    def __init__(
        self,
        persons: Persons,
        sessions: Sessions,
        cookie: str,
        *,
        at_hand: bool,
        at_a_glance: re.Pattern[str] = AT_A_GLANCE,
    ) -> None:
        self.persons, self.sessions, self.cookie = persons, sessions, cookie
        self.kiosk_cookie, self.mark_cookie = f"{cookie}-kiosk", f"{cookie}-known"
        self.kiosk_csrf = secrets.token_urlsafe(32)
        self._at_hand, self._at_a_glance = at_hand, at_a_glance

    async def __call__(self, request: Request) -> Caller:
        """Caller of the request. Raises HTTPException, BadUsers."""
        role = role_of(request)
        authorization = request.headers.get("authorization")
        if authorization is not None:
            return self._program(authorization, role)
        if role == "player":
            return ANYBODY
        browser = self.signed_in(request)
        if browser is not None and role in (None, "manager") and self._is_open(request, browser):
            return self._manager(request, browser)
        if role in (None, "dealer") and self.is_dealers_screen(request):
            return self._dealer(request)
        if browser is not None and not browser.lapsed and role == "dealer" and request.method in LOOKING:
            return self._caller(request, browser, "dealer")
        if role is None and request.method in LOOKING:
            return ANYBODY
        raise RequestRefused(401, _role_message(role), {"www-authenticate": "Bearer"})

    def _is_open(self, request: Request, browser: BrowserSession) -> bool:
        """True if this path is open to the session: all are, unless it has lapsed."""
        return not browser.lapsed or self._at_a_glance.fullmatch(request.url.path) is not None

    def _program(self, authorization: str, role: Role | None) -> Caller:
        name = self._holder(authorization)
        if name is None:
            raise RequestRefused(401, coded("unknown_token"), {"www-authenticate": "Bearer"})
        if role == "player":
            return ANYBODY
        if role not in (None, "server"):
            raise RequestRefused(403, coded("servers_token", role=coded(f"role_{role}")))
        still = _catch_bad_users(lambda: self._holder(authorization) == name)
        return Caller("server", name, f"token:{name}", still=still)

    def _holder(self, authorization: str) -> str | None:
        """Name of the holder of a bearer token; None if it is wrong."""
        kind, _, token = authorization.partition(" ")
        return self.persons.users.users().holder(token.strip()) if kind.lower() == "bearer" else None

    def signed_in(self, request: Request) -> BrowserSession | None:
        """Session and person of this browser, also if it has lapsed; None if it is over or void."""
        key = self.key(request)
        live = self.sessions.get(key)
        session = live or self.sessions.lapsed_session(key)
        if session is None:
            return None
        people = self.persons.people()
        user = self.persons.find_in(people, session.person)
        if (
            user is None
            or user.person.credentials_mark != session.credentials_mark
            or not PAGES & set(user.person.roles)
        ):
            return None
        return BrowserSession(session, user, live is None, people)

    def browser_person(self, request: Request) -> str | None:
        """Person who is or was signed in in this browser; this does not prove who is there now. Raises BadUsers."""
        if (browser := self.signed_in(request)) is not None:
            return browser.known.id
        mark = request.cookies.get(self.mark_cookie, "")
        user = self.persons.by_number(mark.rsplit(".", 2)[0])
        return user.id if user is not None and self.persons.is_marked(user, mark) else None

    def key(self, request: Request) -> str | None:
        """Session key in the request's cookie; None if there is none."""
        return request.cookies.get(self.cookie)  # other programs on this PC have cookies of other names

    def _manager(self, request: Request, browser: BrowserSession) -> Caller:
        if request.method not in LOOKING:
            _check_csrf(request, browser.session.csrf)
            self.sessions.use(browser.session)
        return self._caller(request, browser, "manager")

    def _caller(self, request: Request, browser: BrowserSession, role: Role) -> Caller:
        """Caller for a signed-in person in this role.

        Their streams end with the session, and when their entry in the registry changes, for example their roles.
        """
        user, people = browser.known, browser.people

        def is_there() -> bool:
            now = self.signed_in(request)
            return now is not None and now.known == user and now.lapsed == browser.lapsed

        number, still = None if people is None else user.id, _catch_bad_users(is_there)
        via = f"web:{user.id}"
        return Caller(role, user.person.name, via, person=number, people=people, lapsed=browser.lapsed, still=still)

    def _dealer(self, request: Request) -> Caller:
        if request.method not in LOOKING:
            _check_csrf(request, self.kiosk_csrf)
            _check_origin(request)
        still = _catch_bad_users(lambda: self.is_dealers_screen(request))
        return Caller("dealer", "dealer", "web:kiosk", people=self.persons.people(), still=still)

    def is_dealers_screen(self, request: Request) -> bool:
        """True if this is the dealer's screen: a browser at this PC that was authorised. Raises BadUsers."""
        if not self.is_at_this_pc(request):
            return False
        return self._at_hand or is_granted(self.persons.users.users(), self.kiosk_key(request))

    def kiosk_key(self, request: Request) -> str | None:
        """Key that an authorised dealer's screen keeps as a cookie."""
        return request.cookies.get(self.kiosk_cookie)

    def is_at_this_pc(self, request: Request) -> bool:
        """True if the request comes from this PC and through no proxy."""
        client = request.client
        return (
            client is not None
            and is_loopback(client.host)
            and is_loopback(host_of(request))
            and not any(name in request.headers for name in _FORWARDED)
        )


ANYBODY = Caller("player", "anybody", "web:anybody")


def _role_message(role: Role | None) -> CodedMessage:
    """Message that names what this role requires."""
    return coded("expected", needed=coded(f"needed_{role or 'anybody'}"))


def _catch_bad_users(check: Callable[[], bool]) -> Callable[[], bool]:
    """Wrap a check so that it returns False instead of raising while the users file cannot be read."""

    def is_valid() -> bool:
        with suppress(BadUsers):
            return check()
        return False

    return is_valid


def _check_csrf(request: Request, expected: str) -> None:
    token = request.headers.get("x-csrf")
    if token is None:
        raise RequestRefused(401, _role_message(None), {"www-authenticate": "Bearer"})
    if not secrets.compare_digest(token.encode("latin-1", "replace"), expected.encode()):
        raise RequestRefused(403, coded("open_anew"))


def _check_origin(request: Request) -> None:
    """Refuse a request at this PC from another site's page. Raises HTTPException."""
    _, _, site = request.headers.get("origin", "http://localhost").partition("://")
    if not is_loopback(_without_port(site)):
        raise RequestRefused(403, coded("at_this_pc"))


def host_of(request: Request) -> str:
    """Host name in the request, without the port."""
    return _without_port(request.headers.get("host", ""))


def _without_port(place: str) -> str:
    return re.sub(r":\d+$", "", place).strip("[]").lower()
