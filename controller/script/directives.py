"""Lines of a script that are no events of a table: initial state, passing time, restart, unwritable record."""

from msgspec import UNSET, Struct, UnsetType

from ..core import events as e
from ..core.clock import Time, from_text
from ..core.coded_message import CodedMessage
from ..core.state import State

START: Time = from_text("2026-01-01T00:00:00Z")  # of a script without `begin`


class Recorded(Struct, frozen=True):
    """Line of a script made from a record. `state`: state of the table at its beginning."""

    state: State


class WaitLine(Struct, frozen=True):
    """Line that moves the clock."""

    time: Time


class Restart(Struct, frozen=True):
    """Line that kills the program and restarts it after a time in which no deadline is handled."""

    time: Time = 0


class Halt(Struct, frozen=True):
    """Line that makes the record unwritable for a time in which no deadline is handled."""

    time: Time = 0
    reason: str = ""
    dropped: int = 0
    message: CodedMessage | UnsetType = UNSET


Line = e.Event | Recorded | WaitLine | Restart | Halt
