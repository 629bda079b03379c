"""Deadlines: close betting, take defaults, report a missing card, escalate an unanswered fault.

The time limits of a round stop while it is paused; those of a fault run during the pause.
"""

from collections.abc import Callable, Iterator

from ...rules.procedure import Deal
from .. import events as e
from .. import records as r
from ..causes import NoCard, NoRuling, NoServer
from ..clock import SECOND, Time
from ..draft import Draft
from ..house import Terms
from ..known_returns import face_down_draws, returns
from ..open_fault import RulingLimit
from .decisions import decide_for_the_silent
from .redrive import state_without_ruling
from .rounds import close_window, void
from .ruling_effects import fault_of

Action = Callable[[Draft], None]


def expire(draft: Draft) -> None:
    """Record all deadlines that ran out before the event's time, each dated when it was due."""
    now = draft.at
    while (limit := next_limit(draft)) is not None and limit[0] <= now:
        draft.at, act = max(limit[0], draft.state.at), limit[1]
        draft.given = e.Input(e.Tick(), draft.at)
        act(draft)
    draft.at = now


def next_limit(draft: Draft) -> tuple[Time, Action] | None:
    """Next deadline and the action for it; None if no deadline is open."""
    return min(_limits(draft), key=lambda limit: limit[0], default=None)


def _limits(draft: Draft) -> Iterator[tuple[Time, Action]]:
    state = draft.state
    if state.deadline is not None:
        yield state.deadline, _close if state.life == "betting" else decide_for_the_silent
    if state.dealing_since is not None and isinstance(draft.due, Deal):
        yield state.dealing_since + state.round.terms.stall_seconds * SECOND, _stall
    if state.fault is not None:
        terms = state.terms(draft.house.terms)
        if (call := state.fault.next_call(terms.acknowledge_seconds)) is not None:
            yield call, _escalate
        yield from _ruling_limits(draft, terms)


def limit_without_ruling(draft: Draft) -> RulingLimit | None:
    """Time at which the clock cancels the round if nobody rules; if it never does, time at which it offers that.

    None if the clock does neither any more, or no fault is open.
    """
    if draft.state.fault is None:
        return None
    limits = _ruling_limits(draft, draft.state.terms(draft.house.terms))
    acts: list[RulingLimit] = [(at, "offer" if act is _offer else "cancel") for at, act in limits]
    return min(acts, key=lambda limit: (limit[1] == "offer", limit[0]), default=None)


def _ruling_limits(draft: Draft, terms: Terms) -> Iterator[tuple[Time, Action]]:
    fault = fault_of(draft)
    if not fault.offered and "cancel" in fault.rulings:
        act = _cancel if terms.unruled == "cancel" and _may_cancel(draft, terms) else _offer
        yield fault.unruled_at(terms.ruling_seconds), act
    if fault.code == "server_lost" and "server" in draft.state.lost and _may_cancel(draft, terms):
        yield fault.unruled_at(terms.server_seconds), _cancel_unserved


def _may_cancel(draft: Draft, terms: Terms) -> bool:
    """True if the clock may cancel the round.

    It has no result, also not with the cards that came in the pause, and its stakes, also those that rulings have
    returned, are so low that one person may rule alone.
    """
    at_stake = draft.state.round.bets.total + sum(draft.state.round.returned.values())
    if terms.second_above is not None and at_stake > terms.second_above:
        return False
    return draft.position.outcome(draft.state) is None and not _completes_with_loose_cards(draft)


def _completes_with_loose_cards(draft: Draft) -> bool:
    """True if the round, with every bet, would have a result with the pause's cards laid on the expected places."""
    if not draft.state.loose_draws:
        return False
    state = state_without_ruling(draft.fork())
    if not state.round.bets:
        return draft.house.keeps_rounds_without_bets and draft.position.outcome(state) is not None
    return None not in returns(draft.position, state, face_down_draws(draft.state)).values()


def _close(draft: Draft) -> None:
    close_window(draft, "clock")


def _stall(draft: Draft) -> None:
    draft.fault("stalled", NoCard(draft.state.round.terms.stall_seconds))


def _escalate(draft: Draft) -> None:
    fault = fault_of(draft)
    draft.write(r.Escalated(fault.seq, fault.escalations + 2))


def _offer(draft: Draft) -> None:
    draft.write(r.Escalated(fault_of(draft).seq, None))


def _cancel(draft: Draft) -> None:
    void(draft, NoRuling(draft.state.round.terms.ruling_seconds))


def _cancel_unserved(draft: Draft) -> None:
    void(draft, NoServer())
