"""Work that is decided slice by slice, so that no card waits for all of it.

A large book is paid in slices, and a large resettlement is recorded in slices. Each tick decides on one slice, payments
first.
"""

from .. import events as e
from ..draft import Draft
from .payments import pay_next, waits
from .resettlements import resettle_on


def tick(draft: Draft, _: e.Tick) -> None:
    """Decide on the next slice, unless a deadline ran out: its records have their own tick as input."""
    if not draft.records:
        _decide_next(draft)


def finish_before(draft: Draft, event: e.Event) -> None:
    """Decide on all slices that must be recorded before this event, each with a tick as its input."""
    while (draft.state.owes and waits(event)) or (draft.state.resettling and isinstance(event, e.Resettle)):
        draft.given = e.Input(e.Tick(), draft.at)
        _decide_next(draft)


def _decide_next(draft: Draft) -> None:
    if draft.state.owes:
        pay_next(draft)
    else:
        resettle_on(draft)
