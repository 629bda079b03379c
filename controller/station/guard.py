"""Whether a device says more than any that works: then it is cut off, until the record says that a person has taken it
back.

What is measured is what comes over the line, whatever it means. (A device that says little and means too
much, cards without end in a pause, is found out by the table; its record is heard here.)
"""

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from ..core import records as r
from ..core.bounds import BURST, STEADY, TELEGRAM
from ..core.events import Babbles, Device
from ..core.records import Record
from ..table.loop import Table


class Meter:
    """What came of a device, against what may: so much at once, and so much a second from then on.

    `pace`: how many times faster than people it may be, for one that is emulated.
    """

    def __init__(self, device: Device, pace: float = 1.0, now: Callable[[], float] = time.monotonic) -> None:
        self._device, self._now = device, now
        self._burst, self._steady = BURST * max(1.0, pace), STEADY * max(1.0, pace)
        self.reset()

    def reset(self) -> None:
        """Forget what came."""
        self._room, self._heard = self._burst, 0.0
        self._at = self._since = self._now()

    def take(self, telegrams: float) -> bool:
        """So many more; whether that may be."""
        now = self._now()
        self._room, self._at = self._room + (now - self._at) * self._steady, now
        if self._room >= self._burst:
            self._room, self._heard, self._since = self._burst, 0.0, now
        self._room -= telegrams
        self._heard += telegrams
        return self._room >= 0

    @property
    def told(self) -> Babbles:
        """What came since it was silent last."""
        return Babbles(self._device, round(self._heard), max(1, round(self._at - self._since)))


class Link(Protocol):
    """What can be cut off."""

    def cut_off(self) -> None:
        """Hear nothing more of the device."""

    def take_back(self) -> None:
        """Hear it again."""


class Guard:
    """Stands between a device and its table. `cut`: the device is not heard."""

    def __init__(self, device: Device, table: Table, pace: float) -> None:
        self._device, self._table = device, table
        self._meter = Meter(device, pace)
        self._link: Link | None = None
        self.cut = False

    def watch(self, link: Link) -> None:
        """Over this one, as the table has it: one that was cut off before the program ended is so still."""
        self._link = link
        if any(one.device == self._device for one in self._table.state.cut_off):
            self._cut_off()
        self._table.subscribe(self._hear)

    def weigh(self, size: float, events: int) -> None:
        """So many bytes came, and are so many events."""
        if not self.cut and (not self._meter.take(max(events, size / TELEGRAM)) or self._table.full):
            self._cut_off()  # also where that cannot be recorded yet
            self._table.take(self._meter.told)

    def _hear(self, _: Table, records: Sequence[Record]) -> None:
        for record in records:
            match record.what:
                case r.DeviceCutOff(device=device) if device == self._device:
                    self._cut_off()
                case r.DeviceTakenBack(device=device) if device == self._device:
                    self._take_back()

    def _cut_off(self) -> None:
        self.cut = True
        if self._link is not None:
            self._link.cut_off()

    def _take_back(self) -> None:
        self.cut = False
        self._meter.reset()
        if self._link is not None:
            self._link.take_back()
