"""Compose the dealer's screen during a fault or a halt: what the dealer must do, and the card at fault.

The hands are shown as they should lie, without a result, because the result may change. A stray card is shown at the
place where it was seen.
"""

from msgspec import Struct

from ...core import events as e
from ...core.clock import Time, to_text
from ...core.open_fault import Fault
from ...core.state import State
from ...text.faults import Words
from ...text.naming import CardFace, face, place_name
from ...text.table_words import TableWords
from . import texts as t
from .at_fault import at_fault, fault_title, has_come, has_come_late, has_slid_again, strays, unplaced_cards
from .player import message_while_stopped
from .table_snapshot import TableSnapshot


class CardOutOfPlay(Struct, frozen=True):
    """Card that lies at no place of the screen. `seen`: where it was seen, if that is known; `wrong`: at fault."""

    face: CardFace
    seen: str
    wrong: bool


class StopScreen(Struct, frozen=True):
    """Fault, or a record that cannot be written; it fills the whole screen."""

    head: str  # what happened
    results: str  # result of the shoe and result of the table, if they differ
    hands: str  # what the dealer must do with the cards
    players: str  # message that players see
    since: str
    ago: str  # text for the time since `since`, with the blank `time`
    manager: str
    loose: tuple[CardOutOfPlay, ...]
    lying: bool  # True: cards lie on the table
    lay: bool = False  # True: the dealer must lay the card without a place apart now


def loose_title(state: State, words: Words) -> str:
    """Title of the cards without a place; with a fault it says what is wrong with the card."""
    code = None if state.fault is None else state.fault.code
    if has_come(state):
        return words.say(t.LOOSE_READ_NOW)
    return words.say(t.LOOSE_AT_FAULT.get(code or "", t.LOOSE_NEXT if has_cards_to_deal(state) else t.LOOSE_CARDS))


def has_cards_to_deal(state: State) -> bool:
    """True if all cards without a place came in the pause and were read: the ruling that ends the pause deals them."""
    if state.fault is None or state.fault.rulings == ("cancel",):
        return False
    loose = state.loose_draws
    return bool(loose) and all(draw.card is not None for draw in loose)


def is_to_be_laid(state: State) -> bool:
    """True if the dealer is to slide an unread card once more and to lay it apart."""
    return state.fault is not None and state.fault.code == "unread_card" and not has_slid_again(state)


def card_title(state: State, words: Words) -> str:
    """Title of the cards without a place, for the dealer: where to lay an unread card, else what is wrong."""
    return words.say(t.LAY_IT_APART) if is_to_be_laid(state) else loose_title(state, words)


def stop_of(snapshot: TableSnapshot, words: Words) -> StopScreen | None:
    """Return the halt, else the open fault; None if there is neither."""
    fault = snapshot.state.fault
    if snapshot.halted is not None:
        return _stop(snapshot, words, _halt(words), snapshot.halted_at)
    return None if fault is None else _stop(snapshot, words, _fault(snapshot, fault, words), fault.since)


class _StopTexts(Struct, frozen=True):
    """Texts of a stop."""

    head: str
    results: str
    hands: str
    manager: str


def _halt(words: Words) -> _StopTexts:
    hands_ = words.say(t.HALTED_HANDS)
    return _StopTexts(words.say(t.NOTHING_RECORDED), "", hands_, words.say(t.HALTED_SINCE))


def _fault(snapshot: TableSnapshot, fault: Fault, words: Words) -> _StopTexts:
    manager = words.say(t.MANAGER_COMES).format(name=fault.seen_by) if fault.seen_by else words.say(t.MANAGER_CALLED)
    hands_ = (
        words.say(t.LEAVE)
        if has_slid_again(snapshot.state) or has_come_late(snapshot.state)
        else words.hands(fault.code)
    )
    return _StopTexts(_head(snapshot.state, fault, words), _results(snapshot, fault, words), hands_, manager)


def _head(state: State, fault: Fault, words: Words) -> str:
    """Title of the fault, with what it is about, or the key."""
    title = fault_title(state, fault, words)
    if not title and fault.code == "missing_card" and isinstance(fault.came, e.KeyPressed):
        return words.say(t.FINISHED_EARLY)
    return title or words.head(fault.code)


def _results(snapshot: TableSnapshot, fault: Fault, words: Words) -> str:
    round_ = snapshot.state.round
    if not isinstance(fault.came, e.ShoeSays) or round_.outcome is None:
        return ""
    return TableWords(words).both_results(fault.came, round_.game, round_.outcome)


def _stop(snapshot: TableSnapshot, words: Words, wording: _StopTexts, since: Time) -> StopScreen:
    state, about = snapshot.state, at_fault(snapshot).draws
    shown = {draw.number for draws in strays(snapshot).values() for draw in draws}
    loose = tuple(
        CardOutOfPlay(face(one, words), place_name(one.place, words) if one.place else "", one.number in about)
        for one in unplaced_cards(state)
        if one.number not in shown
    )
    lying, manager = bool(loose or shown or snapshot.cards_by_place), state.fault is not None and state.fault.seen_by
    ago = words.say(t.CALLED_AGO if manager and snapshot.halted is None else t.AGO)
    texts = (
        wording.head,
        wording.results,
        wording.hands,
        message_while_stopped(snapshot, words),
        to_text(since),
        ago,
        wording.manager,
    )
    return StopScreen(*texts, loose, lying, snapshot.halted is None and is_to_be_laid(state))
