"""Protection from devices that send too much: they are cut off until a person takes them back.

The amount of data on the line is measured, whatever it means. (A device that sends little but too many events, such as
endless cards in a pause, is detected by the table. The guard follows the record of both.)
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
    """Rate limit for the data of a device: a burst at once, then a steady number of telegrams a second.

    `pace`: how many times faster than people an emulated device may be.
    """

    def __init__(self, device: Device, pace: float = 1.0, now: Callable[[], float] = time.monotonic) -> None:
        self._device, self._now = device, now
        self._burst, self._steady = BURST * max(1.0, pace), STEADY * max(1.0, pace)
        self.reset()

    def reset(self) -> None:
        """Forget the telegrams counted so far."""
        self._room, self._messages = self._burst, 0.0
        self._at = self._since = self._now()

    def take(self, telegrams: float) -> bool:
        """Count more telegrams. Returns False if they exceed the limit."""
        now = self._now()
        self._room, self._at = self._room + (now - self._at) * self._steady, now
        if self._room >= self._burst:
            self._room, self._messages, self._since = self._burst, 0.0, now
        self._room -= telegrams
        self._messages += telegrams
        return self._room >= 0

    @property
    def event(self) -> Babbles:
        """Event for the table: telegrams, and seconds, since the whole burst was last available."""
        return Babbles(self._device, round(self._messages), max(1, round(self._at - self._since)))


class Link(Protocol):
    """Link to a device that can be cut off."""

    def cut_off(self) -> None:
        """Ignore the device from now on."""

    def take_back(self) -> None:
        """Accept data from the device again."""


class Guard:
    """Guard between a device and its table. `cut`: the device is cut off."""

    def __init__(self, device: Device, table: Table, pace: float) -> None:
        self._device, self._table = device, table
        self._meter = Meter(device, pace)
        self._link: Link | None = None
        self.cut = False

    def watch(self, link: Link) -> None:
        """Watch over a link; a device that was cut off before the program ended is cut off again."""
        self._link = link
        if any(one.device == self._device for one in self._table.state.cut_off):
            self._cut_off()
        self._table.subscribe(self._hear)

    def weigh(self, size: float, events: int) -> None:
        """Count `size` bytes that hold so many events, and cut the device off beyond the limit."""
        if not self.cut and (not self._meter.take(max(events, size / TELEGRAM)) or self._table.is_full):
            self._cut_off()  # even while nothing can be recorded
            self._table.take(self._meter.event)

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
