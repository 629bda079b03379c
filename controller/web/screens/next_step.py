"""Next step of the dealer, in a few words that can be read from two metres.

It follows from the step due; without one, from the obstacles to the next round.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from ...core.decide.openings import obstacle
from ...core.decide.rounds import dealer_confirms
from ...core.decide.shoe_change import ShoeStep, has_no_shoe, shoe_step
from ...core.hands import is_to_clear
from ...rules.procedure import Ask, Bets, Deal, Reveal
from ...text import terms
from ...text.faults import Words
from ...text.keys import KEYS as LABELS
from ...text.naming import card_number, options, place_name
from . import texts as t
from .places import draws
from .table_snapshot import TableSnapshot

Tone = Literal["deal", "press", "wait", "halted"]  # handle cards; press a key; wait for somebody; no record possible


class NextStep(Struct, frozen=True):
    """Next step: headline, second line and kind of step."""

    head: str
    text: str
    tone: Tone


def next_step(snapshot: TableSnapshot, words: Words) -> NextStep:
    """Next step as shown to the dealer."""
    match snapshot.due:
        case Deal():
            return _card(snapshot, snapshot.due, words)
        case Ask():
            return _question(snapshot, snapshot.due, words)
        case Reveal(place=place):
            return _reveal(snapshot, place, words)
        case Bets():
            return NextStep(words.say(t.BETS_OPEN), words.say(t.CLOSE_SOON), "wait")
    if snapshot.live:
        return _confirm(snapshot, words)
    return _clearing_step(snapshot, words) if is_to_clear(snapshot.state) else step_between_rounds(snapshot, words)


def _card(snapshot: TableSnapshot, due: Deal, words: Words) -> NextStep:
    lying = len(snapshot.cards_by_place.get(due.to, ()))
    text = card_number(due.to, lying + 1, words)
    redraw_after = snapshot.house.game.face.redraw_after
    if redraw_after is not None and lying >= redraw_after:
        text = words.say(terms.REDRAW).format(card=text)
    if not due.face_up:
        text = words.say(terms.DOWN).format(card=text)
    return NextStep(place_name(due.to, words), text, "deal")


def announcement(snapshot: TableSnapshot, words: Words) -> str:
    """Words that the dealer says aloud at this step; empty if there are none."""
    state = snapshot.state
    match snapshot.due:
        case Bets():
            return words.say(t.SAY_BETS)
        case Deal(to=place):
            lying = len(snapshot.cards_by_place.get(place, ()))
            if draws(snapshot.house.game, place, lying):
                return words.say(t.SAY_DRAWS).format(place=place_name(place, words))
            return "" if state.round.draws else words.say(t.SAY_CLOSED)
        case Ask(who=who) if len(who) == 1 and who[0] in snapshot.house.game.places:
            return words.say(t.SAY_ASKED).format(place=place_name(who[0], words))
    return ""


def _question(snapshot: TableSnapshot, due: Ask, words: Words) -> NextStep:
    asking = snapshot.state.round.asking
    silent = due.who if asking is None else asking.undecided
    head = words.say(t.DECIDE)
    if len(due.who) == 1 and silent:
        head = place_name(silent[0], words) if silent[0] in snapshot.house.game.places else silent[0]
    return NextStep(head, options(snapshot.house.game, due.options, words), "wait")


def _reveal(snapshot: TableSnapshot, place: str, words: Words) -> NextStep:
    by_key = snapshot.state.round.terms.reveal == "dealer"
    text = t.TURN_OVER_KEY if by_key else t.TURN_OVER
    return NextStep(place_name(place, words), words.say(text), "press" if by_key else "deal")


def _confirm(snapshot: TableSnapshot, words: Words) -> NextStep:
    """Step after all cards are dealt: the result is to be confirmed."""
    if dealer_confirms(snapshot.state):
        return NextStep(words.say(t.FINISH), words.say(t.CONFIRM), "press")
    return NextStep(words.say(t.WAIT), words.say(t.SHOE_CONFIRMS), "wait")


def _clearing_step(snapshot: TableSnapshot, words: Words) -> NextStep:
    """Step after a round: the cards are to be cleared. Opening the next round is possible all the same."""
    key = KEYS.get(obstacle(snapshot.house, snapshot.state))
    text = words.say(t.THEN_PRESS).format(key=words.say(LABELS[key])) if key else ""
    return NextStep(words.say(t.CLEAR), text, "deal")


def step_between_rounds(snapshot: TableSnapshot, words: Words) -> NextStep:
    """Step between two rounds: open bets, or remove what prevents that."""
    reason = obstacle(snapshot.house, snapshot.state)
    if reason is None or reason == "paused":
        return NextStep(words.say(t.OPEN_BETS), words.say(t.NEW_ROUND), "press")
    step = shoe_step(snapshot.house, snapshot.state)
    if step is not None:
        return NextStep(words.say(t.CHANGING), words.say(t.CHANGE_NEXT[step]), HANDLED.get(step, "press"))
    lacks = has_no_shoe(snapshot.house, snapshot.state)
    head, text = t.NO_SHOE if lacks else t.OBSTACLES[reason]
    return NextStep(words.say(head), words.say(text), "press" if lacks or reason in KEYS else "wait")


KEYS: Mapping[str | None, str] = {
    None: "open",
    "not_shuffled": "shuffled",
    "cut_card_out": "change",
    "shoe_low": "change",
    "deck_suspect": "change",
}
HANDLED: Mapping[ShoeStep, Tone] = {"load": "deal", "burn": "deal"}  # steps of a shoe change without a key
