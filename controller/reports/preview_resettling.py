"""Preview of a resettlement: what each bet would come to. Nothing is recorded."""

from typing import Any

from msgspec import Struct

from ..core import events as e
from ..core import records as r
from ..core.clock import Time
from ..core.decide.resettling import differences, objection, settled_on_the_side
from ..core.draft import Draft
from ..core.house import House
from ..core.notation import expected
from ..core.past_round import decoded_past
from ..core.position import Position
from ..core.state import State
from ..games import GAMES

NOT_YET = frozenset({"needs_second"})  # what the second person will bring


class ResettlePreview(Struct, frozen=True):
    """Effect of settling a round anew. `reason`: why it would be refused; the rest is told as far as it is known."""

    round: int
    revision: int  # that it would be
    reason: str | None = None
    was: dict[str, Any] | None = None  # outcome; null: void
    now: dict[str, Any] | None = None
    movements: tuple[r.BetDifference, ...] = ()
    total: int = 0  # sum of all differences, in minor units
    currency: str = ""
    due: str | None = None  # the card or decision that is missing


def foresee_resettlement(house: House, state: State, event: e.Resettle, at: Time) -> ResettlePreview:
    """Effect of a resettlement if it were done now by two people. `event` brings its round along."""
    past, draft = decoded_past(event.past), Draft(house, Position(GAMES), state, at)
    if past is None:
        return ResettlePreview(event.round, 0, "no_round")
    found, why = settled_on_the_side(draft, event, past), objection(draft, event, past)
    known = (past.revision + 1, None if why in NOT_YET else why, past.outcome)
    if found.reason is not None:
        due = None if found.side is None else expected(found.side.due)
        return ResettlePreview(event.round, known[0], known[1] or found.reason, past.outcome, due=due)
    moved, currency = tuple(differences(past, found.past)), state.identity.currency
    return ResettlePreview(
        event.round, *known, found.past.outcome, moved, sum(one.difference for one in moved), currency
    )
