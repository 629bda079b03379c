"""A past round, driven again with corrections on a draft of its own.

A correction does what the ruling of the same name does to a live round. Nobody is asked and no card is dealt: where a
card or a decision is missing, the hand or the round can only be made void. Decisions that still fit stand. Cards that
the corrected round does not need are out of play, and stay loose: the next revision may need them.
"""

from collections.abc import Callable, Mapping
from typing import Any, get_args

from msgspec import Struct
from msgspec.structs import replace

from ...rules.procedure import Ask, Bets, Deal
from .. import events as e
from ..clock import Time
from ..draft import Draft
from ..fitting import first_flaw
from ..house import House
from ..offers import seats_in_play
from ..open_fault import Fault
from ..past_round import PastRound
from ..position import Position
from ..returns import Returned, returns_by_bet
from ..state import State
from .card_rulings import CARD_RULINGS, Objection
from .payments import outcome_of
from .redrive import drive_again
from .rounds import outcome_without_void
from .ruling_effects import correct_odds
from .rulings import void_hand


class ResettlementResult(Struct, frozen=True):
    """Result of driving a past round again: the round afterwards, or the reason why it has no result."""

    past: PastRound
    side: Draft | None = None  # draft of the round as far as it was driven; None if it was made void without driving it
    hidden: tuple[int, ...] = ()  # draws named by corrections that lie face down
    reason: str | None = None


def void_result(past: PastRound) -> ResettlementResult:
    """Result of making the round void: every stake is returned. The rule sheet is not used."""
    return ResettlementResult(_with_returns(past, {}, None))


def settle_anew(house: House, position: Position, past: PastRound, event: e.Resettle, at: Time) -> ResettlementResult:
    """Drive the round again with the amendments of an event. Raises Unplayable, SheetFailed."""
    if past.round.void and not seats_in_play(past.round):
        return ResettlementResult(past, reason="no_change")  # the stakes of all its hands were returned already
    side, ended = _paused_draft(house, position, past, at), None
    before = side.state
    amendments = sorted(event.amendments, key=_turn) if house.corrects_together else event.amendments
    for left, amendment in zip(range(len(amendments) - 1, -1, -1), amendments, strict=True):
        if ended is not None and not house.corrects_together:
            return ResettlementResult(past, ended, reason="not_allowed")
        trial = side.fork()
        trial.drives = ended is None and (not left or not house.corrects_together)
        about = amendment.draw, amendment.card, amendment.place
        reason = _AMENDING[amendment.ruling](trial, e.Rule(amendment.ruling, event.by, event.because, *about))
        if reason is not None:
            return ResettlementResult(past, _drive_again(trial), reason=reason)
        if trial.state.life == "cancelled":  # its last hand is void: later corrections are checked, but have no effect
            ended = trial
        else:
            side.adopt(trial)
    named = {one.draw for one in event.amendments}
    hidden = tuple(draw.number for draw in side.state.round.draws if draw.hidden and draw.number in named)
    if ended is not None:
        return replace(void_result(_without_hands(ended, side, past)), hidden=hidden)
    if (reason := _lack(side) or _unplaced(side, event)) is not None:
        return ResettlementResult(past, side, hidden, reason)
    return ResettlementResult(_next_revision(side, past, before), side, hidden)


def _turn(amendment: e.Amendment) -> int:
    """Turn of a correction: hands are made void first, which depends on the cards; cards are moved last."""
    return {"void_hand": 0, "move": 2}.get(amendment.ruling, 1)


def _paused_draft(house: House, position: Position, past: PastRound, at: Time) -> Draft:
    """Draft of the round as if it were paused by a call of the dealer; nothing in it waits for a person."""
    round_, state = past.round, past.state
    terms = replace(round_.terms, reveal="auto", confirm="dealer")
    house = replace(house, game=position.game(round_), settings=position.settings(round_), terms=terms)
    fault = Fault(state.seq, "dealer_call", None, e.KeyPressed("manager"), get_args(e.Ruling))
    round_ = replace(round_, terms=terms)
    paused = replace(state, life="paused", paused_from=state.stage, fault=fault, round=round_)
    draft = Draft(house, position, paused, at)
    draft.is_reopened = True
    return draft


def _drive_again(side: Draft) -> Draft:
    """Drive the round again with the corrections so far."""
    side.drives = True
    drive_again(side)
    return side


def _correct(draft: Draft, event: e.Rule) -> Objection:
    """Correct a card; not refused if it is this card already, as other corrections may come with it."""
    reason = CARD_RULINGS["correct"](draft, event)
    if reason != "no_change":
        return reason
    drive_again(draft)
    return None


def _resume(draft: Draft, _: e.Rule) -> Objection:
    """Settle the round by its present cards, for example if it was cancelled after all cards were dealt."""
    drive_again(draft)
    return None


def _void_hand(draft: Draft, event: e.Rule) -> Objection:
    """Void a hand; not refused if it is void already, as other corrections may come with it."""
    known = draft.house.corrects_together and event.place in draft.state.round.void
    reason = None if known else void_hand(draft, event)
    if reason is None and draft.state.life != "cancelled":
        drive_again(draft)
    return reason


_AMENDING: Mapping[str, Callable[[Draft, e.Rule], Objection]] = {
    **{ruling: CARD_RULINGS[ruling] for ruling in ("move", "burn", "void")},
    "correct": _correct,
    "resume": _resume,
    "void_hand": _void_hand,
}


def _lack(side: Draft) -> Objection:
    """Reason why the round has no result; None if it has one."""
    due, state = side.due, side.state
    if isinstance(due, Ask):
        return "lacks_decision"
    if isinstance(due, Bets) and side.house.corrects_together:
        return "lacks_card"  # the round ended before this betting window
    if due is not None:
        return "lacks_card" if isinstance(due, Deal) and not state.loose_draws else _misfit(state)
    if side.position.outcome(state) is None:
        return "lacks_card"
    down = [draw for draw in state.round.draws if draw.fate == "placed" and draw.hidden]
    return "bad_card" if first_flaw(side, down) else None


def _unplaced(side: Draft, event: e.Resettle) -> Objection:
    """Reason against moving a card that the corrected round does not need, whatever corrections follow the move."""
    draws, moved = side.state.round.draws, [one.draw for one in event.amendments if one.ruling == "move"]
    off = any(draw.fate != "placed" for draw in draws if draw.number in moved)
    return "does_not_fit" if off and side.house.corrects_together else None


def _misfit(state: State) -> Objection:
    """Reason why a card that was dealt has no place: it cannot be this card, or it is due elsewhere."""
    wrong = state.fault is not None and state.fault.code in ("duplicate_card", "foreign_card")
    return "bad_card" if wrong else "does_not_fit"


def _next_revision(side: Draft, past: PastRound, before: State) -> PastRound:
    """Next revision of the round, after settling. Cards that it does not need stay loose for a later revision."""
    if side.house.corrects_together:
        correct_odds(side, before)
    outcome, round_ = outcome_of(side), side.state.round
    game, currency = side.position.game(round_), side.currency
    returns = returns_by_bet(game, round_, outcome, round_.bets.values(), currency)
    bets = tuple(
        replace(one, bet=round_.bets.get(one.bet.id, one.bet), gone=one.bet.id not in returns) for one in past.bets
    )
    corrected = replace(past.state.round, draws=round_.draws, script=round_.script, void=round_.void)
    corrected = replace(corrected, left_out=round_.left_out)
    state = replace(past.state, round=corrected)
    return _with_returns(replace(past, state=state, bets=bets), returns, outcome_without_void(side, outcome))


def _with_returns(past: PastRound, returns: Mapping[str, Returned], outcome: dict[str, Any] | None) -> PastRound:
    """Next revision of a round; the stake of a bet without a return goes back."""
    pairs = [(one, returns.get(one.bet.id, Returned(one.bet.stake))) for one in past.bets]
    bets = tuple(replace(one, returned=now.amount, capped=now.capped) for one, now in pairs)
    return replace(past, bets=bets, outcome=outcome, revision=past.revision + 1)


def _without_hands(ended: Draft, side: Draft, past: PastRound) -> PastRound:
    """Round whose last hand was made void: none of its bets comes into play again. `side`: with all corrections."""
    seats = () if ended.state.round.joined is None else ended.state.round.joined.seats
    round_ = replace(past.state.round, void=seats)
    if side.house.corrects_together:
        round_ = replace(round_, draws=side.state.round.draws, script=side.state.round.script)
    bets = tuple(replace(one, gone=True) for one in past.bets)
    return replace(past, state=replace(past.state, round=round_), bets=bets)
