"""Shoe, panel or beacon on USB: its reports reach the table, and a panel or beacon shows the table's state.

An error in its driver ends this device, and nothing else.
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
from ..outputs.shoe import expect_cards_again
from ..table.loop import Table
from .device_events import UsbEvents
from .guard import Guard

P = ParamSpec("P")


class AttachedDisplay(Protocol):
    """Display of a device. Every method raises DriverFailed."""

    def hear(self, event: DeviceEvent) -> None:
        """Handle an event of the device, such as a pressed key, before the table gets it."""

    def show(self, table: Table, records: Sequence[Record]) -> None:
        """Update the display to the table's state."""

    def clear(self) -> None:
        """Turn off all lights of the device."""


class UsbDisplayLink:
    """Link and display of a device on USB. `showing`: makes the display, given the function that sends."""

    def __init__(
        self,
        codec: UsbCodec,
        events: UsbEvents,
        recognition: Recognition,
        usb: Backend | None,
        showing: Callable[[Callable[[bytes], None]], AttachedDisplay],
        guard: Guard,
    ) -> None:
        """Make the link and the display of the device. Raises DriverFailed."""
        self._events, self._link = events, UsbLink(codec, self._forward, recognition, usb)
        self._guard = guard
        guard.watch(self)
        shows = showing(self._link.send)
        self.show = guard_call(self._link, shows.show)
        self._hear, self._clear = guard_call(self._link, shows.hear), guard_call(self._link, shows.clear)

    def _forward(self, event: DeviceEvent) -> None:
        if not isinstance(event, LinkEvent):
            self._guard.weigh(0, 1)
            if self._guard.cut:
                return
        self._hear(event)
        self._events(event)

    def start(self) -> None:
        """Start to look for the device."""
        self._link.start()

    def cut_off(self) -> None:
        """Release the device and ignore it from now on."""
        self._link.cut_off()

    def take_back(self) -> None:
        """Look for the device again, and report it as lost if it has gone."""
        self._events.take_back()
        self._link.take_back()

    def report_if_missing(self) -> None:
        """Report the device as lost if it has not been found by now."""
        self._events.report_if_missing()

    async def stop(self) -> None:
        """Turn all lights off and release the device, which would otherwise keep them after the program's end."""
        self._clear()
        await self._link.stop()


class ShoeDisplay:
    """Display of a shoe on USB, which has no lights: only its codec follows the table."""

    def __init__(self, codec: UsbCodec) -> None:
        self._codec = codec

    def hear(self, event: DeviceEvent) -> None:
        """Do nothing: there are no lights to send again."""

    def show(self, table: Table, records: Sequence[Record]) -> None:
        """Tell the codec when a card may come again."""
        expect_cards_again(self._codec, table, records)

    def clear(self) -> None:
        """Do nothing: there are no lights to turn off."""


def guard_call(link: UsbLink | SerialLink, act: Callable[P, None]) -> Callable[P, None]:
    """Wrap a call so that a failure of the driver counts as the loss of its device."""

    def call_or_fail(*words: P.args, **named: P.kwargs) -> None:
        try:
            act(*words, **named)
        except DriverFailed as failed:
            link.fail(failed)

    return call_or_fail
