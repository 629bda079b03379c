"""Which kind of place a request needs: by who asks, as far as that is known before it is looked at.

What is wrong with a request is said when it has a place: as long as nobody knows whose it is, that of a viewer.
"""

from starlette.exceptions import HTTPException
from starlette.requests import Request

from ...config.mistakes import BadUsers
from ..api.commands import Forbidden
from ..api.reading import Malformed
from ..api.request_parameters import SignOn
from ..net.address import network_of
from ..net.admission import LIMITS, Identify, Visitor

WATCHED = ("/healthz", "/metrics")


def over_the_network(sign_on: SignOn) -> Identify:
    """Who asks there."""

    async def identify(request: Request) -> Visitor:
        where = network_of(request.scope.get("client"))
        if request.scope["path"] in WATCHED:
            return Visitor("watch", where)
        try:
            caller = await sign_on(request)
        except (HTTPException, BadUsers, Malformed, Forbidden):
            return Visitor("viewer", where)
        if caller.role == "player":
            return Visitor("viewer", where)
        return Visitor(caller.role if caller.role in LIMITS else "manager", caller.via)

    return identify


async def at_the_socket(request: Request) -> Visitor:
    """Who asks at the table's own socket."""
    who = f"unix:{request.state.uid}"
    return Visitor("watch" if request.scope["path"] in WATCHED else "local", who)
