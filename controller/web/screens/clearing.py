"""Cards that the dealer must take off the table before going on.

These are the cards of a cancelled round, and exactly the cards that a ruling has burnt where they lay. Clearing is not
recorded: it ends with a touch of the page, or with the next card that is dealt.
"""

from collections.abc import Sequence
from itertools import takewhile

from ...core.hands import is_to_clear
from ...core.state import Draw, State
from ...text.faults import Words
from ...text.naming import face
from . import texts as t
from .look import Look
from .next_step import Next, between, next_step


def steps(look: Look, words: Words) -> tuple[Next, Next | None, str]:
    """Return the next step, the step after it, and a key by which a page recognises what to clear.

    The second is None unless the next step is to clear the cards of a cancelled round or burnt cards.
    """
    state = look.state
    burnt = burnt_there(state) if state.live and state.fault is None else ()
    if burnt:
        cards = ", ".join(face(draw, words).name for draw in burnt)
        known = f"{state.round.number}: {' '.join(str(draw.number) for draw in burnt)}"
        return Next(words.say(t.TAKE_OFF), cards, "deal"), next_step(look, words), known
    after = between(look, words) if is_to_clear(state) else None
    return next_step(look, words), after, str(state.round.number)


def burnt_there(state: State) -> Sequence[Draw]:
    """Burnt cards at the end of the round's draws, with no other card after them."""
    last = list(takewhile(lambda draw: draw.fate == "burnt", reversed(state.round.draws)))
    return [draw for draw in reversed(last) if draw.out]
