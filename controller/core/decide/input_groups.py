"""Groups of inputs that are accepted or refused as a whole.

They are tried in order on a separate draft. If the table refuses one, that draft is thrown away. What is recorded then
is a `NotAll` input for each of them, so that a replay refuses them again without a trial. The input of the refused one
also keeps the window, the odds and the limit found in the trial. They cannot be computed again from the state before
the group.
"""

from collections.abc import Sequence
from typing import NamedTuple, cast

from msgspec import UNSET

from .. import events as e
from .. import records as r
from ..draft import Draft
from .bets import refuse_bet

NOT_ALL = "not_all"  # reason for the inputs of the group that would have been accepted


class GroupPart(NamedTuple):
    """One input of a group: the event and its origin."""

    event: e.Event
    origin: e.Origin | None = None


def refuse(draft: Draft, event: e.NotAll) -> None:
    """Record that an event of a refused group is refused, with its own reason code or `NOT_ALL`."""
    match event.said:
        case e.PlaceBet() as bet if event.window is not UNSET:
            about = bet.player, bet.market, bet.stake or 0, event.why or NOT_ALL, draft.currency
            draft.write(r.BetRefused(*about, event.window, event.odds, event.limit))
        case e.PlaceBet() as bet:
            refuse_bet(draft, bet, event.why or NOT_ALL)
        case e.Choose(who=who, decision=decision):
            draft.write(r.DecisionRefused(who, decision, event.why or NOT_ALL, event.limit))
        case e.Open():
            draft.write(r.StartRefused(event.why or NOT_ALL))
        case other:
            draft.ignore(other, event.why)


def refusal(records: Sequence[r.Record]) -> r.Refusal | None:
    """Return the first refusal in these records; None if their input was accepted."""
    return next((record.what for record in records if isinstance(record.what, r.Refusal)), None)


def refusal_inputs(parts: Sequence[GroupPart], wrong: int, why: r.Refusal) -> list[GroupPart]:
    """Return the inputs to record in place of a refused group.

    `wrong`: index of the input that the table refused, from 0; `why`: its refusal. The others get `NOT_ALL`.
    """
    events = [cast("e.RoundEvent", part.event) for part in parts]
    inputs = [
        _repeat_refusal(one, why) if number == wrong else e.NotAll(one, NOT_ALL) for number, one in enumerate(events)
    ]
    return [GroupPart(event, part.origin) for event, part in zip(inputs, parts, strict=True)]


def _repeat_refusal(event: e.RoundEvent, why: r.Refusal) -> e.NotAll:
    """Input that refuses an event again with the facts of its refusal."""
    match why:
        case r.BetRefused(reason=reason, window=window, odds=odds, limit=limit):
            return e.NotAll(event, reason, window, odds, limit)
        case r.DecisionRefused(reason=reason, limit=limit):
            return e.NotAll(event, reason, limit=limit)
    return e.NotAll(event, why.reason)
