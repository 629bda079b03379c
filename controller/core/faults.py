"""What is due where a fault comes, and what may be ruled on it then.

What an entry of the catalogue allows is only ever narrowed by the moment: nothing is offered that could
not be carried out then.
"""

from collections.abc import Collection

from ..rules.procedure import Bets, Deal, Step
from .came import Due, Finish
from .fault_catalogue import CATALOGUE
from .life import LIVE
from .state import State


def rulings(
    state: State, code: str, due: Step | None, *, carry: bool, without: Collection[str] = ()
) -> tuple[str, ...]:
    """The rulings that make sense for a fault raised now. `carry`: the table lets a card open the next round."""
    entry = CATALOGUE[code]
    possible = {
        "enter": isinstance(due, Deal | Bets),  # not once a decision or a reveal is due, or nothing
        "carry": carry and state.carried is None,  # one card can open the next round
    }
    allowed = entry.rulings if state.live else entry.at_rest or entry.rulings
    return tuple(ruling for ruling in allowed if possible.get(ruling, True) and ruling not in without)


def due_of(state: State, step: Step | None) -> Due:
    """What should come: the step due; where none is, the confirmation of a live round's result."""
    life = state.paused_from if state.life == "paused" else state.life
    return step or (Finish() if life in LIVE else None)
