"""Kinds of visitors for admission limits, by the identified caller of a request.

Sign-ins and pages of unknown visitors have places that viewers of the table cannot take, and so do browsers in which
somebody is or was signed in. A request needs a place even to be refused.
"""

import re
from contextlib import suppress

from starlette.requests import Request

from ...config.mistakes import BadUsers
from ..api.commands import Caller
from ..net.address import network_of
from ..net.admission import LIMITS, Visit, Visitor
from .sign_on import NetSignOn

WATCHED = ("/healthz", "/metrics")
SIGN_IN = re.compile(r"(/tables/[^/]*)?/session")
LOOKED_AT = re.compile(r"(/tables/[^/]*)?/api/(?!(floor/)?words$)")  # not the words: the sign-in form needs them


def classify_visitors(sign_on: NetSignOn) -> Visit:
    """Return a function that classifies network requests for the admission limits."""

    def visitor(request: Request) -> Visitor:
        where, caller = network_of(request.scope.get("client")), request.scope["caller"]
        if request.scope["path"] in WATCHED:
            return Visitor("watch", where)
        if not isinstance(caller, Caller) or caller.role == "player":
            return _stranger(request, sign_on, where)
        return Visitor(caller.role if caller.role in LIMITS else "manager", caller.via)

    return visitor


def _stranger(request: Request, sign_on: NetSignOn, where: str) -> Visitor:
    """Visitor without an identity, or before a sign-in."""
    path = request.url.path
    if LOOKED_AT.match(path):
        return Visitor("viewer", where)
    with suppress(BadUsers):
        if sign_on.is_dealers_screen(request):
            return Visitor("dealer", "web:kiosk")
        if (person := sign_on.browser_person(request)) is not None:
            return Visitor("manager", f"web:{person}")
    is_sign_in = request.method == "POST" and SIGN_IN.fullmatch(path)
    return Visitor("sign_in" if is_sign_in else "page", where)


def socket_visitor(request: Request) -> Visitor:
    """Visitor at the table's own socket."""
    who = f"unix:{request.state.uid}"
    return Visitor("watch" if request.scope["path"] in WATCHED else "local", who)
