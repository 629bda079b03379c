"""Resettlement of past rounds; a live round is not changed by it.

A resettlement of more than `House.slice` bets is recorded in parts, as a large book is paid. The first part is decided
at once and holds the results of all parts; each tick records the next one. So recording continues after a restart.
"""

from collections.abc import Iterator
from math import ceil
from typing import Any, NamedTuple

from msgspec import UNSET
from msgspec.structs import replace

from ...rules.dealing import SheetFailed
from .. import events as e
from .. import records as r
from ..clock import SECOND, Time, to_text
from ..draft import Draft
from ..house import House
from ..past_round import PastRound, decode_past
from ..persons import is_act_on_own_round, second_objection
from ..position import Position, Unplayable
from ..state import State
from .card_rulings import Objection
from .reopened_rounds import ResettlementResult, settle_anew, void_result

HOUR = 3600 * SECOND


class ComputedResettlement(NamedTuple):
    """Computed resettlement, before it is known who confirms it. `rest`: differences for later parts."""

    past: PastRound
    found: ResettlementResult
    movements: tuple[r.BetDifference, ...] = ()
    rest: tuple[r.LaterDifference, ...] = ()


def resettle(draft: Draft, event: e.Resettle) -> None:
    """Settle a past round anew, or record why that is refused."""
    prepared = draft.position.take_prepared(event)
    result = prepared if isinstance(prepared, ComputedResettlement) else None
    past = decode_past(event.past) if result is None else result.past
    if past is None:
        draft.write_about(None, r.ResettleRefused(event.by, "no_round", asked=event.round))
        return
    reason = objection(draft, event, past)
    if reason is None:
        result = result or work_out(draft, event, past)
        reason = result.found.reason
    if reason is not None or result is None:
        draft.write_about(
            event.round, r.ResettleRefused(event.by, str(reason), revision_of(draft.state, past)), past.state
        )
        return
    draft.write_about(event.round, _first_part(draft, event, result), past.state)


def _first_part(draft: Draft, event: e.Resettle, result: ComputedResettlement) -> r.Resettled:
    past, after, before = result.past, result.found.past, draft.state.revisions.get(event.round)
    hidden = result.found.hidden
    return r.Resettled(
        after.revision, past.outcome, after.outcome, result.movements, event.by, event.second or "",
        event.because, event.amendments, to_text(past.ended), draft.currency, event.second_id, bool(hidden),
        hidden if hidden and draft.house.corrects_together else UNSET,
        None if before is None else before.seq, *_parts(draft, result.rest),
    )  # fmt: skip


def _parts(draft: Draft, rest: tuple[r.LaterDifference, ...]) -> tuple[Any, ...]:
    """Fields `part`, `parts` and `rest` of the first part's record; empty if there is only one part."""
    return (1, 1 + ceil(len(rest) / draft.house.slice), rest) if rest else ()


def resettle_on(draft: Draft) -> None:
    """Record the next part of a resettlement. No rule sheet is called: the first part has decided it."""
    pending = draft.state.resettling
    if pending is None or not pending.what.rest:
        return
    what, size = pending.what, draft.house.slice
    movements = tuple(one.difference(pending.round_id, what.revision) for one in (what.rest or ())[:size])
    draft.actor = what.by, pending.person
    draft.write_about(pending.round, replace(what, movements=movements, part=(what.part or 1) + 1, rest=UNSET), pending)


def work_out_event(house: House, position: Position, event: e.Resettle, at: Time) -> ComputedResettlement | None:
    """Work out an event before the table decides on it; None if it does not contain its past round."""
    past = decode_past(event.past)
    return None if past is None else work_out(Draft(house, position, State(), at), event, past)


def work_out(draft: Draft, event: e.Resettle, past: PastRound) -> ComputedResettlement:
    """Work out a resettlement: the corrected round and each bet's difference. It depends on no live round."""
    result = compute_result(draft, event, past)
    if result.reason is not None:
        return ComputedResettlement(past, result)
    every = tuple(differences(past, result.past))
    size = draft.house.slice if draft.house.resettles_in_parts else len(every)
    return ComputedResettlement(past, result, every[:size], tuple(map(r.LaterDifference.of, every[size:])))


def compute_result(draft: Draft, event: e.Resettle, past: PastRound) -> ResettlementResult:
    """Result of the corrections; with the reason `no_change` if nothing would change."""
    result = try_corrections(draft, event, past)
    same = not past.differs_from(result.past)
    if not draft.house.corrects_together:
        same = replace(result.past, revision=past.revision) == past
    return replace(result, reason="no_change") if same and result.reason is None else result


def try_corrections(draft: Draft, event: e.Resettle, past: PastRound) -> ResettlementResult:
    """Result of the corrections alone, without a check of who makes them.

    The reason is `other_rules` if this version of the rule sheet cannot drive the round again.
    """
    if [one.ruling for one in event.amendments] == ["cancel"]:
        return void_result(past)
    if not event.amendments or any(one.ruling == "cancel" for one in event.amendments):
        return ResettlementResult(past, reason="not_allowed")
    try:
        return settle_anew(draft.house, draft.position, past, event, draft.at)
    except (Unplayable, SheetFailed):
        return ResettlementResult(past, reason="other_rules")


def differences(past: PastRound, after: PastRound) -> Iterator[r.BetDifference]:
    """Difference of each bet of the round, also where it is zero."""
    for was, now in zip(past.bets, after.bets, strict=True):
        bet, amounts = was.bet, (was.returned, now.returned, now.returned - was.returned)
        name = f"{bet.id}.r{after.revision}"
        yield r.BetDifference(name, bet.id, bet.player, str(bet.spot), bet.stake, *amounts, now.capped or UNSET)


def revision_of(state: State, past: PastRound) -> int:
    """Latest revision of the round. It may be newer than the round as it was read (`past`)."""
    revision = state.revisions.get(past.state.round.number)
    return past.revision if revision is None else revision.number


def objection(draft: Draft, event: e.Resettle, past: PastRound) -> Objection:
    """Reason against a resettlement that can be found without the cards; None if there is none."""
    latest = revision_of(draft.state, past)
    if past.revision != latest or event.revision not in (None, latest):
        return "stale_revision"
    if is_act_on_own_round(event, past.state):
        return "own_round"
    if event.second is None:
        return "needs_second"
    if is_too_late(draft, past):
        return "too_late"
    return second_objection(past.state, event)


def is_too_late(draft: Draft, past: PastRound) -> bool:
    """True if the round has been over for longer than the table lets it be settled anew."""
    return draft.at > past.ended + draft.house.terms.resettle_hours * HOUR
