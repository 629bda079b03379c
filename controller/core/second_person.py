"""A second person for what gives back much money: where the table is set so, a round at which more than an amount is
staked is void by a ruling only with a second shift manager, who is somebody else and has not dealt it either.

That they are who they say, and a shift manager, is shown at the door (their own PIN), as it is of the first. What the
clock voids, because nobody has ruled in time, is no ruling and needs neither.
"""

from . import events as e
from .persons import deals, is_like
from .state import State


def is_needed(state: State) -> bool:
    """Whether the round that is on is void by a ruling with a second person alone."""
    limit = state.round.terms.second_above
    return limit is not None and state.round.bets.total > limit


def objection(state: State, event: e.Rule) -> str | None:
    """What speaks against the second person that a ruling names, needed or not."""
    seconds = [name for name in (event.second, event.second_id) if name is not None]
    if any(is_like(second, first) for second in seconds for first in (event.by, event.person)):
        return "same_person"
    return "own_round" if any(deals(second, state) for second in seconds) else None
