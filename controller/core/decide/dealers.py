"""Changes of the dealer: between rounds only, never within one.

A dealer who leaves during a round stays until it is over.
"""

from .. import events as e
from .. import records as r
from ..draft import Draft
from ..life import RESTING


def dealer_on(draft: Draft, event: e.DealerOn) -> None:
    """Change the dealer from the next round on; None signs the dealer off."""
    if draft.state.life in RESTING:
        _change(draft, event.dealer, event.id or draft.id_of(event.dealer), event.by)
    else:
        draft.ignore(event)


def leave(draft: Draft, event: e.Leave) -> None:
    """Sign the dealer off between rounds; during a round, record that the dealer leaves after it."""
    if draft.state.dealer is None:
        draft.ignore(event, "no_dealer")
    elif draft.state.life in RESTING:
        _change(draft, None, None, None if event.by == "dealer" else event.by)
    elif draft.state.leaving:
        draft.ignore(event, "leaving_already")
    else:
        draft.write(r.DealerLeaving(event.by))


def relieve(draft: Draft) -> None:
    """Sign off the dealer who waits to leave, once no round is live."""
    if draft.state.leaving and draft.state.life in RESTING:
        _change(draft, None, None, None)


def _change(draft: Draft, to: str | None, id_: str | None, by: str | None) -> None:
    draft.write(r.DealerChanged(to, id_, draft.state.dealer, by))
