"""What floors share, in the bucket of claims: whose a call is, whose a table is, what was done about an alarm.

STUDIO.TABLE.call      Claimed
STUDIO.TABLE.mailed    Mailed
STUDIO.assignments     a person's id by table
STUDIO.alarms          Held by the alarm's key
"""

from msgspec import Struct

Assignments = dict[str, str]


class Who(Struct, frozen=True):
    """Somebody at a floor, by the registry."""

    id: str
    name: str
    role: str  # supervisor, manager, engineer, auditor


class Claimed(Struct, frozen=True):
    """A call, and who has said that they come; with no id: nobody any more. `seq`: the table's record by then, which
    tells a halt (`fault` 0) from another."""

    epoch: str
    fault: int
    seq: int
    id: str | None
    name: str = ""
    floor: str = ""
    at: str = ""


class Mailed(Struct, frozen=True):
    """Up to which level somebody was told of a call away from the floor."""

    epoch: str
    fault: int
    level: int
    floor: str
    at: str


class Acknowledged(Struct, frozen=True):
    """Somebody has seen it."""

    id: str
    name: str
    at: str


class Shelved(Struct, frozen=True):
    """Somebody wants to hear no more of it for a while."""

    until: str
    id: str
    name: str
    because: str


class Held(Struct, frozen=True, omit_defaults=True):
    """An alarm, from when it was raised until it is over and acknowledged. `place`: that of the table's status, in its
    bucket, by which its cause was judged last."""

    since: str
    place: int = 0
    text: str = ""  # what it is about: a device, a count
    over: str | None = None  # since when its cause is gone
    acknowledged: Acknowledged | None = None
    shelved: Shelved | None = None


Alarms = dict[str, Held]
