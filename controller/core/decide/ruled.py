"""A ruling as it is recorded, and whether the round can go on after it."""

from typing import Any

from .. import events as e
from .. import records as r
from ..draft import Draft
from ..state import Fault
from .amends import Plan, amend
from .devices import take_back
from .redrive import go_on


def amended(draft: Draft, event: e.Rule, plan: Plan, number: int | None = None) -> str | None:
    """Drive again. A ruling that was to give this draw a place must have given it one; what was to stand must fit."""
    fits = amend(draft, event, plan)
    if draft.state.life != "paused":
        return None  # the round is void
    if not fits or (number is not None and not _lies(draft, number)):
        return "does_not_fit"
    go_on(draft, confirmed=True)
    return None


def _lies(draft: Draft, number: int) -> bool:
    """Whether the draw has its place, or the ruling stands all the same."""
    return draft.state.round.draws[number - 1].fate == "placed" or _brings_out_hidden(draft, fault_of(draft))


def _brings_out_hidden(draft: Draft, fault: Fault) -> bool:
    """Whether a card on its way face down would be laid open now, and is wrong by its value: a refusal would answer a
    guess, so the ruling stands and this is what it leads to."""
    by_value = fault.code in ("foreign_card", "duplicate_card")
    return by_value and fault.draw is not None and draft.state.round.draws[fault.draw - 1].hidden


def record_ruling(
    draft: Draft,
    event: e.Rule,
    *,
    hidden: bool = False,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    plan: Plan = Plan(),  # noqa: B008 - it is frozen
) -> None:
    """What was decided, with what it changes and what becomes of what hangs on that."""
    fault = fault_of(draft)
    changed = before or {}, after or {}, hidden, event.checked
    draft.write(
        r.Ruled(
            fault.seq,
            event.ruling,
            event.by,
            event.because,
            *changed,
            touched=plan.touched,
            choice=plan.choice,
            currency=draft.currency,
            second=event.second,
            second_id=event.second_id,
        )
    )
    take_back(draft, fault, event.by)


def fault_of(draft: Draft) -> Fault:
    """The one that is ruled on."""
    fault = draft.state.fault
    assert fault is not None  # noqa: S101 - `objection` has looked
    return fault
