"""Pseudonyms that viewers are shown in place of players' ids.

Only the owner of the key can tell which player has a pseudonym.

Invariant: only this module replaces players' ids in what viewers are shown. The key belongs to the platform, so that it
can tell a player's own client which pseudonym is theirs. Seats are not ids of players, and are shown unchanged."""

import base64
import hashlib
import hmac
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..rules.procedure import Ask, Step, seat_of
from . import records as r

LENGTH = 16  # letters and digits: 80 bits
OF_PLAYERS = "decisions"  # field of an outcome with an entry for each player who decided


class Viewers(Struct, frozen=True):
    """Filter for the viewers of a table, who see pseudonyms in place of ids.

    `key`: secret from which pseudonyms are made; None: viewers see no names. `seats`: of a seated game, shown as they
    are.
    """

    key: bytes | None = None
    seats: tuple[str, ...] = ()

    def name(self, who: str) -> str:
        """Name of a deciding participant for viewers; empty without a key."""
        if seat_of(who) in self.seats:
            return who
        if self.key is None:
            return ""
        mac = hmac.digest(self.key, who.encode("utf-8", "surrogatepass"), hashlib.sha256)
        return f"v_{base64.b32encode(mac).decode()[:LENGTH].lower()}"

    def names(self, who: Iterable[str]) -> tuple[str, ...]:
        """Names of several participants for viewers, without empty ones."""
        return tuple(filter(None, map(self.name, who)))

    def outcome(self, outcome: Mapping[str, Any]) -> dict[str, Any]:
        """Outcome of a round for viewers, with pseudonyms."""
        decided = outcome.get(OF_PLAYERS)
        by_player = decided.items() if isinstance(decided, Mapping) else ()
        veiled = {name: what for who, what in by_player if (name := self.name(who))}
        return {**outcome, OF_PLAYERS: veiled} if decided else dict(outcome)

    def step(self, due: Step | None) -> Step | None:
        """Due step for viewers, with pseudonyms in a decision window."""
        return replace(due, who=self.names(due.who)) if isinstance(due, Ask) else due

    def for_viewers(self, what: r.What) -> r.What:
        """Record for viewers, with pseudonyms and without players' data."""
        match what:
            case r.Asked(who=who):
                return replace(what, who=self.names(who))
            case r.Decided(who=one):
                return replace(what, who=self.name(one))
            case r.Settled(outcome=outcome):
                return replace(what, outcome=self.outcome(outcome))
            case r.Resettled(now=now) if now is not None:
                return replace(what, now=self.outcome(now))
        return what


STRANGERS = Viewers()
