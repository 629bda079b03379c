"""Marks on the table for the open fault: the cards it is about, and the place at which a card is due.

Dealers and shift managers see these marks on their screens. Players do not.
"""

from collections.abc import Mapping
from itertools import chain

from msgspec import Struct

from ...core import events as e
from ...core.offers import second_reading
from ...core.open_fault import Fault
from ...core.state import Draw, State
from ...rules.procedure import SECOND, Deal, Step
from ...text.faults import Words
from ...text.naming import card_sign, place_name
from ...text.table_words import TableWords
from . import manager_texts as m
from . import texts as t
from .card_signs import card_sentence, sign
from .table_snapshot import TableSnapshot


class AtFault(Struct, frozen=True):
    """Marks on the table. `draws`: numbers of the cards that the fault is about."""

    draws: frozenset[int] = frozenset()
    alike: frozenset[int] = frozenset()  # numbers of a duplicate's other copies
    strays: Mapping[str, tuple[Draw, ...]] = {}  # cards that lie at a place and do not belong to its hand
    due: Step | None = None  # the step that the fault waits for, if the dealer may do it
    notes: Mapping[str, str] = {}  # note at a place, in English


NOTHING = AtFault()


def at_fault(snapshot: TableSnapshot) -> AtFault:
    """Return the marks of a table; none without a fault."""
    state, fault = snapshot.state, snapshot.state.fault
    if fault is None:
        return NOTHING
    note = t.DUE_AT_FAULT.get(fault.code)
    about, alike, elsewhere = _fault_draws(snapshot, fault), _other_copies(state, fault), strays(snapshot)
    exposed = _face_down_cards(snapshot) if fault.code == "hidden_card_exposed" else {}
    notes = {**_fallen(state, fault), **{place: t.ONE_OF_THESE for place, cards in exposed.items() if len(cards) > 1}}
    if note is None or snapshot.halted is not None or has_come_late(state):
        return AtFault(about, alike, elsewhere, notes=notes)
    due = {snapshot.due.to: note} if isinstance(snapshot.due, Deal) else {}
    return AtFault(about, alike, elsewhere, snapshot.due if fault.code == "stalled" else None, due)


def _fallen(state: State, fault: Fault) -> Mapping[str, str]:
    """Note at the place of the card that may have fallen off the table; empty for other faults."""
    draw = None if fault.code != "card_dropped" or fault.draw is None else state.round.draws[fault.draw - 1]
    return {} if draw is None or draw.place is None else {draw.place: t.FALLEN}


def _face_down_cards(snapshot: TableSnapshot) -> Mapping[str, list[int]]:
    """Numbers of the cards that lie face down, by place; not those that the sheet itself burns."""
    places, lying = snapshot.house.game.places, snapshot.cards_by_place.items()
    return {place: [draw.number for draw in draws if draw.hidden] for place, draws in lying if place in places}


def strays(snapshot: TableSnapshot) -> Mapping[str, tuple[Draw, ...]]:
    """Cards without a place in the round, by the place at which they were seen; only places that the screens show."""
    places, draws = snapshot.house.game.places, dict[str, tuple[Draw, ...]]()
    for draw in unplaced_cards(snapshot.state):
        if draw.place in places and (not draw.place.endswith(SECOND) or draw.place in snapshot.cards_by_place):
            draws[draw.place] = (*draws.get(draw.place, ()), draw)
    return draws


def unplaced_cards(state: State) -> list[Draw]:
    """Cards without a place in the round; a card that was slid twice is listed once."""
    if not has_slid_again(state) or state.fault is None:
        return list(state.loose_draws)
    first = 0 if second_reading_at_fault(state) is not None else state.fault.draw or 0
    return [draw for draw in state.loose_draws if draw.card is not None or draw.number <= first]


def second_reading_at_fault(state: State) -> Draw | None:
    """Second reading of the unread card that the open fault is about; None if there is none."""
    fault = state.fault
    if fault is None or fault.code != "unread_card" or fault.draw is None:
        return None
    return second_reading(state, fault.draw)


def title_and_text(snapshot: TableSnapshot, fault: Fault, words: TableWords) -> tuple[str, str]:
    """Title of the open fault as a shift manager reads it, and the sentence that says what the fault is."""
    title = fault_title(snapshot.state, fault, words.words) or words.words.manager_title(fault.code)
    return title, _describe_fault(snapshot, fault, words)


def fault_title(state: State, fault: Fault, words: Words) -> str:
    """Title of a fault with its device, card or place, or with a card read since; empty: use the general title."""
    if read_late(state):
        return words.say(t.CAME_LATE)
    if has_slid_again(state):
        return words.say(t.STILL_UNREAD if second_reading_at_fault(state) is None else t.READ_AGAIN)
    if fault.code == "stalled" and isinstance(fault.due, Deal):
        return words.say(t.NONE_YET).format(place=place_name(fault.due.to, words))
    if fault.code == "wrong_place" and isinstance(cause := fault.visible_cause, e.CardOut) and cause.place == e.OUTSIDE:
        return words.say(t.OUT_OF_GAME)
    if fault.code == "device_lost" and isinstance(cause := fault.visible_cause, e.LostDevice):
        return words.say(t.DEVICE_LOST).format(device=TableWords(words).device(cause.device))
    if isinstance(cause := fault.visible_cause, e.Babbles):
        return words.say(t.DEVICE_CUT_OFF).format(device=TableWords(words).device(cause.device))
    if fault.code == "duplicate_card" and isinstance(cause := fault.visible_cause, e.CardOut) and cause.card:
        return words.say(t.CAME_TOO_OFTEN).format(card=card_sign(cause.card))
    return ""


def _describe_fault(snapshot: TableSnapshot, fault: Fault, words: TableWords) -> str:
    outcome, cause = snapshot.state.round.outcome, fault.visible_cause
    if has_come(snapshot.state) or has_slid_again(snapshot.state):
        return _second_reading_sentence(snapshot.state, words.due_step(fault.due), words)
    if isinstance(cause, e.ShoeSays) and outcome is not None:
        return words.both_results(cause, snapshot.state.round.game, outcome)
    return words.fault(fault.code, fault.due, cause)


def _second_reading_sentence(state: State, expected: str, words: TableWords) -> str:
    """Sentence on the card that was slid again after an unread one, or that was read late after a missing one."""
    again = second_reading_at_fault(state)
    if has_slid_again(state) and again is None:
        return words.say(m.UNREAD_AGAIN).format(expected=expected)
    text, card = m.READ_LATE if again is None else m.READ_AGAIN, sign(again or state.loose_draws[-1], state)
    return card_sentence(text, card, words, expected=expected)


def has_come_late(state: State) -> bool:
    """True if a card left the shoe after the fault that a card is missing: the dealer must not deal a second one."""
    return state.fault is not None and state.fault.code in ("stalled", "missing_card") and bool(state.loose_draws)


def read_late(state: State) -> bool:
    """True if the missing card has left the shoe since the fault and was read: play continues with this card."""
    return has_come_late(state) and state.loose_draws[-1].card is not None


def has_come(state: State) -> bool:
    """True if the card that was unread or missing has been read since the fault: at a second slide, or late."""
    return second_reading_at_fault(state) is not None or read_late(state)


def text_code(state: State, fault: Fault) -> str:
    """Code under which the texts of rulings are found: the fault's, or after such a card `late_card`, `slid_again`."""
    return "late_card" if read_late(state) else "slid_again" if has_slid_again(state) else fault.code


def has_slid_again(state: State) -> bool:
    """True if a card has left the shoe after the unread one of the open fault: there is no third slide."""
    fault = state.fault
    if fault is None or fault.code != "unread_card" or fault.draw is None:
        return False
    return len(state.round.draws) > fault.draw


def _fault_draws(snapshot: TableSnapshot, fault: Fault) -> frozenset[int]:
    """Numbers of the cards that the fault is about; if a face-down card was exposed, all face-down cards."""
    if fault.draw is not None:
        return frozenset({fault.draw})
    if fault.code == "hidden_card_exposed":
        return frozenset(chain.from_iterable(_face_down_cards(snapshot).values()))
    return frozenset()


def _other_copies(state: State, fault: Fault) -> frozenset[int]:
    """Numbers of the other copies of a duplicate on the table; none if the duplicate lies face down."""
    draws = state.round.draws
    card = draws[fault.draw - 1].visible_card if fault.code == "duplicate_card" and fault.draw is not None else None
    if card is None:
        return frozenset()
    placed = (draw.number for draw in draws if draw.visible_card == card and draw.fate == "placed")
    return frozenset(placed) - {fault.draw or 0}
