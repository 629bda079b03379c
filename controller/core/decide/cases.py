"""Open cases: reports about a round that came after its end.

A case stays open until the round is settled anew or a shift manager dismisses it.
"""

from .. import events as e
from .. import records as r
from ..draft import Draft
from ..persons import acted_on_own
from ..state import Case, State

MOST_CASES = 100  # open at a time: they are in every checkpoint


def open_case(draft: Draft, came: e.KeyPressed | e.ShoeSays) -> bool:
    """Open a case about the round that is over, unless it is open already.

    Returns False if no round is over.
    """
    state = draft.state
    if state.live or not state.round.number or not draft.house.opens_cases:
        return False
    known = any((one.round, one.came) == (state.round.number, came) for one in state.cases)
    if not known and len(state.cases) < MOST_CASES and not state.round.terms.training:
        draft.write(r.CaseOpened(came))
    return not known


def dismiss(draft: Draft, event: e.Dismiss) -> None:
    """Dismiss an open case, or record why that is refused."""
    case = next((one for one in draft.state.cases if one.seq == event.case), None)
    if case is None:
        draft.write_about(None, r.ResettleRefused(event.by, "no_case", case=event.case))
    elif acted_on_own(event, _table_of(case)):
        draft.write_about(case.round, r.ResettleRefused(event.by, "own_round", case=event.case))
    else:
        draft.write_about(case.round, r.CaseDismissed(event.case, event.by, event.because))


def _table_of(case: Case) -> State:
    return State(dealer=case.dealer, dealer_id=case.dealer_id)
