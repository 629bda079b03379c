"""Order of the alerts for one fault: its levels, the levels after a restart of the table, each offer to cancel.

The order is that of the table's own alerts: a restart calls all further levels anew, an offer calls level 1 again.
"""

from typing import NamedTuple

from ...bus.status import OpenCall, Status
from ..shared_state.documents import AlertNote, is_about


class FaultAlert(NamedTuple):
    """Alert for one fault. `called`: level whose targets get it; the fields behind it are as in `AlertNote`."""

    table: str
    epoch: str
    fault: int
    called: int
    restarted: str
    level: int
    offer: int
    since: str

    @property
    def is_repeated(self) -> bool:
        """True if the fault has had an alert before."""
        return self.level > 1 or self.offer > 0


def next_alert(status: Status, fault: OpenCall, *noted: AlertNote | None) -> FaultAlert | None:
    """Return the next alert for a table's open fault; None if all are sent. `noted`: notes of sent alerts."""
    own = [one for one in noted if one is not None and is_about(one, status.epoch, fault.seq, fault.since)]
    level = max((one.level if one.restarted == fault.restarted else min(one.level, 1) for one in own), default=0)
    offer = max((one.offer for one in own), default=0)
    about = status.table, status.epoch, fault.seq
    if level <= fault.calls:
        return FaultAlert(*about, level + 1, fault.restarted, level + 1, offer, fault.since)
    if offer < fault.offer:
        return FaultAlert(*about, 1, fault.restarted, level, fault.offer, fault.since)
    return None
