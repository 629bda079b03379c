"""Decisions about the record itself: defects found, and going on after a loss.

Nothing that runs is stopped by it. A record that does not stand, or is without an anchor that it requires, keeps the
next round from opening, and nothing else.
"""

from .. import events as e
from .. import records as r
from ..draft import Draft


def checked(draft: Draft, event: e.Checked) -> None:
    """Record the result of a check of the whole record, unless it is known already."""
    known = draft.state.doubts.get(event.check)
    if event.first is None and known is not None:
        draft.write(r.RecordSound(event.check))
    elif event.first is not None and event.first != known:
        draft.write(r.RecordDamaged(event.check, event.first, event.reason, event.message))


def anchor_checked(draft: Draft, event: e.AnchorChecked) -> None:
    """Record the result of a look at the anchor, unless it is known already."""
    if event.standing == draft.state.no_anchor:
        return
    lost = r.AnchorLost(event.reason, event.standing == "required", event.message)
    draft.write(lost if event.standing else r.AnchorBack())


def witness_asked(draft: Draft, event: e.WitnessAsked) -> None:
    """Record the result of a comparison with the bus, unless it is known already."""
    if event.first is None and draft.state.unheard:
        draft.write(r.WitnessHeard())
    elif event.first is not None and not draft.state.unheard:
        draft.write(r.WitnessUnheard(event.first, event.reason, event.message))


def begin_anchor(draft: Draft, event: e.BeginAnchor) -> None:
    """Another file is the anchor from here on."""
    if draft.state.seq:
        draft.write(r.AnchorBegun(event.id, event.apart, event.by, event.because))
    else:
        draft.ignore(event)


def accept_loss(draft: Draft, event: e.AcceptLoss) -> None:
    """Begin another epoch after a loss. The numbers of records and rounds go on."""
    if draft.state.seq:
        draft.write(r.LossAccepted(event.epoch, draft.state.identity.epoch, event.lost, event.by, event.because))
    else:
        draft.ignore(event)
