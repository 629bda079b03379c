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

    `seq`: the table's last record at that time; it tells one halt (`fault` 0) from another. `since`: time of the fault.
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
    if status.halted is not None:
        return claim.epoch == status.epoch and claim.fault == 0 and claim.seq == status.seq
    return status.fault is not None and is_about(claim, status.epoch, status.fault.seq, status.fault.since)


def is_after(claim: Claimed, status: Status) -> bool:
    """True if a claim was made when the table had later records than in this status."""
    return claim.epoch == status.epoch and claim.seq > status.seq


class Mailed(Struct, frozen=True):
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

    def covers(self, other: "Mailed") -> bool:
        """True if this note is about the same call and says no less than the other one."""
        ours, theirs = ((one.restarted, one.level, one.offer) for one in (self, other))
        return is_about(self, other.epoch, other.fault, other.since) and ours >= theirs


def is_about(note: Claimed | Mailed, epoch: str, fault: int, since: str) -> bool:
    """True if a note is about this fault: by its time, which is the same in each epoch that has the fault.

    A note without a time, from a floor of an older version, is about the fault of its epoch.
    """
    return note.fault == fault and (note.since == since if note.since else note.epoch == epoch)


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
