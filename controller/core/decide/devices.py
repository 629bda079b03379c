"""Loss and return of devices, and of the journal's disk.

A device that is back neither starts nor resumes anything; a person has to.
"""

from .. import events as e
from .. import records as r
from ..draft import Draft
from ..open_fault import Fault
from .reports import answer_reports, report


def lost(draft: Draft, event: e.LostDevice) -> None:
    """Record the loss of a device; a fault if the live round needs it."""
    if event.device in draft.state.lost:
        draft.ignore(event)
        return
    draft.write(r.DeviceLost(event.device, event.reason))
    report(draft, event)


def cut_off(draft: Draft, event: e.Babbles) -> None:
    """Cut off a device that sends more than a working one, and stop the table.

    The table accepts it again when a person takes it back.
    """
    if event.device in {one.device for one in draft.state.cut_off}:
        draft.ignore(event)
        return
    draft.write(r.DeviceCutOff(event.device, event.heard, event.seconds))
    if draft.state.life != "paused":
        fault_cut_off(draft)


def fault_cut_off(draft: Draft) -> bool:
    """Raise the fault of a device that is cut off; returns False if none is cut off."""
    for one in draft.state.cut_off[:1]:
        draft.fault("shoe_error" if one.device == "shoe" else "device_lost", one)
    return bool(draft.state.cut_off)


def take_back(draft: Draft, fault: Fault, by: str) -> None:
    """Take a cut-off device back after the ruling on its fault.

    Any ruling does that, as it shows that somebody has looked at the device.
    """
    if isinstance(fault.came, e.Babbles):
        draft.write(r.DeviceTakenBack(fault.came.device, by))


def found(draft: Draft, event: e.FoundDevice) -> None:
    """Record that a device is back; its reported loss then needs no ruling unless it is the open fault.

    A device that is cut off stays cut off.
    """
    if event.device in {one.device for one in draft.state.cut_off}:
        draft.ignore(event)
        return
    draft.write(r.DeviceFound(event.device, event.address, event.serial))
    answer_reports(draft, "found", lost=event.device)


def journal_failed(draft: Draft, event: e.JournalBack) -> None:
    """Report that records could not be written for a while: a fault in a live round."""
    if not report(draft, event):
        draft.ignore(event)
