"""What the dealer is to take off the table before going on: the cards of a cancelled round, and exactly those that a
ruling has burnt where they lay.

None of it is in the record: a touch of the page says that it is done, and so does the next card that is dealt.
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
    """The next step; where that is to clear something, what comes then; and by what a page knows it again."""
    state = look.state
    burnt = burnt_there(state) if state.live and state.fault is None else ()
    if burnt:
        cards = ", ".join(face(draw, words).name for draw in burnt)
        known = f"{state.round.number}: {' '.join(str(draw.number) for draw in burnt)}"
        return Next(words.say(t.TAKE_OFF), cards, "deal"), next_step(look, words), known
    after = between(look, words) if is_to_clear(state) else None
    return next_step(look, words), after, str(state.round.number)


def burnt_there(state: State) -> Sequence[Draw]:
    """Cards of the round that have left the shoe and are out of play, after which no other has come."""
    last = list(takewhile(lambda draw: draw.fate == "burnt", reversed(state.round.draws)))
    return [draw for draw in reversed(last) if draw.out]
