"""Sources of PINs: networks, browsers, keys and badges by which wrong PINs are counted.

network    an unknown browser, by its network: /64 of IPv6, /24 of IPv4, this PC's own addresses together
floor      a floor's key on the bus
session    the browser of somebody who is signed in, by that person: a second person, a hand-over
pc         the table's own PC: the dealer's screen, the table's socket, its badge reader
marked     a browser in which this person has signed in before
badge      this person's badge
badges     an unknown browser that tries a badge, by its network
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from starlette.requests import Request

from ..api.commands import Caller
from ..net.address import subnet_of

SourceKind = Literal["network", "floor", "session", "pc", "marked", "badge", "badges"]
UNMARKED: frozenset[SourceKind] = frozenset({"network", "floor", "session", "badges"})
KNOWN, BADGES, STRANGE = range(3)  # ranks in the queue of PINs, in the order in which they are tried
_RANKS: Mapping[SourceKind, int] = {"network": STRANGE, "floor": STRANGE, "badges": BADGES}


class PinSource(Struct, frozen=True):
    """Source of a PIN. `key`: wrong PINs count by it; `where`: text for the record."""

    kind: SourceKind
    key: str
    where: str

    @property
    def is_unmarked(self) -> bool:
        """True if wrong PINs from this source count towards closing a person."""
        return self.kind in UNMARKED

    @property
    def rank(self) -> int:
        """Rank in the queue; lower ones are tried first."""
        return _RANKS.get(self.kind, KNOWN)


def peer(request: Request) -> str:
    """Address that the request comes from."""
    return request.client.host if request.client is not None else "?"


def source_of(request: Request, caller: Caller) -> PinSource:
    """Source of a PIN that an identified caller sends."""
    if caller.at_floor and caller.for_others:
        return PinSource("floor", caller.via, caller.via)
    if caller.for_others:
        return PinSource("pc", caller.via, caller.via)
    if caller.role == "dealer":
        return screen(request)
    if caller.role == "manager":
        return session(request, caller.person or caller.name)
    return network(request)


def network(request: Request) -> PinSource:
    """Source for an unknown browser: its network."""
    return PinSource("network", subnet_of(peer(request)), peer(request))


def session(request: Request, person: str) -> PinSource:
    """Source for a browser in which this person is signed in."""
    return PinSource("session", f"session {person}", peer(request))


def screen(request: Request) -> PinSource:
    """Source for the dealer's screen of the table."""
    return PinSource("pc", "screen", peer(request))


def marked_source(source: PinSource, mark: str) -> PinSource:
    """Return the source as a marked browser: this person has signed in there before."""
    return PinSource("marked", f"browser {mark}", source.where)


def own_source(source: PinSource, person: str) -> PinSource:
    """Return the source as the person's own browser if this person is signed in there, else unchanged."""
    return PinSource("marked", source.key, source.where) if source.key == f"session {person}" else source


def with_badge(source: PinSource, person: str) -> PinSource:
    """Return the source as this person's badge, for attempts with a valid badge."""
    return source if source.kind == "pc" else PinSource("badge", f"badge {person}", source.where)


def badges_at(source: PinSource) -> PinSource:
    """Return the source under which attempts with badges count, so that wrong PINs delay no badge.

    A floor's key has only one source.
    """
    if source.kind == "floor":
        return source
    kind: SourceKind = "badges" if source.kind == "network" else source.kind
    return PinSource(kind, f"badges at {source.key}", source.where)
