"""Identification of callers over the network.

    a bearer token                        the game server, or another program
    a session's cookie                    the person who has signed in at the shift manager's page; if it has lapsed,
                                          they may only look at the table (`AT_A_GLANCE`)
    a screen's cookie, at this PC alone   the dealer, in front of the screen that was authorised by `tablectl kiosk`
    nothing                               anybody: they may look on as players do

`?role=` asks for less: as the dealer, as a player. Invariant: each write comes with a token, or with the CSRF word
(`x-csrf`) that only our own pages are given; so no other page that is open in the same browser can write.

A lapsed session still shows the table, so that a shift manager sees a fault and chooses the ruling while typing the
PIN: the ruling takes two touches and the PIN. It shows the cards on the table, which viewers see too, and totals of
stakes, but no single player's; hidden cards are backs. The record, reports, devices and all actions are closed. After
signing out, another PIN or the end of the shift, the table is closed too.
"""

import re
import secrets
from collections.abc import Callable
from contextlib import suppress

from starlette.exceptions import HTTPException
from starlette.requests import Request

from ...config.mistakes import BadUsers
from ...config.people import Person
from ...text import caller_texts as t
from ...text.sentence import Sentence
from ..api.commands import Caller, Role
from ..api.request_parameters import role_of
from ..net.address import is_loopback
from .kiosk import is_granted
from .persons import PAGES, Persons
from .sessions import Session, Sessions

LOOKING = frozenset({"GET", "HEAD"})
AT_A_GLANCE = re.compile("/api/screen|/api/preview|/session")  # the table, where a ruling leads, signing out
_FORWARDED = ("forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via")


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
            return self._program(request, authorization, role)
        if role == "player":
            return ANYBODY
        session = self.session(request)
        at_a_glance = self.lapsed(request) if self._at_a_glance.fullmatch(request.url.path) else None
        manager = session or at_a_glance
        if manager is not None and role in (None, "manager"):
            return self._manager(request, manager)
        if role in (None, "dealer") and self.at_the_table(request):
            return self._dealer(request)
        if session is not None and role == "dealer" and request.method in LOOKING:
            return self._signed_in(request, session, "dealer")
        if role is None and request.method in LOOKING:
            return ANYBODY
        raise HTTPException(401, _needed(role), {"www-authenticate": "Bearer"})

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
        """Name of the holder of a bearer token; None if it is wrong."""
        kind, _, token = authorization.partition(" ")
        return self.persons.users.users().holder(token.strip()) if kind.lower() == "bearer" else None

    def session(self, request: Request) -> Session | None:
        """Session of the request, if its person still exists with the same PIN."""
        return self._theirs(self.sessions.get(self.key(request)))

    def lapsed(self, request: Request) -> Session | None:
        """Lapsed session of the request, if its person still exists with the same PIN."""
        return self._theirs(self.sessions.lapsed(self.key(request)))

    def _theirs(self, session: Session | None) -> Session | None:
        known = None if session is None else self.persons.of(session.person)
        if session is None or known is None or known.person.shows != session.shown:
            return None
        return session if PAGES & set(known.person.roles) else None

    def known_here(self, request: Request) -> str | None:
        """Person who is or was signed in in this browser; it proves no more than that. Raises BadUsers."""
        session = self.session(request) or self.lapsed(request)
        if session is not None:
            return session.person
        mark = request.cookies.get(self.mark_cookie, "")
        known = self.persons.of(mark.rsplit(".", 2)[0])
        return known.id if known is not None and self.persons.is_marked(known, mark) else None

    def person(self, session: Session) -> Person:
        """Person of the session, as registered now. Raises HTTPException if they are removed."""
        known = self.persons.of(session.person)
        if known is None:
            raise HTTPException(401, _needed("manager"))
        return known.person

    def key(self, request: Request) -> str | None:
        """Session key in the request's cookie; None if there is none."""
        return request.cookies.get(self.cookie)  # whatever else this PC's programs have a browser keep

    def _manager(self, request: Request, session: Session) -> Caller:
        if request.method not in LOOKING:
            _check_csrf(request, session.csrf)
            self.sessions.use(session)
        return self._signed_in(request, session, "manager")

    def _signed_in(self, request: Request, session: Session, role: Role) -> Caller:
        """Caller for a signed-in person in this role; their streams end with the session."""
        is_lapsed = self.session(request) is None
        found = self.lapsed if is_lapsed else self.session
        request.state.still = _as_long_as(lambda: found(request) is not None)
        people = self.persons.people()
        number = None if people is None else session.person
        name, via = self.person(session).name, f"web:{session.person}"
        return Caller(role, name, via, person=number, people=people, lapsed=is_lapsed)

    def _dealer(self, request: Request) -> Caller:
        if request.method not in LOOKING:
            _check_csrf(request, self.kiosk_csrf)
            _check_origin(request)
        request.state.still = _as_long_as(lambda: self.at_the_table(request))
        return Caller("dealer", "dealer", "web:kiosk", people=self.persons.people())

    def at_the_table(self, request: Request) -> bool:
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


def _needed(role: Role | None) -> Sentence:
    """Sentence that names what this role requires."""
    return Sentence(t.EXPECTED, needed=Sentence(t.NEEDED[role]))


def _as_long_as(it_is_so: Callable[[], bool]) -> Callable[[], bool]:
    """Check that is False while the users file cannot be read."""

    def still() -> bool:
        with suppress(BadUsers):
            return it_is_so()
        return False

    return still


def _check_csrf(request: Request, word: str) -> None:
    said = request.headers.get("x-csrf")
    if said is None:
        raise HTTPException(401, _needed(None), {"www-authenticate": "Bearer"})
    if not secrets.compare_digest(said.encode("latin-1", "replace"), word.encode()):
        raise HTTPException(403, t.OPEN_ANEW)


def _check_origin(request: Request) -> None:
    """Refuse a request at this PC from another site's page. Raises HTTPException."""
    _, _, site = request.headers.get("origin", "http://localhost").partition("://")
    if not is_loopback(_without_port(site)):
        raise HTTPException(403, t.AT_THIS_PC)


def host_of(request: Request) -> str:
    """Host name in the request, without the port."""
    return _without_port(request.headers.get("host", ""))


def _without_port(place: str) -> str:
    return re.sub(r":\d+$", "", place).strip("[]").lower()
