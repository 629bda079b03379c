"""Web site on one network address: pages, the game server's API and sign-in.

Requests with a foreign host name are refused, so pages of other sites cannot read anything here (DNS rebinding).
"""

import hashlib
import re
import socket
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from msgspec import Struct
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..core.coded_message import coded
from ..text.coded import render
from .access.credential_checker import CredentialChecker
from .access.door import FrontDoor
from .access.sessions import Sessions
from .access.sign_on import AT_A_GLANCE, NetSignOn, host_of
from .access.visitors import classify_visitors
from .api.callers import identify_callers
from .api.problems import PROBLEMS
from .net.address import parse_address
from .net.admission import Admission
from .net.listening import NetListening
from .net.replies import problem

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}
POLICY, ALONE = "content-security-policy", "frame-ancestors 'none'"
ON_AIR = "/overlay"  # the only page that other sites may embed: those named in the config
ENCRYPTED = {"strict-transport-security": "max-age=31536000"}  # seconds: for a year browsers use https only


Policy: TypeAlias = Callable[[str], str]  # Content-Security-Policy of the answer under a path


class SiteSettings(Struct, frozen=True):
    """Settings that differ between a table's site and a floor's: open paths, policy, index page, roles."""

    at_a_glance: re.Pattern[str] = AT_A_GLANCE  # paths that are open to a lapsed session
    policy: Policy | None = None  # Content-Security-Policy by path; None: that of a table
    index: str | None = None  # page of `/`; None: the dealer's at the table's screen, else the shift manager's
    roles: bool = False  # True: list the person's registered roles at sign-in
    problems: Mapping[Any, Any] = {}  # further conversions of exceptions, as PROBLEMS


class Site:
    """Web site of a table or floor: admission, sign-on, and the application of its routes.

    `table`: its name.
    """

    def __init__(
        self, table: str, listening: NetListening, checker: CredentialChecker, settings: SiteSettings | None = None
    ) -> None:
        section, self._settings = listening.section, settings or SiteSettings()
        cookie = f"tablectl-{hashlib.sha256(table.encode()).hexdigest()[:12]}"  # per table: all ports share cookies
        self.sessions = Sessions(time.monotonic, section.idle)
        glance, at_hand = self._settings.at_a_glance, listening.at_hand
        self.sign_on = NetSignOn(checker.persons, self.sessions, cookie, at_hand=at_hand, at_a_glance=glance)
        self.front = FrontDoor(table, self.sign_on, checker, tells_roles=self._settings.roles)
        self._encrypted = listening.certificate is not None
        self._problems = {**PROBLEMS, **self._settings.problems}
        self._policy = self._settings.policy or _table_policy(section.graphics)
        self._hosts = frozenset(name.lower() for name in (*section.hosts, socket.gethostname()))  # as `url` has it

    def app(self, routes: Sequence[BaseRoute], admission: Admission) -> ASGIApp:
        """Build the application of these routes and sign-on, behind the admission."""
        index = Route("/", self._index)
        app = Starlette(routes=[index, *routes, *self.front.routes], exception_handlers=self._problems)
        admitted = admission.guard(app, classify_visitors(self.sign_on))
        return _Guard(
            identify_callers(admitted, self.sign_on), self._answers_to, self._policy, encrypted=self._encrypted
        )

    async def _index(self, request: Request) -> Response:
        """Redirect a request without a page to the dealer's or manager's page."""
        page = "/dealer" if self.sign_on.is_dealers_screen(request) else "/manager"
        return RedirectResponse(self._settings.index or page)

    def _answers_to(self, name: str) -> bool:
        return name == "localhost" or name in self._hosts or parse_address(name) is not None


def _table_policy(graphics: Sequence[str]) -> Policy:
    """Policy of a table's pages; graphics servers may embed the one on air."""
    held = HEADERS[POLICY].replace(ALONE, f"frame-ancestors {' '.join(graphics)}") if graphics else HEADERS[POLICY]
    return lambda path: held if path == ON_AIR else HEADERS[POLICY]


@lru_cache
def _default_headers(policy: str, *, encrypted: bool) -> Sequence[tuple[bytes, bytes]]:
    """Default headers of all answers, with this Content-Security-Policy."""
    headers = {**HEADERS, POLICY: policy, **(ENCRYPTED if encrypted else {}), "cache-control": "no-store"}
    return tuple((name.encode(), value.encode()) for name, value in headers.items())


class _Guard:
    """Guard of the application: refuses foreign host names, and adds security headers."""

    def __init__(self, app: ASGIApp, answers_to: Callable[[str], bool], policy: Policy, *, encrypted: bool) -> None:
        self._app, self._answers_to, self._encrypted, self._policy = app, answers_to, encrypted, policy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app: Callable[[Scope, Receive, Send], Awaitable[None]] = self._app
        name = host_of(Request(scope))
        all_ours = name != "localhost"  # on localhost, another table may be served without encryption
        headers = _default_headers(self._policy(scope.get("path", "")), encrypted=self._encrypted and all_ours)
        if not self._answers_to(name):
            app = problem(421, "wrong_host", render(coded("host_of_others")))

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                names = {name for name, _ in message["headers"]}
                message["headers"] = [*message["headers"], *(one for one in headers if one[0] not in names)]
            await send(message)

        await app(scope, receive, send_with_headers)
