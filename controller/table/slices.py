"""How many of many inputs are decided and written at once, so that a card which comes meanwhile does not wait long.

Writing takes longest, and hardly longer for fifty inputs than for one. How many go into a slice depends on the time
they take; what they lead to does not, as each is decided on the state after the one before.
"""

import time
from collections.abc import Sequence

from ..core.clock import Time
from ..core.decide import decide_each
from ..core.decide.together import Part
from ..core.draft import Draft
from ..core.house import House
from ..core.position import Position
from ..core.state import State

SLICE = 0.002  # seconds to decide in: with the time to write and to tell it stays under the 10 ms that a card may wait


def decide_slice(house: House, position: Position, state: State, parts: Sequence[Part], at: Time) -> list[Draft]:
    """The records of the first inputs, as many as there is time for; at least one."""
    drafts, until = list[Draft](), time.perf_counter() + SLICE
    for draft in decide_each(house, position, state, parts, at):
        drafts.append(draft)
        if time.perf_counter() > until:
            break
    return drafts
