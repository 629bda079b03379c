"""Fold of what happens to rounds that are over: revisions and cases. A live round stays as it is."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from .. import records as r
from ..bounds import MOST_RESETTLE_HOURS
from ..clock import SECOND, Time, from_text
from ..state import Case, PendingResettlement, Revision, State

KEPT = MOST_RESETTLE_HOURS * 3600 * SECOND  # in older records: how long after a round's end its revision is kept


def _resettled(state: State, what: r.Resettled, record: r.Record) -> State:
    if what.is_later_part:
        return _later_part(state, what)
    number = record.round or 0
    latest = Revision(what.revision, record.seq, from_text(what.ended))
    left = {**_revisions_to_keep(state, record.at), number: latest}
    cases = tuple(case for case in state.cases if case.round != number)
    state = replace(state, revisions=left, cases=cases, resettling=_following_parts(what, record))
    if number != state.round.number or state.live:
        return state
    match what:
        case r.Resettled(now=outcome):
            return replace(state, round=replace(state.round, outcome=outcome))


def _revisions_to_keep(state: State, at: Time) -> Mapping[int, Revision]:
    """Revisions to keep. Newer records keep all: a wrong clock must not give a round two revisions 1."""
    if state.keeps_revisions:
        return state.revisions
    return {number: revision for number, revision in state.revisions.items() if at - revision.ended <= KEPT}


def _following_parts(what: r.Resettled, record: r.Record) -> PendingResettlement | None:
    """Parts that must follow this record of a resettlement; None if it has only one part."""
    if not what.rest:
        return None
    about = (record.shoe, record.dealer, record.person, record.training)
    return PendingResettlement(record.round or 0, what.round_id, replace(what, movements=()), *about)


def _later_part(state: State, what: r.Resettled) -> State:
    pending = state.resettling
    rest = pending.what.rest if pending is not None else UNSET
    if pending is None or not rest:
        return state
    left = rest[len(what.movements) :]
    after = replace(pending, what=replace(pending.what, part=what.part, rest=left)) if left else None
    return replace(state, resettling=after)


def _case_opened(state: State, what: r.CaseOpened, record: r.Record) -> State:
    round_ = state.round
    case = Case(record.seq, round_.number, what.came, record.at, round_.dealer, round_.dealer_id)
    return replace(state, cases=(*state.cases, case))


def _case_dismissed(state: State, what: r.CaseDismissed, _: r.Record) -> State:
    return replace(state, cases=tuple(case for case in state.cases if case.seq != what.case))


FOLDS: Mapping[type, Callable[[State, Any, r.Record], State]] = {
    r.Resettled: _resettled,
    r.CaseOpened: _case_opened,
    r.CaseDismissed: _case_dismissed,
}
