"""Devices that go and come back, and the disk.

Nothing starts or goes on because a device is back; a person says so.
"""

from .. import events as e
from .. import records as r
from ..draft import Draft


def lost(draft: Draft, event: e.LostDevice) -> None:
    """A device is gone. In a live round a lost shoe is a fault, a lost panel a warning unless the table is set so."""
    if event.device in draft.state.lost:
        draft.ignore(event)
        return
    draft.write(r.DeviceLost(event.device, event.reason))
    if event.device == "server" and draft.state.life == "betting":
        draft.fault("server_lost", event)  # held; after the close the round is dealt to its end
    elif draft.running and _matters(draft, event.device):
        draft.fault("device_lost", event)


def _matters(draft: Draft, device: str) -> bool:
    return device == "shoe" or (device == "panel" and draft.state.round.terms.panel_loss == "fault")


def found(draft: Draft, event: e.FoundDevice) -> None:
    """A device is there."""
    draft.write(r.DeviceFound(event.device, event.address, event.serial))


def journal_failed(draft: Draft, event: e.JournalBack) -> None:
    """Records could not be made durable for a while."""
    if draft.running:
        draft.fault("journal_failed", event)
    else:
        draft.ignore(event)
