"""Open cases: reports about a round that came after its end.

A case stays open until the round is settled anew or a shift manager dismisses it.
"""

from .. import events as e
from .. import records as r
from ..draft import Draft
from ..house import House
from ..persons import is_act_on_own_round
from ..state import Case, State

MOST_CASES = 100  # open cases at a time, since every checkpoint contains them


def is_new_case(house: House, state: State, report: e.KeyPressed | e.ShoeSays) -> bool:
    """True if a report opens a case now: for the first time, after a round that was not a training round.

    At most MOST_CASES are open.
    """
    may_open = not state.round.terms.training and len(state.cases) < MOST_CASES
    return may_open and _is_over(house, state) and not _is_known(state, report)


def _is_over(house: House, state: State) -> bool:
    return not state.live and state.round.number > 0 and house.opens_cases


def open_case(draft: Draft, report: e.KeyPressed | e.ShoeSays) -> bool:
    """Open a case about the round that is over. Returns False if the report is to be recorded as ignored.

    In older records a report was dropped where no case could be opened.
    """
    if is_new_case(draft.house, draft.state, report):
        draft.write(r.CaseOpened(report))
        return True
    drops = not draft.house.records_each_report and _is_over(draft.house, draft.state)
    return drops and not _is_known(draft.state, report)


def no_case_reason(house: House, state: State, report: e.KeyPressed | e.ShoeSays) -> str | None:
    """Reason why a report after a round opens no case; None if no round was played.

    In older records there is no reason either if its case is open.
    """
    if not state.round.number:
        return None
    if _is_known(state, report):
        return "reported_already" if house.records_each_report else None
    return "in_training" if state.round.terms.training else "cases_full"


def _is_known(state: State, report: e.KeyPressed | e.ShoeSays) -> bool:
    return any((one.round, one.came) == (state.round.number, report) for one in state.cases)


def dismiss(draft: Draft, event: e.Dismiss) -> None:
    """Dismiss an open case, or record why that is refused."""
    case = next((one for one in draft.state.cases if one.seq == event.case), None)
    if case is None:
        draft.write_about(None, r.ResettleRefused(event.by, "no_case", case=event.case))
    elif is_act_on_own_round(event, _table_of(case)):
        draft.write_about(case.round, r.ResettleRefused(event.by, "own_round", case=event.case))
    else:
        draft.write_about(case.round, r.CaseDismissed(event.case, event.by, event.because))


def _table_of(case: Case) -> State:
    return State(dealer=case.dealer, dealer_id=case.dealer_id)
