"""Due step and possible rulings of a fault while it is open.

A fault's rulings are a subset of its catalogue entry. Which of them can be made now is computed by `offers`.
"""

from collections.abc import Collection

from ..rules.procedure import Step
from .causes import Due, Finish
from .fault_catalogue import CATALOGUE
from .state import State


def rulings(state: State, code: str, *, carry: bool, without: Collection[str] = ()) -> tuple[str, ...]:
    """Rulings that a fault raised now allows.

    `carry`: the table lets a card open the next round; `without`: rulings to leave out.
    """
    entry = CATALOGUE[code]
    barred = {
        *without,
        *(() if carry and state.carried is None else ("carry",)),
    }  # only one card can open the next round
    if state.round.joined is None or not state.round.joined.seats:
        barred.add("void_hand")  # no hand decides for itself
    allowed = entry.rulings if state.live else entry.at_rest or entry.rulings
    return tuple(ruling for ruling in allowed if ruling not in barred)


def due_of(state: State, step: Step | None) -> Due:
    """Return the step due, or the confirmation due for a live round's result; None at rest."""
    return step or (Finish() if state.live else None)
