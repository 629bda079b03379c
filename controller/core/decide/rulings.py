"""What the shift manager decides, and what becomes of the round.

The one rule: a ruling is carried out on the side and proven by driving the round again before it is recorded. One that
does not fit is refused with a reason and leaves no trace but the refusal.
"""

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from ...rules.dealing import SheetFailed
from .. import events as e
from .. import records as r
from ..came import ByRuling
from ..clock import SECOND
from ..deck_account import doubles
from ..difference import difference
from ..draft import Draft
from ..knowledge import forbids, known_too_early, told_too_early
from ..life import LIVE
from ..offers import hands_in_play, hindrance, may_extend
from ..persons import deals, needs_second, second_objection
from ..position import Unplayable
from .bets import give_back
from .card_rulings import CARD_RULINGS, Reason
from .deadlines import unruled_at
from .redrive import as_it_came, drive_again, go_on
from .rounds import void
from .ruled import fault_of, record_ruling, tell

EXTENSION = 180  # seconds
CHOOSING = frozenset({"correct", "move", "burn", "void", "carry"})  # what these affect may be dealt with otherwise


def acknowledge(draft: Draft, event: e.Acknowledge) -> None:
    """A shift manager has seen the fault."""
    fault = draft.state.fault
    reason = _not_theirs(draft, event)
    if fault is None or reason:
        draft.write(r.RulingRefused(event.fault, "acknowledge", event.by, reason or "not_paused"))
    else:
        draft.write(r.Acknowledged(fault.seq, event.by))


def rule(draft: Draft, event: e.Rule) -> None:
    """A ruling: refused, or carried out."""
    reason = objection(draft, event)
    if reason is None:
        trial = draft.aside()
        try:
            reason = _RULINGS[event.ruling](trial, event) or _against(draft, trial, event)
        except (SheetFailed, Unplayable):
            reason = "does_not_fit"
        if reason is None:
            draft.adopt(trial)
            return
    fault = event.fault or (draft.state.fault.seq if draft.state.fault else None)
    draft.write(r.RulingRefused(fault, event.ruling, event.by, reason))


def _against(draft: Draft, trial: Draft, event: e.Rule) -> Reason:
    """What speaks against what a ruling has led to. Nothing: its record says what that is."""
    if event.ruling == "extend":
        return None
    if event.checked is None and _plays_on_a_double(trial):
        return "deck_unchecked"
    if _lets_the_knowing_decide(draft, trial):
        return "knowledge"
    found = difference(trial.position, draft.state, trial.state, trial.records)
    states = draft.state, as_it_came(draft), trial.state
    if event.second is None and needs_second(trial.position, *states, trial.records, found.moved):
        return "needs_second"
    tell(trial, touched=replace(found, worth=(), moved=0), moved=found.moved)
    return None


def _plays_on_a_double(trial: Draft) -> bool:
    """Whether the round goes on though more copies of a card lie open than the deck holds: only with the manager's word
    that the deck was checked."""
    return trial.state.life in LIVE and bool(doubles(trial.state, trial.deck))


def _lets_the_knowing_decide(draft: Draft, trial: Draft) -> bool:
    """Whether play goes on against the law of knowledge, or the ruling itself has brought the round to where it cannot
    go on any more."""
    position, state = trial.position, trial.state
    if not forbids(position, state, told := told_too_early(position, draft.state, state)):
        return False
    new = {*known_too_early(position, state), *told} - {*known_too_early(position, draft.state)}
    return state.life in LIVE or bool(new) or not forbids(position, draft.state)


def objection(draft: Draft, event: e.Rule) -> Reason:
    """What speaks against a ruling before looking at the cards."""
    fault = draft.state.fault
    reason = _not_theirs(draft, event)
    if reason or fault is None:
        return reason
    if event.ruling == "extend":
        return second_objection(draft.state, event) if may_extend(draft.state) else "not_allowed"
    if event.ruling not in fault.allowed or (event.touched and event.ruling not in CHOOSING):
        return "not_allowed"
    return second_objection(draft.state, event) or hindrance(draft.state, draft.due, fault, event.ruling)


def _not_theirs(draft: Draft, event: e.Acknowledge | e.Rule) -> Reason:
    fault = draft.state.fault
    if fault is None:
        return "not_paused"
    if event.fault not in (None, fault.seq):
        return "stale_fault"
    return "own_round" if _dealt(draft, event) else None


def _dealt(draft: Draft, event: e.Acknowledge | e.Rule) -> bool:
    """Whether they deal, or dealt the round, under whatever name (GLI-19 C.6.8 i: who dealt does not approve)."""
    return deals(event.by, draft.state) or deals(event.person, draft.state)


def _resume(draft: Draft, event: e.Rule) -> Reason:
    fault = fault_of(draft)
    record_ruling(draft, event)
    drive_again(draft)
    go_on(draft, confirmed=fault.code == "result_mismatch" and draft.state.round.terms.confirm == "shoe")
    return None


def _deal(draft: Draft, event: e.Rule) -> Reason:
    record_ruling(draft, event)
    drive_again(draft)
    go_on(draft, confirmed=False)
    return None


def _void_hand(draft: Draft, event: e.Rule) -> Reason:
    """The stakes of one hand go back. The fault stays open for the ruling that ends it; only where a card was seen and
    now nobody is asked any more who could use that, play goes on."""
    fault, left = fault_of(draft), hands_in_play(draft.state.round)
    if event.place not in left:
        return "does_not_fit"
    record_ruling(draft, event, after={"hand": event.place})
    if left == [event.place]:
        void(draft, ByRuling(event.because))
        return None
    bets = [bet for bet in draft.state.round.bets.values() if (bet.spot.seat or "").split(".")[0] == event.place]
    draft.write(r.HandVoided(event.place, len(bets), sum(bet.stake for bet in bets), draft.currency))
    for bet in bets:
        give_back(draft, bet)
    if fault.code == "hidden_card_exposed" and not forbids(draft.position, draft.state):
        drive_again(draft)
        go_on(draft, confirmed=False)
    return None


def _extend(draft: Draft, event: e.Rule) -> Reason:
    """Three more minutes: the clock does not cancel before."""
    fault, terms = fault_of(draft), draft.state.round.terms if draft.state.live else draft.house.terms
    limit = max(unruled_at(fault, terms.ruling_seconds), draft.at)
    draft.write(r.Extended(fault.seq, event.by, limit + EXTENSION * SECOND, event.because))
    return None


def _cancel(draft: Draft, event: e.Rule) -> Reason:
    record_ruling(draft, event)
    void(draft, ByRuling(event.because))
    return None


_RULINGS: Mapping[str, Callable[[Draft, e.Rule], Reason]] = {
    **CARD_RULINGS,
    "resume": _resume,
    "deal": _deal,
    "void_hand": _void_hand,
    "cancel": _cancel,
    "extend": _extend,
}
