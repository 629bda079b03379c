"""Steps of a shoe change, as the dealer's screen shows them."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from ...core.decide.table import burn_wanted
from ...core.life import RESTING
from ...text.faults import Words
from ...text.keys import KEYS
from . import texts as t
from .look import Look

READY = {"command": "shoe", "do": "ready"}


class Step(Struct, frozen=True):
    """One step of a shoe change. `done`: None if only the dealer can say so."""

    step: str
    text: str
    done: bool | None
    label: str = ""  # of its key, where it has one
    command: Mapping[str, str] | None = None  # that is sent by it; null: the touch says that it is done, and no more
    asks: tuple[str, ...] = ()  # fields that the dealer types


def shoe_steps(look: Look, words: Words) -> tuple[Step, ...]:
    """Steps of the current shoe change; none if the shoe is not being changed."""
    state = look.state
    return tuple(_steps(look, words)) if state.life in RESTING and state.shoe.changing else ()


def _steps(look: Look, words: Words) -> Iterator[Step]:
    shoe, terms = look.state.shoe, look.house.terms
    yield Step("away", words.say(t.SHOE_AWAY), done=True)
    yield Step("cut", words.say(t.SHOE_CUT), look.cut or None, words.say(KEYS["cut"]), {"command": "shoe", "do": "cut"})
    there = "shoe" not in look.state.lost and (bool(shoe.burnt and not shoe.reading) or None)
    yield Step("in", words.say(t.SHOE_IN).format(size=look.house.deck.size), there, words.say(t.SHOE_IN_KEY))
    if terms.burn in t.SHOE_BURN:
        burnt, wanted = 0 if shoe.reading else shoe.burnt, burn_wanted(shoe, terms.burn)
        said = words.say(t.SHOE_BURN[terms.burn]).format(burnt=burnt, wanted="…" if wanted is None else wanted)
        yield Step("burn", said, done=burnt == wanted)
    if terms.count_in:
        yield Step("count", words.say(t.SHOE_COUNT), None, words.say(KEYS["ready"]), READY, tuple(t.SHOE_FIELDS))
    else:
        yield Step("ready", words.say(t.SHOE_THEN), None)
