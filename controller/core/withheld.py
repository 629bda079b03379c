"""What is withheld of a card that lies face down, from everybody but the auditor.

The one rule: no other module withholds a card. A draw, a fault and a record say themselves that they could give one
away (`hidden`, `face_up`), by the place that the card was due to when it came; what is told of it then is decided
here. Neither is ever decided by the card's value: a card that was due face up, or when none was due, is told whatever
it is. So a surplus card is known to the shift manager, the dealer and the game server (`drawn`), though it may be
carried to the next round: no record says before the ruling that it will be, and who is to rule on it has to know it.
Players are told its number alone, and no odds tell of it; a table whose game server must not know it before it lies
leaves `carry` off, as it is by default.
"""

from typing import Any

from msgspec.structs import replace

from ..rules.cards import Card
from . import records as r
from .came import Came, HiddenCard
from .state import Draw, Fault


def seen(draw: Draw) -> Card | None:
    """The card of a draw; null where it lies face down, or was not read."""
    return None if draw.hidden else draw.card


def told(fault: Fault) -> Came:
    """What came instead of what was due."""
    return HiddenCard() if fault.hidden else fault.came


def withhold(what: r.What) -> r.What:
    """A record as it may be told: a card that is withheld is null in it."""
    if isinstance(what, r.Dealt):
        return what if what.face_up else replace(what, card=None)
    if not getattr(what, "hidden", False):
        return what
    if isinstance(what, r.Faulted):
        return replace(what, came=HiddenCard())
    if isinstance(what, r.Ruled):
        return replace(what, before=_cardless(what.before), after=_cardless(what.after))
    return replace(what, card=None)


def _cardless(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: None if name == "card" else value for name, value in fields.items()}
