"""What a line of a script can say beside an event: where a record begins, that time passes, that the program ends or
cannot write."""

from msgspec import Struct

from ..core import events as e
from ..core.clock import Time, from_text
from ..core.state import State

START: Time = from_text("2026-01-01T00:00:00Z")  # of a script that does not say how it begins


class Recorded(Struct, frozen=True):
    """The script is made of a record, and says everything itself. `state`: where the table stands as it begins."""

    state: State


class Wait(Struct, frozen=True):
    """The clock moves."""

    time: Time


class Restart(Struct, frozen=True):
    """The program is killed here and started again after a time in which nobody looks at the clock."""

    time: Time = 0


class Halt(Struct, frozen=True):
    """The record cannot be written for a time in which nobody looks at the clock."""

    time: Time = 0
    reason: str = ""
    dropped: int = 0


Line = e.Event | Recorded | Wait | Restart | Halt
