"""What the table says to the shoe and its codec: commands, if the config allows them, and when a card may come again.

The outlet is open only while a card may leave it (`is_open`). By default the table only listens to the shoe. The codec
itself refuses commands that the config does not allow.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, runtime_checkable

from drivers.events import CardUnreadable, CommandRefused, DeviceEvent, ShoeError, ShoeErrorCleared, ShoeStarted
from drivers.models import guard_codec

from ..core.events import CardOut, ShoeFails
from ..core.records import Record, ShoeReady, Shuffled, Voided, reports_found
from ..core.state import State
from ..rules.procedure import Deal, Step
from ..table.loop import Table

COME_AGAIN = Shuffled, ShoeReady, Voided  # records after which a card may come that came last
UNREADABLE = 1  # error code of the Angel Eye for an unreadable card


@runtime_checkable
class Lockable(Protocol):
    """Codec of a shoe with an outlet that can be locked and errors that can be cancelled by commands."""

    def lock(self) -> bytes:
        """Return the command that closes the outlet."""

    def unlock(self) -> bytes:
        """Return the command that opens the outlet."""

    def cancel_error(self, code: int) -> bytes:
        """Return the command that ends the error with this code."""


@runtime_checkable
class RepeatFilter(Protocol):
    """Codec of a shoe that drops a card's code if it equals the code before it."""

    def forget_last_code(self) -> None:
        """Take the next code for a new card, even if it equals the last one."""


def expect_cards_again(codec: object, _: Table, records: Sequence[Record]) -> None:
    """Tell a codec that filters repeated codes when a card may come again: after a new deck, or a struck card."""
    if isinstance(codec, RepeatFilter) and any(isinstance(record.what, COME_AGAIN) for record in records):
        with guard_codec(codec):
            codec.forget_last_code()


def is_open(state: State, due: Step | None) -> bool:
    """True if a card may leave the shoe: a card is due, has to be slid again, or the shoe is being changed."""
    if state.life == "paused":
        return state.fault is not None and state.fault.code == "unread_card"
    return isinstance(due, Deal) or state.shoe.changing


def error_left(state: State) -> int | None:
    """Code of the error at which the shoe waits, by the reports of the present pause; None if they name none."""
    fault = () if state.fault is None else (state.fault,)
    for report in (*fault, *state.waiting):
        match report.came:
            case ShoeFails(code=code):
                return code
            case CardOut(card=None):
                return UNREADABLE
    return None


class ShoeCommands:
    """Commands to a shoe, each sent only when something changes. `before`: the table's state at the start."""

    def __init__(self, codec: Lockable, allow: frozenset[str], send: Callable[[bytes], bool], before: State) -> None:
        self._codec, self._allow, self._send = codec, allow, send
        self._open: bool | None = None
        self._error = error_left(before)  # code of the error that is still to be cancelled

    def hear(self, event: DeviceEvent) -> None:
        """Note an error of the shoe, or the end of one."""
        match event:
            case ShoeError(code=code, error_mode=True):
                self._error = code
            case CardUnreadable(error_mode=True):
                self._error = UNREADABLE
            case ShoeErrorCleared() | ShoeStarted():
                self._error = None
            case CommandRefused():
                self._open = None  # unknown, so the next record sends the command again

    def show(self, table: Table, records: Sequence[Record]) -> None:
        """Send the commands that the table's new state requires."""
        state = table.state
        if reports_found(records, "shoe"):
            self._open = None  # the shoe was reconnected and may have forgotten earlier commands
        if "lock" in self._allow:
            self._lock(is_open(state, table.due) and table.halted is None)
        is_ruled = state.life != "paused" and table.halted is None
        if "cancel_error" in self._allow and is_ruled and self._error is not None:
            self._cancel(self._error)

    def _cancel(self, code: int) -> None:
        if self._say(partial(self._codec.cancel_error, code)):
            self._error = None

    def _lock(self, is_open: bool) -> None:  # noqa: FBT001 - a switch
        if is_open is not self._open and self._say(self._codec.unlock if is_open else self._codec.lock):
            self._open = is_open

    def _say(self, command: Callable[[], bytes]) -> bool:
        with guard_codec(self._codec):
            data = bytes(command())
        return self._send(data)
