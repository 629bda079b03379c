"""Records of sign-ins, wrong PINs and hand-overs; they change nothing at the table."""

from msgspec import UNSET

from .. import events as e
from .. import records as r
from ..draft import Draft


def signed_in(draft: Draft, event: e.SignIn) -> None:
    """Record a sign-in of a person."""
    draft.write(r.SignedIn(event.by, event.source, event.door, event.proof))


def handed_over(draft: Draft, event: e.HandOverSaid) -> None:
    """Record a hand-over between shift managers, with the open fault, missing devices and open cases."""
    state = draft.state
    fault = None if state.fault is None else state.fault.seq
    to = event.taker, event.id
    cases = tuple(case.seq for case in state.cases) if draft.house.hands_over_cases else UNSET
    draft.write(r.HandedOver(event.by, *to, event.shown, fault, tuple(sorted(state.lost)), event.note, cases))


def refused(draft: Draft, event: e.BadSignIns) -> None:
    """Record a number of wrong PINs."""
    counts = event.wrong, event.delayed, event.most, event.delay
    draft.write(r.SignInsRefused(*counts, event.people, event.sources))
