"""Carrying out a ruling: its record, affected decisions and bets, and whether play goes on.

Invariant: nothing affected is kept silently. Bets at odds computed from wrong cards are returned, or keep the lower of
both odds. Decisions based on wrong cards are asked again, and the cards that followed them, which all have seen, are
burnt. A shift manager may choose otherwise; a choice that cannot be carried out is refused.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from .. import events as e
from .. import records as r
from ..causes import ByRuling
from ..difference import prices
from ..draft import Draft
from ..open_fault import Fault
from ..records import Price, RoundDifference
from ..state import Round, State
from .bets import give_back
from .devices import take_back
from .redrive import drive_again, go_on, rewind
from .rounds import void

NOTHING = RoundDifference()
_PUT_AWAY: Mapping[str, Callable[..., r.Burnt | r.Carried | r.Voided]] = {
    "burnt": r.Burnt,
    "carried": r.Carried,
    "void": r.Voided,
}


def choices(effect: RoundDifference, wrong_odds: str) -> tuple[e.Choice, ...]:
    """Choices for the affected decisions and bets; the first is the default. Empty if nothing is affected.

    `wrong_odds`: the table's setting.
    """
    # without the right odds, a bet has no odds to keep
    stand: tuple[e.Choice, ...] = ("stand",) if all(price.right for price in effect.odds) else ()
    if effect.decisions:
        return "anew", *stand, "cancel"
    if effect.odds:
        return (*stand, "withdraw", "cancel") if wrong_odds == "lower" else ("withdraw", *stand, "cancel")
    return ()


def carry_out_ruling(
    draft: Draft, event: e.Rule, effect: RoundDifference = NOTHING, number: int | None = None
) -> str | None:
    """Carry out the ruling's choice and drive the round again. Returns the refusal reason, or None.

    `effect`: the decisions that the ruling affects; `number`: a draw that must have a place afterwards.
    """
    if not (draft.is_reopened and draft.house.corrects_together):
        effect = replace(effect, odds=prices(draft.position, draft.began, _state_if_anew(draft, effect)))
    offered = choices(effect, draft.state.round.terms.wrong_odds)
    if event.touched not in (None, *offered) and (offered or event.touched != "stand"):
        return "not_allowed"
    choice = _choice(draft, event, offered)
    if choice == "anew" and draft.is_reopened:
        return "does_not_fit"
    add_to_ruling(draft, touched=effect, choice=choice)
    if choice == "cancel":
        void(draft, ByRuling(event.because))
        return None
    _carry_out(draft, draft.began.round, effect, choice)
    drive_again(draft)
    if choice == "stand" and _withdrawn(draft) and not draft.is_reopened:
        return "knowledge" if effect.cards else "does_not_fit"
    if number is not None and draft.drives and not _has_place(draft, number):
        return "does_not_fit"
    go_on(draft, confirmed=True)
    return None


def _choice(draft: Draft, event: e.Rule, offered: Sequence[e.Choice]) -> e.Choice | None:
    """Choice that is carried out; None if there is none. Nobody can be asked in a round that is over."""
    if not offered:
        return None
    usual = "stand" if draft.is_reopened and offered[0] == "anew" and "stand" in offered else offered[0]
    return event.touched or usual


def correct_odds(draft: Draft, before: State) -> None:
    """Return or reprice, as the table is set, the bets of a past round whose odds its corrections make wrong.

    `before`: the round without any of the corrections, which count together.
    """
    round_ = draft.state.round
    for price in prices(draft.position, replace(before, round=replace(before.round, bets=round_.bets)), draft.state):
        _reprice(draft, price, lower=round_.terms.wrong_odds == "lower")


def _state_if_anew(draft: Draft, effect: RoundDifference) -> State:
    """State of the cards after the ruling, if it is made with the choice `anew`."""
    trial = draft.fork()
    _carry_out(trial, draft.began.round, effect, "anew")
    drive_again(trial)
    return trial.state


def _carry_out(draft: Draft, before: Round, effect: RoundDifference, choice: e.Choice | None) -> None:
    lower = choice == "stand" or (choice == "anew" and before.terms.wrong_odds == "lower")
    for price in effect.odds:
        _reprice(draft, price, lower=lower)
    if choice == "anew" and effect.answers is not None:
        _ask_anew(draft, before, effect)


def _reprice(draft: Draft, price: Price, *, lower: bool) -> None:
    """Return bets taken at wrong odds, or set them to the lower of the odds taken and the right odds."""
    for name in price.bets:
        bet = draft.state.round.bets[name]
        if price.right is None or not lower:
            give_back(draft, bet)
        elif (odds := min(bet.taken or price.was, price.right, key=Fraction)) != price.was:
            about = (bet.id, bet.player, str(bet.spot), bet.stake)
            draft.write(r.BetRepriced(*about, price.was, odds, draft.currency))


def _ask_anew(draft: Draft, before: Round, effect: RoundDifference) -> None:
    entries = [entry for entry in before.script[: effect.answers] if entry in draft.state.round.script]
    rewind(draft, len(entries))
    for number in effect.cards:
        record_fate(draft, number, "burnt")


def record_fate(draft: Draft, number: int, fate: str) -> None:
    """Record a draw's final fate (carried, burnt, void) with the number of the ruling."""
    draw = draft.state.round.draws[number - 1]
    draft.write(_PUT_AWAY[fate](number, draw.card, draw.hidden, draft.ruling))


def _withdrawn(draft: Draft) -> bool:
    return any(isinstance(record.what, r.Rewound) and record.what.decisions for record in draft.records)


def _has_place(draft: Draft, number: int) -> bool:
    """True if the draw has a place, or the ruling is accepted although the draw has none.

    That is so if driving the round again stopped at an earlier card, or if a refusal would reveal a hidden card.
    """
    fault, placed = fault_of(draft), draft.state.round.draws[number - 1].fate == "placed"
    earlier = fault.seq > draft.started and fault.draw is not None and fault.draw < number
    return placed or earlier or _brings_out_hidden(draft, fault)


def _brings_out_hidden(draft: Draft, fault: Fault) -> bool:
    """True if the new fault is a hidden card with a wrong value.

    A refusal would confirm a guess, so the ruling stands and the fault follows.
    """
    by_value = fault.code in ("foreign_card", "duplicate_card")
    return by_value and fault.draw is not None and draft.state.round.draws[fault.draw - 1].hidden


def record_ruling(
    draft: Draft,
    event: e.Rule,
    *,
    hidden: bool = False,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    """Record the ruling and its change of a draw. Its effects are added by `add_to_ruling` once they are known."""
    fault = fault_of(draft)
    changed = before or {}, after or {}, hidden, event.checked
    about = (fault.seq, event.ruling, event.by, event.because)
    second, second_id = event.second, event.second_id
    draft.write(r.Ruled(*about, *changed, currency=draft.currency, second=second, second_id=second_id))
    take_back(draft, fault, event.by)


def add_to_ruling(draft: Draft, **more: Any) -> None:  # noqa: ANN401 - fields of the record
    """Set further fields of the ruling's record. No state depends on them."""
    place, record = next((n, one) for n, one in enumerate(draft.records) if isinstance(one.what, r.Ruled))
    draft.records[place] = replace(record, what=replace(record.what, **more))


def fault_of(draft: Draft) -> Fault:
    """Open fault, where there always is one: of a ruling or of a limit that ran out."""
    fault = draft.state.fault
    assert fault is not None  # noqa: S101 - `objection` or `_limits` has looked
    return fault
