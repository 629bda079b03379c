"""What the open fault is about, where it lies on the table: its cards, and the place whose card is due.

The screens of dealers and shift managers mark it there. Players see nothing of it.
"""

from collections.abc import Mapping
from itertools import chain

from msgspec import Struct

from ...core.hands import SECOND, hands
from ...core.offers import second_reading
from ...core.state import Draw, Fault, State
from ...core.withheld import seen
from ...rules.game import Game
from ...rules.procedure import Deal, Step
from ...text.faults import Words
from . import texts as t
from .look import Look


class AtFault(Struct, frozen=True):
    """Marks on the table. `draws`: numbers of the cards that the fault is about."""

    draws: frozenset[int] = frozenset()
    alike: frozenset[int] = frozenset()  # numbers of a duplicate's other copies
    strays: Mapping[str, tuple[Draw, ...]] = {}  # cards that lie at a place and do not belong to its hand
    due: Step | None = None  # the step that the fault waits for
    notes: Mapping[str, str] = {}  # what is said of a place, in English


NOTHING = AtFault()


def at_fault(look: Look) -> AtFault:
    """Return the marks of a table; none without a fault."""
    state, fault = look.state, look.state.fault
    if fault is None:
        return NOTHING
    game, note = look.house.game, t.DUE_AT_FAULT.get(fault.code)
    about, alike, elsewhere = _about(state, fault, game), _alike(state, fault), strays(state, game)
    exposed = _hiding(state, game) if fault.code == "hidden_card_exposed" else {}
    notes = {place: t.ONE_OF_THESE for place, hidden in exposed.items() if len(hidden) > 1}
    if note is None or look.halted is not None:
        return AtFault(about, alike, elsewhere, notes=notes)
    due = {look.due.to: note} if isinstance(look.due, Deal) else {}
    return AtFault(about, alike, elsewhere, look.due, due)


def _hiding(state: State, game: Game) -> Mapping[str, list[int]]:
    """Numbers of the cards that lie face down, by place; not those that the sheet itself burns."""
    lying = hands(state.round).items()
    return {place: [draw.number for draw in draws if draw.hidden] for place, draws in lying if place in game.places}


def strays(state: State, game: Game) -> Mapping[str, tuple[Draw, ...]]:
    """Cards without a place in the round, by the place at which they were seen; only places that the screens show."""
    lying, found = hands(state.round), dict[str, tuple[Draw, ...]]()
    for draw in unplaced(state):
        if draw.place in game.places and (not draw.place.endswith(SECOND) or draw.place in lying):
            found[draw.place] = (*found.get(draw.place, ()), draw)
    return found


def unplaced(state: State) -> list[Draw]:
    """Cards without a place in the round; one that has been read at its second slide is there once."""
    read = read_now(state)
    return [draw for draw in state.loose if read is None or draw.card is not None]


def read_now(state: State) -> Draw | None:
    """Second reading of the unread card that the open fault is about; None if there is none."""
    fault = state.fault
    if fault is None or fault.code != "unread_card" or fault.draw is None:
        return None
    return second_reading(state, fault.draw)


def called_for(state: State, fault: Fault, words: Words) -> str:
    """Title of the open fault as a shift manager reads it; an unread card may have been read since."""
    return words.called_for(fault.code) if read_now(state) is None else words.say(t.READ_NOW)


def slid_again(state: State) -> bool:
    """True if a card has come after the unread one that the open fault is about: that is not slid a third time."""
    fault = state.fault
    if fault is None or fault.code != "unread_card" or fault.draw is None:
        return False
    return len(state.round.draws) > fault.draw


def _about(state: State, fault: Fault, game: Game) -> frozenset[int]:
    """Numbers of the draws; for a face-down card that was seen all that lie so."""
    if fault.draw is not None:
        return frozenset({fault.draw})
    if fault.code == "hidden_card_exposed":
        return frozenset(chain.from_iterable(_hiding(state, game).values()))
    return frozenset()


def _alike(state: State, fault: Fault) -> frozenset[int]:
    """Numbers of the other copies of a duplicate on the table; none if the duplicate lies face down."""
    draws = state.round.draws
    card = seen(draws[fault.draw - 1]) if fault.code == "duplicate_card" and fault.draw is not None else None
    if card is None:
        return frozenset()
    placed = (draw.number for draw in draws if seen(draw) == card and draw.fate == "placed")
    return frozenset(placed) - {fault.draw or 0}
