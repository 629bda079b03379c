"""Decisions about the journal itself: defects found, and continuing after a loss.

None of them stops a live round. A damaged journal, or the loss of a required anchor, only prevents the next round from
opening.
"""

from .. import events as e
from .. import records as r
from ..draft import Draft


def checked(draft: Draft, event: e.Checked) -> None:
    """Record the result of a check of the whole journal, unless it is known already."""
    doubt = draft.state.doubts.get(event.check)
    if event.first is None and doubt is not None:
        draft.write(r.RecordSound(event.check))
    elif event.first is not None and event.first != doubt:
        draft.write(r.RecordDamaged(event.check, event.first, event.reason, event.message))


def anchor_checked(draft: Draft, event: e.AnchorChecked) -> None:
    """Record the result of a check of the anchor, unless it is known already."""
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
    """Record that another file is the anchor from here on; ignored in an empty journal."""
    if draft.state.seq:
        draft.write(r.AnchorBegun(event.id, event.apart, event.by, event.because))
    else:
        draft.ignore(event)


def accept_loss(draft: Draft, event: e.AcceptLoss) -> None:
    """Begin another epoch after a loss; ignored in an empty journal. Records and rounds keep their numbering."""
    if draft.state.seq:
        draft.write(r.LossAccepted(event.epoch, draft.state.identity.epoch, event.lost, event.by, event.because))
    else:
        draft.ignore(event)
