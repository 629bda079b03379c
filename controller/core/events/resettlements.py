"""Events about a round that is over: settling it anew, and dismissing an open case about it."""

from typing import Literal

from msgspec import Struct

from ...rules.cards import Card
from .base import Act

Amending = Literal["correct", "move", "burn", "void", "void_hand", "resume", "cancel"]


class Amendment(Struct, frozen=True, omit_defaults=True):
    """One correction of a round that is over.

    `cancel`: the round is void; `resume`: it is settled by its cards.

    The others do what the ruling of the same name does to a live round.
    """

    ruling: Amending
    draw: int | None = None
    card: Card | None = None
    place: str | None = None


class Resettle(Act, frozen=True, tag="resettle"):
    """Two shift managers settle a settled or cancelled round anew. `amendments`: corrections, in order."""

    round: int
    amendments: tuple[Amendment, ...]
    by: str
    because: str
    second: str | None = None  # second shift manager, identified by PIN or badge too
    second_id: str | None = None  # their id, if there is a registry of persons; else the name is the id
    revision: int | None = None  # revision that they saw; 0: the first settlement; null: the latest
    past: str = ""  # round from the record, a `PastRound` as JSON; empty: it is not over, or not available


class Dismiss(Act, frozen=True, tag="dismiss"):
    """A shift manager dismisses an open case: the round stays as it is settled.

    `case`: record that opened it.
    """

    case: int
    by: str
    because: str
