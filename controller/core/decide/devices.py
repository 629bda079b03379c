"""Devices that go and come back, and the disk.

Nothing starts or goes on because a device is back; a person says so.
"""

from .. import events as e
from .. import records as r
from ..draft import Draft
from .reports import answer_reports, report


def lost(draft: Draft, event: e.LostDevice) -> None:
    """A device is gone: where the round cannot do without it, a fault."""
    if event.device in draft.state.lost:
        draft.ignore(event)
        return
    draft.write(r.DeviceLost(event.device, event.reason))
    report(draft, event)


def found(draft: Draft, event: e.FoundDevice) -> None:
    """A device is there. That it was gone needs no ruling any more, where nobody has come to it yet."""
    draft.write(r.DeviceFound(event.device, event.address, event.serial))
    answer_reports(draft, "found", lost=event.device)


def journal_failed(draft: Draft, event: e.JournalBack) -> None:
    """Records could not be made durable for a while."""
    if not report(draft, event):
        draft.ignore(event)
