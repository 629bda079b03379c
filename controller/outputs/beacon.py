"""The beacon over the table: it shows the state of the round from afar, and calls the shift manager.

Its signal follows from the table's state alone, so that it is right again after any restart or replug. Red means that a
person has to come; everything else can wait.

    dark                    the table is closed, and no device is missing
    white                   no round is live
    green                   bets are open
    yellow                  no more bets: the round is dealt
    yellow flashing         a device is missing, and no round waits for it
    red flashing, calling   the round is paused; silent once a shift manager has seen it
    red fast, urgent        nobody came in time
    red, yellow fast, urgent    the table is halted: the record cannot be written
"""

import asyncio
from collections.abc import Callable, Sequence
from math import inf

from drivers.beacons import DARK, BeaconCodec, Light, Recurring, SelfSignalling, Signal, Sound
from drivers.events import DeviceEvent, Found
from drivers.models import guard_codec

from ..core.life import RESTING
from ..core.records import Record
from ..core.state import State
from ..table.loop import Table

CALLING = Signal(red=Light.FLASH, sound=Sound.CALL)
SEEN = Signal(red=Light.FLASH)
ESCALATED = Signal(red=Light.FAST, sound=Sound.URGENT)
HALTED = Signal(red=Light.ON, yellow=Light.FAST, sound=Sound.URGENT)


def signal(state: State, *, halted: bool = False) -> Signal:
    """Signal of the beacon for this state of the table."""
    if halted:
        return HALTED
    if state.fault is not None:
        return SEEN if state.fault.seen_by else ESCALATED if state.fault.escalations else CALLING
    if set(state.lost) - {"beacon"}:
        return Signal(yellow=Light.FLASH)
    if state.life in RESTING:
        return Signal(white=Light.ON) if state.open else DARK
    return Signal(green=Light.ON) if state.life == "betting" else Signal(yellow=Light.ON)


class Beacon:
    """Beacon of a table: sends a signal when it changes, and recurring reports in time.

    Recurring reports come from the table's own loop: if it hangs, none is sent. A beacon that signals such a pause by
    itself gets the table's signal again after the pause.
    """

    def __init__(self, codec: BeaconCodec, send: Callable[[bytes], None]) -> None:
        """Ask the codec for its recurring reports. Raises DriverFailed."""
        self._codec, self._send = codec, send
        self._shown: Signal = DARK
        self._next: asyncio.TimerHandle | None = None
        self._recurred = inf  # loop time of the last recurring report; inf: none yet
        with guard_codec(codec):
            self._recurring = (codec.recurring(), codec.every_s) if isinstance(codec, Recurring) else None
            # a report may also wait in the device's queue, so half of the device's own limit already counts as late
            self._late_s = codec.silence_s / 2 if isinstance(codec, SelfSignalling) else inf

    def hear(self, event: DeviceEvent) -> None:
        """Send the signal, and start the recurring reports, when a beacon is plugged in; also at a halted table."""
        if isinstance(event, Found):
            self._send_signal(self._shown)
            self._stop_recurring()
            self._send_recurring()

    def show(self, table: Table, _: Sequence[Record]) -> None:
        """Send the signal of the table's state if it has changed."""
        now = signal(table.state, halted=table.halted is not None)
        if now != self._shown:
            self._send_signal(now)

    def clear(self) -> None:
        """Switch the beacon off at the end of the program; it would keep its signal."""
        self._stop_recurring()
        self._send_signal(DARK)

    def _send_signal(self, now: Signal) -> None:
        self._shown = now
        with guard_codec(self._codec):
            self._send(self._codec.show(now))

    def _send_recurring(self) -> None:
        if self._recurring is not None:
            report, every = self._recurring
            loop = asyncio.get_running_loop()
            last, self._recurred = self._recurred, loop.time()
            if self._recurred - last > self._late_s:
                self._send_signal(self._shown)
            self._send(report)
            self._next = loop.call_later(every, self._send_recurring)

    def _stop_recurring(self) -> None:
        if self._next is not None:
            self._next.cancel()
