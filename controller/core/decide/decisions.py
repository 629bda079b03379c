"""Decision windows: decisions, refusals, and defaults for participants who stay silent.

A lost connection changes nothing here. "Casino Hold'em", DISCONNECTION, and "32 Card", RTP: "all decisions will
proceed as the default"; after the close "the game will proceed as normal". Neither sheet withdraws a decision, or
shortens the time in which the connection may come back. So a decision that arrives in the player's name counts, the
window stays open as long as for everybody, and a player who is silent at its end gets the default.

A decision that is late, for another player's hand or not among the options changes nothing; the answer has the reason.
"""

from msgspec import UNSET

from .. import events as e
from .. import records as r
from ..draft import Draft
from ..stake_sums import exceeded_limit
from .bets import follow_on
from .exposures import warn_of_exposure
from .rounds import progress


def choose(draft: Draft, event: e.Choose) -> None:
    """Handle a decision: accept it, or record its refusal."""
    reason = refusal(draft, event)
    if reason:
        limit = _exceeded_limit(draft, event) if reason == "limit_reached" else None
        draft.write(r.DecisionRefused(event.who, event.decision, reason, limit or UNSET))
        return
    record_decision(draft, event.who, event.decision, "player")
    progress(draft)


def refusal(draft: Draft, event: e.Choose) -> str | None:
    """Reason code for which a decision is refused; None if it is accepted."""
    asking = draft.state.round.asking
    if draft.state.life != "deciding" or asking is None:
        return "too_late" if event.who in draft.state.round.silent else "not_asked"
    if event.question not in (None, asking.seq):
        return "other_question"
    if event.who not in asking.who:
        return "not_yours"
    if event.who in asking.decided:
        return "not_asked"
    if event.decision not in asking.options:
        return "not_allowed"
    staked = follow_on(draft, event.who, event.decision)
    if staked is not None and not staked[1].stake:
        return "nothing_to_stake"
    return "limit_reached" if _exceeded_limit(draft, event) else None


def _exceeded_limit(draft: Draft, event: e.Choose) -> r.ReachedLimit | None:
    """Maximum that the stake of a decision would exceed; None if it keeps all limits.

    None also for a decision that no limit may refuse: its stake was counted with the bet that it belongs to.
    """
    staked = follow_on(draft, event.who, event.decision)
    if staked is None or event.decision not in draft.house.game.refusable:
        return None
    return exceeded_limit(draft.house.game, draft.state.round, staked[1])


def decide_for_the_silent(draft: Draft) -> None:
    """Record the game's default, decided by the table, for everybody who is silent at the deadline."""
    asking = draft.state.round.asking
    assert asking is not None  # noqa: S101 - a deadline outside betting is a decision window's
    for who in asking.who:
        if who not in asking.decided:
            record_decision(draft, who, asking.default, "table")
    progress(draft)


def record_decision(draft: Draft, who: str, decision: str, by: str) -> None:
    """Record one decision, with the additional stake that it needs."""
    staked = follow_on(draft, who, decision)
    if staked is None:
        draft.write(r.Decided(who, decision, by))
    else:
        bet = staked[1]
        draft.write(r.Decided(who, decision, by, bet.player, str(bet.spot), bet.stake, bet.id, draft.currency))
        warn_of_exposure(draft)
