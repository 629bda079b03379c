"""Compose the dealer's screen of a fault or a halt: what to do with the hands, and the card at fault.

The hands lie beside it as they should, without a result: it may change. A card that was seen at a place lies there too.
"""

from msgspec import Struct

from ...core import events as e
from ...core.clock import Time, to_text
from ...core.hands import hands
from ...core.state import Fault, State
from ...text.faults import PLAYERS, Words
from ...text.naming import CardFace, face, place_name
from ...text.table_words import TableWords
from . import texts as t
from .at_fault import at_fault, read_now, slid_again, strays, unplaced
from .look import Look


class CardOutOfPlay(Struct, frozen=True):
    """Card that lies at no place of the screen. `seen`: where it was seen, if that is known; `wrong`: at fault."""

    face: CardFace
    seen: str
    wrong: bool


class Stop(Struct, frozen=True):
    """Fault, or a record that cannot be written; it fills the whole screen."""

    head: str  # what happened
    results: str  # the shoe's and the table's, if they differ
    hands: str  # what to do with the hands
    players: str  # message that players see
    since: str
    ago: str  # the time since then; blank: time
    manager: str
    loose: tuple[CardOutOfPlay, ...]
    lying: bool  # whether any card is on the table


def loose_title(state: State, words: Words) -> str:
    """Title of the cards without a place; with a fault it says what is wrong with the card."""
    code = None if state.fault is None else state.fault.code
    if read_now(state) is not None:
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
    results: str
    hands: str
    players: str
    manager: str


def _halt(words: Words) -> _Said:
    hands_ = words.say(t.HALTED_HANDS)
    return _Said(words.say(t.NOTHING_RECORDED), "", hands_, words.say(PLAYERS["program"]), words.say(t.HALTED_SINCE))


def _fault(look: Look, fault: Fault, words: Words) -> _Said:
    seen = words.say(t.MANAGER_COMES).format(name=fault.seen_by) if fault.seen_by else words.say(t.MANAGER_CALLED)
    hands_ = words.say(t.LEAVE) if slid_again(look.state) else words.hands(fault.code)
    return _Said(_head(look.state, fault, words), _results(look, fault, words), hands_, words.players(fault.code), seen)


def _head(state: State, fault: Fault, words: Words) -> str:
    """Title of the fault; names the device that is lost, and says that an unread card has been read since."""
    if read_now(state) is not None:
        return words.say(t.READ_NOW)
    if fault.code == "device_lost" and isinstance(fault.came, e.LostDevice):
        return words.say(t.DEVICE_LOST).format(device=TableWords(words).device(fault.came.device))
    return words.head(fault.code)


def _results(look: Look, fault: Fault, words: Words) -> str:
    round_ = look.state.round
    if not isinstance(fault.came, e.ShoeSays) or round_.outcome is None:
        return ""
    return TableWords(words).both_results(fault.came, round_.game, round_.outcome)


def _stop(look: Look, words: Words, said: _Said, since: Time) -> Stop:
    state, about = look.state, at_fault(look).draws
    shown = {draw.number for draws in strays(state, look.house.game).values() for draw in draws}
    loose = tuple(
        CardOutOfPlay(face(one, words), place_name(one.place, words) if one.place else "", one.number in about)
        for one in unplaced(state)
        if one.number not in shown
    )
    lying, seen = bool(loose or shown or hands(state.round)), state.fault is not None and state.fault.seen_by
    ago = words.say(t.CALLED_AGO if seen and look.halted is None else t.AGO)
    return Stop(said.head, said.results, said.hands, said.players, to_text(since), ago, said.manager, loose, lying)
