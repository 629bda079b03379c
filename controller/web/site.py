"""The network door: the pages, the game server's API, signing in, on one address.

The one rule: it answers under its own names alone. A page of somewhere else, whatever name it gives this address, is
told nothing.
"""

import hashlib
import ipaddress
import os
import socket
import ssl
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from msgspec import Struct
from starlette.applications import Starlette
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..config_web import WebSection
from ..mistakes import system_says
from ..users import UsersFile
from .access.attempts import Attempts
from .access.door import FrontDoor
from .access.sessions import Sessions
from .access.sign_on import NetSignOn, host_of, is_address
from .problems import PROBLEMS, problem
from .sockets import UnusableAddress

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
}
ENCRYPTED = {"strict-transport-security": "max-age=31536000"}  # a year: a browser asks for nothing else meanwhile


class NetListening(Struct, frozen=True):
    """A place on the network that this program listens on, or none."""

    socket: socket.socket | None
    section: WebSection
    users: Path

    @property
    def url(self) -> str | None:
        """Where a browser finds it."""
        if self.socket is None:
            return None
        host, port = self.socket.getsockname()[:2]
        host = socket.gethostname() if ipaddress.ip_address(host).is_unspecified else host
        scheme = "https" if self.section.certificate else "http"
        return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"

    def close(self) -> None:
        """Let go."""
        if self.socket is not None:
            self.socket.close()


def listen(section: WebSection, users: Path) -> NetListening:
    """Take the place that the config says. Raises UnusableAddress, BadConfig."""
    place = section.place()
    if place is None:
        return NetListening(None, section, users)
    check_certificate(section)
    if not os.access(f"{users.absolute().parent}/.", os.X_OK):
        raise UnusableAddress(
            f"web.users: expected a file in a folder that can be entered, got {users}: nobody could sign in"
        )
    family = socket.AF_INET6 if ":" in place[0] else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # unnamed, asyncio leaves Nagle's wait on
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(place)
        listening.listen()
    except OSError as error:
        listening.close()
        raise UnusableAddress(
            f"{section.listen}: {system_says(error)}; "
            'name another one under [web], such as listen = "127.0.0.1:8033", or "off"'
        ) from None
    return NetListening(listening, section, users)


def check_certificate(section: WebSection) -> None:
    """Raises UnusableAddress for one that cannot be used."""
    if section.certificate is None:
        return
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(section.certificate, section.key, _no_password)
    except ssl.SSLError:
        why = "they are not that, or do not belong together"
    except (OSError, ValueError) as error:
        why = (getattr(error, "strerror", None) or str(error)).lower()
    else:
        return
    raise UnusableAddress(
        "web.certificate: expected a certificate and its key in PEM, "
        f"got {section.certificate} and {section.key}: {why}"
    )


def _no_password() -> str:
    raise ValueError("the key wants a password: a service has nobody to ask")


class Site:
    """Who is let in, and the application of all routes there are."""

    def __init__(self, table: str, listening: NetListening) -> None:
        section = listening.section
        cookie = f"tablectl-{hashlib.sha256(table.encode()).hexdigest()[:12]}"  # ports share a browser's cookies
        self.sessions = Sessions(time.monotonic)
        self.sign_on = NetSignOn(UsersFile(listening.users), self.sessions, cookie, kiosk=section.kiosk)
        self.attempts = Attempts(time.monotonic)
        self._front = FrontDoor(table, self.sign_on, self.attempts)
        self._encrypted = section.certificate is not None
        self._hosts = frozenset(name.lower() for name in (*section.hosts, socket.gethostname()))  # as `url` has it

    def app(self, routes: Sequence[BaseRoute]) -> ASGIApp:
        """These routes and those of signing in."""
        index = Route("/", self._index, methods=["GET"])
        app = Starlette(routes=[index, *routes, *self._front.routes], exception_handlers=PROBLEMS)
        return _Guard(app, self._answers_to, encrypted=self._encrypted)

    async def _index(self, request: Request) -> Response:
        """Whoever names no page: the dealer at the table, elsewhere the shift manager."""
        return RedirectResponse("/dealer" if self.sign_on.at_the_table(request) else "/manager")

    def _answers_to(self, name: str) -> bool:
        return name == "localhost" or name in self._hosts or is_address(name) is not None


class _Guard:
    """Turns away who asks under a name that is not ours, and says with every answer what a browser may do with it."""

    def __init__(self, app: ASGIApp, answers_to: Callable[[str], bool], *, encrypted: bool) -> None:
        self._app, self._answers_to, self._encrypted = app, answers_to, encrypted

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app: Callable[[Scope, Receive, Send], Awaitable[None]] = self._app
        name = host_of(Request(scope))
        all_ours = name != "localhost"  # where another table's line may be plain
        headers = HEADERS | ENCRYPTED if self._encrypted and all_ours else HEADERS
        if not self._answers_to(name):
            says = "expected one of this table's own names: those under [web] hosts, or its address"
            app = problem(421, "wrong_host", says)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                sent = MutableHeaders(scope=message)
                for name, value in headers.items():
                    sent.setdefault(name, value)
                sent.setdefault("cache-control", "no-store")
            await send(message)

        await app(scope, receive, guarded)
