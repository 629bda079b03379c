"""Compose the dealer's screen of a fault or a halt: what to do with the hands, and the card at fault.

The hands lie beside it as they should, without a result: it may change.
"""

from msgspec import Struct

from ...core import events as e
from ...core.clock import Time, to_text
from ...core.hands import hands
from ...core.offers import second_reading
from ...core.state import Draw, Fault, State
from ...text import terms
from ...text.faults import PLAYERS, Words
from ...text.naming import CardFace, face, place_name
from ...text.table_words import TableWords
from . import texts as t
from .look import Look
from .next_step import next_step


class PlacedCard(Struct, frozen=True):
    """Position of a card in a hand: the hand's place, and the card's index."""

    place: str
    index: int


class CardOutOfPlay(Struct, frozen=True):
    """Card without a place. `seen`: where it was seen, if that is known; `wrong`: it is the card at fault."""

    face: CardFace
    seen: str
    wrong: bool


class Stop(Struct, frozen=True):
    """Fault, or a record that cannot be written; it fills the whole screen."""

    head: str  # what happened
    hands: str  # what to do with the hands
    players: str  # message that players see
    due: str  # the expected step
    since: str
    manager: str
    loose: tuple[CardOutOfPlay, ...]
    wrong: PlacedCard | None  # the card at fault, if it lies in a hand
    seen: str | None  # place at which the card at fault was seen, if it has none
    lying: bool  # whether any card is on the table


def loose_title(state: State, words: Words) -> str:
    """Title of the cards without a place; with a fault it says what is wrong with the card."""
    code = None if state.fault is None else state.fault.code
    if _read_now(state) is not None:
        return words.say(t.LOOSE_READ_NOW)
    return words.say(t.LOOSE_AT_FAULT.get(code or "", t.LOOSE_CARDS))


def stop_of(look: Look, words: Words) -> Stop | None:
    """Return the halt, else the open fault; None if there is neither."""
    fault = look.state.fault
    if look.halted is not None:
        return _stop(look, words, _halt(words), look.halted_at)
    return None if fault is None else _stop(look, words, _fault(look, fault, words), fault.since)


class _Said(Struct, frozen=True):
    """Texts of a stop."""

    head: str
    hands: str
    players: str
    due: str
    manager: str


def _halt(words: Words) -> _Said:
    hands_ = words.say(t.HALTED_HANDS)
    halted = words.say(terms.LIVES["halted"])
    return _Said(words.say(t.NOTHING_RECORDED), hands_, words.say(PLAYERS["program"]), "", halted)


def _fault(look: Look, fault: Fault, words: Words) -> _Said:
    step = next_step(look, words) if look.state.live else None
    seen = words.say(t.MANAGER_COMES).format(name=fault.seen_by) if fault.seen_by else words.say(t.MANAGER_CALLED)
    return _Said(
        head=_head(look.state, fault, words),
        hands=_hands(look.state, fault, words),
        players=words.players(fault.code),
        due=f"{step.head} · {step.text}" if step else "",
        manager=seen,
    )


def _head(state: State, fault: Fault, words: Words) -> str:
    """Title of the fault; names the device that is lost, and says that an unread card has been read since."""
    if _read_now(state) is not None:
        return words.say(t.READ_NOW)
    if fault.code == "device_lost" and isinstance(fault.came, e.LostDevice):
        return words.say(t.DEVICE_LOST).format(device=TableWords(words).device(fault.came.device))
    return words.head(fault.code)


def _hands(state: State, fault: Fault, words: Words) -> str:
    """What to do with the hands; before it the shoe's result, if that differs from the table's."""
    if _is_slid_again(state, fault):
        return words.say(t.LEAVE)
    hands_ = words.hands(fault.code)
    if isinstance(fault.came, e.ShoeSays):
        said = words.say(t.SHOE_SAYS).format(winner=TableWords(words).winner(fault.came.winner))
        return f"{said} {hands_}"
    return hands_


def _read_now(state: State) -> Draw | None:
    """Second reading of the unread card that the open fault is about; None if there is none."""
    fault = state.fault
    if fault is None or fault.code != "unread_card" or fault.draw is None:
        return None
    return second_reading(state, fault.draw)


def _is_slid_again(state: State, fault: Fault) -> bool:
    """True if an unread card has been read since: it must not be slid a third time."""
    return fault.code == "unread_card" and fault.draw is not None and len(state.round.draws) > fault.draw


def _stop(look: Look, words: Words, said: _Said, since: Time) -> Stop:
    state = look.state
    at_fault = None if state.fault is None else state.fault.draw
    now = _read_now(state)
    shown = [one for one in state.loose if now is None or one.card is not None]  # one card, which lies there once
    loose = tuple(CardOutOfPlay(face(one, words), _seen_at(one, words), one.number == at_fault) for one in shown)
    return Stop(
        head=said.head,
        hands=said.hands,
        players=said.players,
        due=said.due,
        since=to_text(since),
        manager=said.manager,
        loose=loose,
        wrong=_placed(state, at_fault),
        seen=next((one.place for one in state.loose if one.number == at_fault), None),
        lying=bool(loose or hands(state.round)),
    )


def _seen_at(draw: Draw, words: Words) -> str:
    return place_name(draw.place, words) if draw.place else ""


def _placed(state: State, number: int | None) -> PlacedCard | None:
    """Position of the draw with this number in the hand where it lies; None if it lies in none."""
    for place, lying in hands(state.round).items():
        for index, draw in enumerate(lying):
            if draw.number == number:
                return PlacedCard(place, index)
    return None
