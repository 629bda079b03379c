"""Callers of requests: each door identifies the caller once, before any handler runs, and adds it to the request.

Invariant: no handler asks for credentials. A refused caller's error is raised by the first handler that needs to know
its caller; pages, words and health need none.
"""

from collections.abc import Awaitable, Callable

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from ...config.mistakes import BadUsers
from ...core.coded_message import coded
from .commands import Caller, Forbidden

SignOn = Callable[[Request], Awaitable[Caller]]  # of one door; raises HTTPException, BadUsers if the caller is refused


def identify_callers(app: ASGIApp, sign_on: SignOn) -> ASGIApp:
    """Wrap an application so that each request carries its identified caller."""

    async def app_with_caller(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            scope["caller"] = await sign_on(Request(scope))
        except (HTTPException, BadUsers) as refused:
            scope["caller"] = refused
        await app(scope, receive, send)

    return app_with_caller


def caller_of(request: Request) -> Caller:
    """Return the caller of a request. Raises HTTPException, BadUsers if the caller was refused."""
    caller: Caller | Exception = request.scope["caller"]
    if isinstance(caller, Exception):
        raise caller
    return caller


def manager_of(request: Request) -> Caller:
    """Return the caller if it is a shift manager. Raises Forbidden for any other role."""
    caller = caller_of(request)
    if caller.role != "manager":
        raise Forbidden(coded("for_managers", role=coded(f"role_{caller.role}")))
    return caller
