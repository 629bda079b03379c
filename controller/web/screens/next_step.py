"""Next step of the dealer, in a few words that can be read from two metres.

It follows from the step due; without one, from the obstacles to the next round.
"""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from ...core.decide.openings import obstacle
from ...core.decide.rounds import dealer_confirms
from ...core.decide.shoe_change import has_no_shoe, shoe_step
from ...core.hands import hands, is_to_clear
from ...rules.procedure import Ask, Bets, Deal, Reveal
from ...text import terms
from ...text.faults import Words
from ...text.keys import KEYS as LABELS
from ...text.naming import card_number, options, place_name
from . import texts as t
from .look import Look
from .places import draws

Tone = Literal["deal", "press", "wait", "halted"]  # handle cards; press a key; wait for somebody; no record possible


class Next(Struct, frozen=True):
    """Next step: headline, second line and kind of step."""

    head: str
    text: str
    tone: Tone


def next_step(look: Look, words: Words) -> Next:
    """Next step as shown to the dealer."""
    match look.due:
        case Deal():
            return _card(look, look.due, words)
        case Ask():
            return _question(look, look.due, words)
        case Reveal(place=place):
            return _reveal(look, place, words)
        case Bets():
            return Next(words.say(t.BETS_OPEN), words.say(t.CLOSE_SOON), "wait")
    if look.state.live:
        return _confirm(look, words)
    return _clear(look, words) if is_to_clear(look.state) else between(look, words)


def _card(look: Look, due: Deal, words: Words) -> Next:
    lying = len(hands(look.state.round).get(due.to, ()))
    text = card_number(due.to, lying + 1, words)
    redraw_after = look.house.game.face.redraw_after
    if redraw_after is not None and lying >= redraw_after:
        text = words.say(terms.REDRAW).format(card=text)
    if not due.face_up:
        text = words.say(terms.DOWN).format(card=text)
    return Next(place_name(due.to, words), text, "deal")


def announced(look: Look, words: Words) -> str:
    """Words that the dealer says aloud at this step; empty if there are none."""
    state = look.state
    match look.due:
        case Bets():
            return words.say(t.SAY_BETS)
        case Deal(to=place):
            lying = len(hands(state.round).get(place, ()))
            if draws(look.house.game, place, lying):
                return words.say(t.SAY_DRAWS).format(place=place_name(place, words))
            return "" if state.round.draws else words.say(t.SAY_CLOSED)
        case Ask(who=who) if len(who) == 1 and who[0] in look.house.game.places:
            return words.say(t.SAY_ASKED).format(place=place_name(who[0], words))
    return ""


def _question(look: Look, due: Ask, words: Words) -> Next:
    asking = look.state.round.asking
    silent = [who for who in due.who if asking is None or who not in asking.decided]
    head = words.say(t.DECIDE)
    if len(due.who) == 1 and silent:
        head = place_name(silent[0], words) if silent[0] in look.house.game.places else silent[0]
    return Next(head, options(look.house.game, due.options, words), "wait")


def _reveal(look: Look, place: str, words: Words) -> Next:
    by_key = look.state.round.terms.reveal == "dealer"
    text = t.TURN_OVER_KEY if by_key else t.TURN_OVER
    return Next(place_name(place, words), words.say(text), "press" if by_key else "deal")


def _confirm(look: Look, words: Words) -> Next:
    """Step after all cards are dealt: the result is to be confirmed."""
    if dealer_confirms(look.state):
        return Next(words.say(t.FINISH), words.say(t.CONFIRM), "press")
    return Next(words.say(t.WAIT), words.say(t.SHOE_CONFIRMS), "wait")


def _clear(look: Look, words: Words) -> Next:
    """Step after a round: the cards are to be cleared. Opening the next round is possible all the same."""
    key = KEYS.get(obstacle(look.house, look.state))
    text = words.say(t.THEN_PRESS).format(key=words.say(LABELS[key])) if key else ""
    return Next(words.say(t.CLEAR), text, "deal")


def between(look: Look, words: Words) -> Next:
    """Step between two rounds: open bets, or remove what prevents that."""
    reason = obstacle(look.house, look.state)
    if reason is None or reason == "paused":
        return Next(words.say(t.OPEN_BETS), words.say(t.NEW_ROUND), "press")
    step = shoe_step(look.house, look.state)
    why = t.NO_SHOE if has_no_shoe(look.house, look.state) else t.OBSTACLES[reason]
    head, text = why if step is None else (t.CHANGING, t.CHANGE_NEXT[step])
    return Next(words.say(head), words.say(text), "press" if reason in PRESSED else "wait")


KEYS: Mapping[str | None, str] = {
    None: "open",
    "not_shuffled": "shuffled",
    "cut_card_out": "change",
    "shoe_low": "change",
    "deck_suspect": "change",
}
PRESSED = frozenset({"not_shuffled", "cut_card_out", "shoe_low", "deck_suspect", "shoe_missing"})
