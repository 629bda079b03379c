"""Decisions on inputs that share a transaction, each on the state after the one before."""

from collections.abc import Sequence

from ..core.decide import decide_all
from ..core.decide.payments import waits
from ..core.draft import Draft
from ..core.house import House
from ..core.position import Position
from ..core.state import State
from .input_queue import InputGroup


def decide_group(
    house: House, position: Position, state: State, group: Sequence[InputGroup]
) -> tuple[list[Draft], Sequence[InputGroup]]:
    """Return the drafts of these inputs, and the remaining inputs that wait for a payment.

    If one of the inputs settles a round, later inputs may have to wait until the round is paid.
    """
    drafts = list[Draft]()
    for number, one in enumerate(group):
        if drafts and must_wait(state, one):
            return drafts, group[number:]
        drafts += decide_all(house, position, state, one.parts, one.at)
        state = drafts[-1].state
    return drafts, ()


def must_wait(state: State, one: InputGroup) -> bool:
    """True if this input is decided only after the last round is paid; later inputs wait with it."""
    return state.owes and any(waits(part.event) for part in one.parts)
