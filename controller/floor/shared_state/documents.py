"""Documents that floors share in the bus's claims bucket: claims, assignments and the state of alarms.

STUDIO.TABLE.call      CallClaim
STUDIO.TABLE.mailed    AlertNote
STUDIO.assignments     id of a person, by table
STUDIO.alarms          HeldAlarm, by the alarm's key
"""

from msgspec import Struct, field

from ...bus.status import Status
from ...core.coded_message import CodedMessage

Assignments = dict[str, str]


class FloorWorker(Struct, frozen=True):
    """Person of the registry who works at a floor."""

    id: str
    name: str
    role: str  # supervisor, manager, engineer, auditor


class CallClaim(Struct, frozen=True):
    """Claim of a call by a person; `id` None: nobody has claimed it any more.

    `seq`: number of the table's last record at that time, which distinguishes halts (`fault` 0). `since`: time of the
    fault.
    """

    epoch: str
    fault: int
    seq: int
    id: str | None
    name: str = ""
    floor: str = ""
    at: str = ""
    since: str = ""


def is_of_open_call(claim: CallClaim, status: Status) -> bool:
    """True if a claim is about the call that is open now."""
    if status.halted is not None:
        return claim.epoch == status.epoch and claim.fault == 0 and claim.seq == status.seq
    return status.fault is not None and is_about(claim, status.epoch, status.fault.seq, status.fault.since)


def is_newer_than(claim: CallClaim, status: Status) -> bool:
    """True if a claim was made when the table had more records than in this status."""
    return claim.epoch == status.epoch and claim.seq > status.seq


class AlertNote(Struct, frozen=True):
    """Highest level of a call for which a floor has delivered its alerts.

    `restarted`: the table's restart after which the levels were called; `offer`: the last offer to cancel that was
    reported; `since`: time of the fault.
    """

    epoch: str
    fault: int
    level: int
    floor: str
    at: str
    restarted: str = ""
    offer: int = 0
    since: str = ""

    def covers(self, other: "AlertNote") -> bool:
        """True if this note is about the same call and says no less than the other one."""
        ours, theirs = ((one.restarted, one.level, one.offer) for one in (self, other))
        return is_about(self, other.epoch, other.fault, other.since) and ours >= theirs


def is_about(note: CallClaim | AlertNote, epoch: str, fault: int, since: str) -> bool:
    """True if a claim or note is about this fault: by its time, which is the same in each epoch that has the fault.

    A note without a time, from a floor of an older version, is about the fault of its epoch.
    """
    return note.fault == fault and (note.since == since if note.since else note.epoch == epoch)


class AlarmAcknowledgement(Struct, frozen=True):
    """Acknowledgement of an alarm: who has seen it, and when."""

    id: str
    name: str
    at: str


class Shelving(Struct, frozen=True):
    """Shelving of an alarm: until when it is hidden, by whom and why."""

    until: str
    id: str
    name: str
    because: str


class HeldAlarm(Struct, frozen=True, omit_defaults=True):
    """Alarm, stored from when it was raised until it is over and acknowledged.

    `seq`: sequence number in the bucket of the table's status by which the cause was last judged.
    """

    since: str
    seq: int = field(default=0, name="place")  # floors of earlier versions read `place`
    text: str = ""  # detail: a device, a count, a defect in English
    over: str | None = None  # time at which its cause ended; None: the cause exists
    acknowledged: AlarmAcknowledgement | None = None
    shelved: Shelving | None = None
    message: CodedMessage | None = None  # `text` as a code with parts, if the defect has one


Alarms = dict[str, HeldAlarm]
