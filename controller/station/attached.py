"""A panel or a beacon on USB: what it says reaches the table, and it shows where the table stands.

A mistake of its driver's ends this device, and nothing else.
"""

from collections.abc import Callable, Sequence
from typing import ParamSpec, Protocol

from drivers.events import DeviceEvent, LinkEvent
from drivers.identity import Recognition
from drivers.models import DriverFailed
from drivers.serial_link import SerialLink
from drivers.usb_codec import UsbCodec
from drivers.usb_device import Backend
from drivers.usb_link import UsbLink

from ..core.records import Record
from ..table.loop import Table
from .device_events import UsbEvents
from .guard import Guard

P = ParamSpec("P")


class Showing(Protocol):
    """What a device is told to show. Each of them raises DriverFailed."""

    def hear(self, said: DeviceEvent) -> None:
        """The device said this."""

    def show(self, table: Table, records: Sequence[Record]) -> None:
        """Bring it in line with the state."""

    def clear(self) -> None:
        """Go dark."""


class OnUsb:
    """One such device. `showing` makes what shows on it, given where its reports go."""

    def __init__(
        self,
        codec: UsbCodec,
        events: UsbEvents,
        recognition: Recognition,
        usb: Backend | None,
        showing: Callable[[Callable[[bytes], None]], Showing],
        guard: Guard,
    ) -> None:
        """Raises DriverFailed."""
        self._events, self._link = events, UsbLink(codec, self._heard, recognition, usb)
        self._guard = guard
        guard.watch(self._link)
        shows = showing(self._link.send)
        self.show = or_lost(self._link, shows.show)
        self._hear, self._clear = or_lost(self._link, shows.hear), or_lost(self._link, shows.clear)

    def _heard(self, said: DeviceEvent) -> None:
        if not isinstance(said, LinkEvent):
            self._guard.weigh(0, 1)
            if self._guard.cut:
                return
        self._hear(said)
        self._events(said)

    def start(self) -> None:
        """Begin to look for it."""
        self._link.start()

    def expected(self) -> None:
        """It should have shown itself by now."""
        self._events.expected()

    async def stop(self) -> None:
        """Dark, and given back to the system: it keeps what it shows when the program has ended."""
        self._clear()
        await self._link.stop()


class Mute:
    """Of a device that shows nothing."""

    def hear(self, said: DeviceEvent) -> None:
        """It changes nothing that is shown."""

    def show(self, table: Table, records: Sequence[Record]) -> None:
        """There is nothing to show on."""

    def clear(self) -> None:
        """Likewise."""


def or_lost(link: UsbLink | SerialLink, act: Callable[P, None]) -> Callable[P, None]:
    """The same act, but what the driver gets wrong in it is the loss of its device."""

    def acted(*words: P.args, **named: P.kwargs) -> None:
        try:
            act(*words, **named)
        except DriverFailed as failed:
            link.fail(failed)

    return acted
