"""Rulings of the shift manager and their effect on the round.

Invariant: a ruling is tried on a second draft by driving the round again before it is recorded. A ruling that does not
fit is refused with a reason and leaves only the refusal in the record.
"""

from collections.abc import Callable, Mapping

from msgspec import UNSET
from msgspec.structs import replace

from ...rules.dealing import OutOfOrder, SheetFailed
from ...rules.procedure import seat_of
from .. import events as e
from .. import records as r
from ..blind import possible_state
from ..causes import ByRuling
from ..clock import SECOND
from ..difference import difference
from ..draft import Draft
from ..knowledge import draws_known_too_early, draws_revealed_too_early, forbids
from ..life import LIVE
from ..offers import hindrance, may_extend, seats_in_play
from ..persons import is_act_on_own_round, needs_second, second_objection
from ..position import Unplayable
from ..records import RoundDifference
from ..state import State
from .bets import give_back
from .card_rulings import CARD_RULINGS, Objection
from .deadlines import limit_without_ruling
from .redrive import drive_again, go_on, state_without_ruling
from .rounds import void
from .ruling_effects import add_to_ruling, fault_of, record_ruling

EXTENSION = 180  # seconds
CHOOSING = frozenset({"correct", "move", "burn", "void", "carry"})  # rulings with a choice for what they affect


def acknowledge(draft: Draft, event: e.Acknowledge) -> None:
    """Record that a shift manager has seen the fault, or refuse it."""
    fault = draft.state.fault
    reason = _objection_to_act(draft, event)
    if fault is None or reason:
        draft.write(r.RulingRefused(event.fault, "acknowledge", event.by, reason or "not_paused"))
    else:
        again = True if fault.seen_by is not None and draft.house.marks_repeated_acknowledgements else UNSET
        draft.write(r.Acknowledged(fault.seq, event.by, again))


def rule(draft: Draft, event: e.Rule) -> None:
    """Carry out a ruling, or record why it is refused."""
    reason = objection(draft, event)
    if reason is None:
        trial = draft.fork()
        try:
            reason = _RULINGS[event.ruling](trial, event) or _objection_after_trial(draft, trial, event)
        except (SheetFailed, Unplayable):
            reason = "does_not_fit"
        if reason is None:
            draft.adopt(trial)
            return
    fault = event.fault or (draft.state.fault.seq if draft.state.fault else None)
    draft.write(r.RulingRefused(fault, event.ruling, event.by, reason))


def _objection_after_trial(draft: Draft, trial: Draft, event: e.Rule) -> Objection:
    """Reason against a ruling that was tried; if there is none, None, and its record then has its effects."""
    if event.ruling == "extend":
        return None
    blind = _try_blind(draft, trial, event)
    if _lets_the_knowing_decide(draft, trial):
        return "knowledge"
    if blind is not None and blind[1] is not trial and _lets_the_knowing_decide(*blind):
        return "knowledge"
    if event.checked is None and _plays_on_a_double(trial):  # a card that was face down may be one of the doubles
        return "deck_unchecked"
    measured = _measure_difference(draft, trial)
    if event.second is None and blind is not None and draft.state.round.terms.second_above is not None:
        before, after = blind
        baseline, effect = measured if after is trial else _measure_difference(before, after)
        if needs_second(after.position, before.state, baseline, after.state, after.records, effect.moved):
            return "needs_second"
    _, effect = measured
    add_to_ruling(trial, touched=replace(effect, moved=0), moved=effect.moved)
    return None


def _measure_difference(draft: Draft, trial: Draft) -> tuple[State, RoundDifference]:
    """State that the pause would lead to without a ruling, and the difference that the ruling makes."""
    baseline = state_without_ruling(draft.fork())
    return baseline, difference(trial.position, draft.state, baseline, trial.state, trial.records)


def _try_blind(draft: Draft, trial: Draft, event: e.Rule) -> tuple[Draft, Draft] | None:
    """Try the ruling with other cards in place of the hidden ones, as a refusal could reveal their values.

    Returns the table as it is and after the ruling; None if the ruling fits no such table.
    """
    state = possible_state(draft.position, draft.state)
    if state is draft.state:
        return draft, trial
    blind = draft.at_state(state)
    trial = blind.fork()
    try:
        return (blind, trial) if _RULINGS[event.ruling](trial, event) is None else None
    except (SheetFailed, Unplayable):
        return None


def _plays_on_a_double(trial: Draft) -> bool:
    """True if the round goes on although more copies of a card lie open than the deck holds.

    Only a manager's statement that the deck was checked allows that.
    """
    return trial.state.life in LIVE and bool(trial.doubles)


def _lets_the_knowing_decide(draft: Draft, trial: Draft) -> bool:
    """True if somebody who has seen a hidden card could still decide because of this ruling."""
    position, state = trial.position, trial.state
    if not forbids(position, state, draws := draws_revealed_too_early(position, draft.state, state)):
        return False
    new = {*draws_known_too_early(position, state), *draws} - {*draws_known_too_early(position, draft.state)}
    return state.life in LIVE or bool(new) or not forbids(position, draft.state)


def objection(draft: Draft, event: e.Rule) -> Objection:
    """Reason against a ruling that can be found without trying it; None if there is none."""
    fault = draft.state.fault
    reason = _objection_to_act(draft, event)
    if reason or fault is None:
        return reason
    if event.touched and event.ruling not in CHOOSING:
        return "not_allowed"
    if event.ruling == "extend":
        return second_objection(draft.state, event) if may_extend(draft.state) else "not_allowed"
    if event.ruling not in fault.allowed_rulings:
        return "not_allowed"
    now, after_slides = draft.state, draft.house.enters_after_slides
    return second_objection(now, event) or hindrance(now, draft.due, fault, event.ruling, after_slides=after_slides)


def _objection_to_act(draft: Draft, event: e.Acknowledge | e.Rule) -> Objection:
    fault = draft.state.fault
    if fault is None:
        return "not_paused"
    if event.fault not in (None, fault.seq):
        return "stale_fault"
    return "own_round" if is_act_on_own_round(event, draft.state) else None


def _resume(draft: Draft, event: e.Rule) -> Objection:
    fault = fault_of(draft)
    record_ruling(draft, event)
    drive_again(draft)
    go_on(draft, confirmed=fault.code == "result_mismatch" and draft.state.round.terms.confirm == "shoe")
    return None


def _deal(draft: Draft, event: e.Rule) -> Objection:
    record_ruling(draft, event)
    drive_again(draft)
    go_on(draft, confirmed=False)
    return None


def void_hand(draft: Draft, event: e.Rule) -> Objection:
    """Ruling `void_hand`: return the stakes of one hand.

    The fault stays open. Only after an exposed card play goes on, if nobody who could use that card is asked any more.
    """
    fault, left = fault_of(draft), seats_in_play(draft.state.round)
    if event.place not in left:
        return "does_not_fit"
    record_ruling(draft, event, after={"hand": event.place})
    if left == [event.place]:
        void(draft, ByRuling(event.because))
        return None
    bets = [bet for bet in draft.state.round.bets.values() if seat_of(bet.spot.seat or "") == event.place]
    left_out = _fits_without(draft, event.place) or UNSET
    draft.write(r.HandVoided(event.place, len(bets), sum(bet.stake for bet in bets), draft.currency, left_out))
    for bet in bets:
        give_back(draft, bet)
    if fault.code == "hidden_card_exposed" and not forbids(draft.position, draft.state):
        drive_again(draft)
        go_on(draft, confirmed=False)
    return None


def _fits_without(draft: Draft, place: str) -> bool:
    """True if the rule sheet can leave this hand out: no card on the table was dealt only against it."""
    if not draft.house.leaves_out_void_hands:
        return False
    round_ = draft.state.round
    try:
        draft.position.drive_copy(replace(round_, left_out=(*round_.left_out, place)))
    except OutOfOrder as end:
        return draft.is_reopened and end.due is None  # cards after the end of the round are out of play then
    return True


def _extend(draft: Draft, event: e.Rule) -> Objection:
    """Ruling `extend`: give EXTENSION seconds more before the clock cancels."""
    fault, terms = fault_of(draft), draft.state.terms(draft.house.terms)
    limit = limit_without_ruling(draft) if draft.house.waits_for_server else None
    at = fault.unruled_at(terms.ruling_seconds) if limit is None else limit[0]
    draft.write(r.Extended(fault.seq, event.by, max(at, draft.at) + EXTENSION * SECOND, event.because))
    return None


def _cancel(draft: Draft, event: e.Rule) -> Objection:
    record_ruling(draft, event)
    void(draft, ByRuling(event.because))
    return None


_RULINGS: Mapping[str, Callable[[Draft, e.Rule], Objection]] = {
    **CARD_RULINGS,
    "resume": _resume,
    "deal": _deal,
    "void_hand": void_hand,
    "cancel": _cancel,
    "extend": _extend,
}
