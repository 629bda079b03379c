"""Admission of requests: each kind of caller has places that no other kind can take.

    server    the game server, and other programs with a token        dealer    the screen at the table
    manager   shift managers who are signed in                        watch     /healthz and /metrics
    sign_in   sign-ins in an unknown browser                          local     callers at the table's own socket
    page      pages opened in an unknown browser                      viewer    anybody else

If all places of a kind are taken, a request is answered with 503; if one caller has too many, with 429. Both say when
to try again. Before that, a place is freed if possible: the oldest stream, or request whose body is still missing, of
the caller with the most places is ended, if that caller has at least two more than the newcomer. With a difference of
one, the two would displace each other without end. For a newcomer's sign-in, the oldest sign-in without a body is ended
in any case.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...core.coded_message import CodedMessage, coded
from ...outputs.web_metrics import RequestPlaces
from .replies import AGAIN, Reason, problem_for

PATIENCE = 10.0  # seconds for a reader to make room for the next part of an answer
FAREWELL = f"retry: {AGAIN * 1000}\n: the place is needed for somebody else\n\n".encode()


class PlaceLimit(NamedTuple):
    """Places of one kind of caller.

    `each`: places for one `caller`; `hurried`: a request whose body has not come gives way to anybody.
    """

    places: int
    each: int
    caller: str = "caller"
    hurried: bool = False


LIMITS: Mapping[str, PlaceLimit] = {
    "server": PlaceLimit(32, 24),
    "manager": PlaceLimit(32, 16),
    "dealer": PlaceLimit(12, 12),
    "watch": PlaceLimit(16, 4, "address"),
    "sign_in": PlaceLimit(48, 8, "address", hurried=True),  # more places than the queue of PINs has
    "page": PlaceLimit(24, 16, "address"),
    "viewer": PlaceLimit(48, 32, "address"),  # many, as a whole office may share one address
    "local": PlaceLimit(64, 48),
}


class Visitor(NamedTuple):
    """Visitor of a door: kind and identity."""

    kind: str
    who: str


class RequestPlace:
    """Place of a request under way, held as long as `stay` lasts. `awaited`: its body has not come yet."""

    def __init__(self, who: str, stay: asyncio.Timeout, *, awaited: bool = False) -> None:
        self.who, self.stay = who, stay
        self.awaited, self.streams, self.begun, self.sent_away = awaited, False, False, False

    @property
    def gives_way(self) -> bool:
        """True if the request can be repeated without loss."""
        return self.streams or self.awaited

    def send_away(self) -> None:
        """End the request to free its place for another caller."""
        self.sent_away = True
        self.stay.reschedule(asyncio.get_running_loop().time())


class RequestClass:
    """Places of one kind. `turned_away`: number of refused requests by status."""

    def __init__(self, limit: PlaceLimit) -> None:
        self.limit, self.places = limit, list[RequestPlace]()
        self.turned_away, self.sent_away = {429: 0, 503: 0}, 0

    @property
    def streams(self) -> int:
        """Number of event streams among the places."""
        return sum(place.streams for place in self.places)

    def refusal_status(self, who: str) -> int | None:
        """HTTP status for refusing this visitor; None if there is a place, or one was made."""
        held = Counter(place.who for place in self.places)
        status = None
        if held[who] >= self.limit.each:
            status = 429
        elif len(self.places) >= self.limit.places and not self._make_room(held, who):
            status = 503
        if status is not None:
            self.turned_away[status] += 1
        return status

    def _make_room(self, held: Counter[str], who: str) -> bool:
        displaced = max((one for one in self.places if one.gives_way), key=lambda one: held[one.who], default=None)
        if (
            displaced is not None and held[displaced.who] <= held[who] + 1
        ):  # else the two callers displace each other for ever
            displaced = None
        if displaced is None and self.limit.hurried:
            displaced = next((one for one in self.places if one.awaited), None)
        if displaced is None:
            return False
        self.sent_away += 1
        self.places.remove(displaced)
        displaced.send_away()
        return True

    def leave(self, place: RequestPlace) -> None:
        """Free the place of a finished request."""
        if place in self.places:
            self.places.remove(place)

    @property
    def figures(self) -> RequestPlaces:
        """Numbers of this kind for the metrics."""
        return RequestPlaces(self.limit.places, len(self.places), self.streams, self.turned_away, self.sent_away)


Visit = Callable[[Request], Visitor]


class Admission:
    """Places of all kinds, shared by all doors of a table or of a floor."""

    def __init__(self, limits: Mapping[str, PlaceLimit] = LIMITS) -> None:
        self.classes: Mapping[str, RequestClass] = {kind: RequestClass(limit) for kind, limit in limits.items()}

    def guard(self, app: ASGIApp, visit: Visit) -> ASGIApp:
        """Application behind the admission limits."""

        async def admit(scope: Scope, receive: Receive, send: Send) -> None:
            kind, who = visit(Request(scope))
            request_class = self.classes[kind]
            status = request_class.refusal_status(who)
            if status is not None:
                await _refusal(kind, request_class.limit, status, scope)(scope, receive, send)
                return
            place = RequestPlace(who, asyncio.timeout(None), awaited=_has_body(scope))
            request_class.places.append(place)
            try:
                await _serve(app, place, scope, receive, send)
            finally:
                request_class.leave(place)

        return admit


async def _serve(app: ASGIApp, place: RequestPlace, scope: Scope, receive: Receive, send: Send) -> None:
    async def receive_message() -> Message:
        message = await receive()
        place.awaited = message.get("more_body", False)
        return message

    async def send_message(message: Message) -> None:
        if message["type"] == "http.response.start":
            place.begun = True
            place.streams = Headers(raw=message["headers"]).get("content-type", "").startswith("text/event-stream")
        await _send_in_time(scope, send, message)

    try:
        async with place.stay:
            await app(scope, receive_message, send_message)
    except TimeoutError:
        if not place.sent_away:
            raise
        await _send_farewell(place, scope, receive, send)


async def _send_in_time(scope: Scope, send: Send, message: Message) -> None:
    """Send a message, or drop a client that accepts nothing for PATIENCE seconds."""
    if not scope["state"]["stalled"]():
        await send(message)  # at once
        return
    try:
        async with asyncio.timeout(PATIENCE):
            await send(message)
    except TimeoutError:
        scope["state"]["drop"]()
        await asyncio.sleep(0)  # let the connection process it before we report the end


async def _send_farewell(place: RequestPlace, scope: Scope, receive: Receive, send: Send) -> None:
    if place.begun:
        await _send_in_time(scope, send, {"type": "http.response.body", "body": FAREWELL})
    else:
        await _answer(503, "no_room", coded("sent_away"), scope)(scope, receive, send)


def _refusal(kind: str, limit: PlaceLimit, status: int, scope: Scope) -> ASGIApp:
    if status == 429:
        return _answer(429, "too_many", coded("too_many", each=limit.each, caller=limit.caller), scope)
    return _answer(503, "no_room", coded("no_room", places=limit.places, kind=kind, seconds=AGAIN), scope)


def _answer(status: int, error: Reason, message: CodedMessage, scope: Scope) -> ASGIApp:
    answer = problem_for(Request(scope), status, error, message)
    answer.headers.update({"retry-after": str(AGAIN), "connection": "close"})
    return answer


def _has_body(scope: Scope) -> bool:
    headers = Headers(scope=scope)
    return "transfer-encoding" in headers or headers.get("content-length", "0") != "0"
