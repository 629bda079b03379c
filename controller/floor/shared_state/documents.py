"""Documents that floors share in the bus's claims bucket: claims, assignments and the state of alarms.

STUDIO.TABLE.call      Claimed
STUDIO.TABLE.mailed    Mailed
STUDIO.assignments     a person's id by table
STUDIO.alarms          Held by the alarm's key
"""

from msgspec import Struct

from ...bus.status import Status
from ...core.coded_message import CodedMessage

Assignments = dict[str, str]


class FloorWorker(Struct, frozen=True):
    """Person of the registry who works at a floor."""

    id: str
    name: str
    role: str  # supervisor, manager, engineer, auditor


class Claimed(Struct, frozen=True):
    """Claim of a call by a person; `id` None: nobody has claimed it any more.

    `seq`: the table's last record at that time; it tells one halt (`fault` 0) from another. `since`: time of the fault,
    which is the same in each epoch that has the fault; empty: unknown to a floor of an older version, or a halt.
    """

    epoch: str
    fault: int
    seq: int
    id: str | None
    name: str = ""
    floor: str = ""
    at: str = ""
    since: str = ""


def is_of(claim: Claimed, status: Status) -> bool:
    """True if a claim is about the call that is open now."""
    fault, same_epoch = status.fault, claim.epoch == status.epoch
    if status.halted is not None:
        return same_epoch and claim.fault == 0 and claim.seq == status.seq
    if fault is None or claim.fault != fault.seq:
        return False
    return claim.since == fault.since if claim.since else same_epoch


def is_after(claim: Claimed, status: Status) -> bool:
    """True if a claim was made when the table had later records than in this status."""
    return claim.epoch == status.epoch and claim.seq > status.seq


class Mailed(Struct, frozen=True):
    """Highest level of a call for which a floor has delivered its alerts.

    `restarted`: the table's restart after which the levels were called; `offer`: the last offer to cancel that was
    reported.
    """

    epoch: str
    fault: int
    level: int
    floor: str
    at: str
    restarted: str = ""
    offer: int = 0

    def covers(self, other: "Mailed") -> bool:
        """True if this note is about the same call and says no less than the other one."""
        same = (self.epoch, self.fault) == (other.epoch, other.fault)
        ours, theirs = ((one.restarted, one.level, one.offer) for one in (self, other))
        return same and ours >= theirs


class AlarmAcknowledged(Struct, frozen=True):
    """Acknowledgement of an alarm: who has seen it, and when."""

    id: str
    name: str
    at: str


class Shelved(Struct, frozen=True):
    """Shelving of an alarm: until when it is hidden, by whom and why."""

    until: str
    id: str
    name: str
    because: str


class Held(Struct, frozen=True, omit_defaults=True):
    """Alarm, stored from when it was raised until it is over and acknowledged.

    `place`: position of the table's status in its bucket by which the cause was last judged.
    """

    since: str
    place: int = 0
    text: str = ""  # detail: a device, a count, a defect in English
    over: str | None = None  # time at which its cause ended; None: the cause exists
    acknowledged: AlarmAcknowledged | None = None
    shelved: Shelved | None = None
    message: CodedMessage | None = None  # `text` as a code with parts, if the defect has one


Alarms = dict[str, Held]
