"""Observer of devices without a table: bytes and decoded events, and a test of the lamps.

A device that a table uses cannot be opened; its link reports that.
"""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable, Sequence
from functools import partial

from drivers.beacons import DARK, BeaconCodec, Signal
from drivers.beacons import Light as Tier
from drivers.captures import CapturedBytes, Direction
from drivers.codec_taps import See, TappedShoe, TappedUsb
from drivers.events import BadgeRead, DeviceEvent, Found, LinkEvent, Pressed, Released
from drivers.identity import Recognition
from drivers.own_port import OwnPort
from drivers.panels import PanelCodec
from drivers.serial_link import LineCodec, SerialLink
from drivers.shoes import ShoeCodec
from drivers.usb_codec import UsbCodec
from drivers.usb_device import Backend
from drivers.usb_link import UsbLink

from ..core.events import Device
from .lamp_test import lamps_of

SECOND = 1.0  # time for which a lamp is lit in a test
TIERS = (
    Signal(red=Tier.ON),
    Signal(yellow=Tier.ON),
    Signal(green=Tier.ON),
    Signal(blue=Tier.ON),
    Signal(white=Tier.ON),
    DARK,
)


class DeviceObserver:
    """Open several devices without a table, and print what they send.

    `tell`: called on the loop with lines of a capture; `lamps`: test a device's lamps when it is found.
    """

    def __init__(self, tell: Callable[[str], None], *, lamps: bool = False) -> None:
        self._tell, self._lamps = tell, lamps
        self._began, self._loop = time.monotonic(), asyncio.get_running_loop()
        self._links: list[SerialLink | UsbLink] = []
        self._trying: set[asyncio.Task[None]] = set()

    def add_shoe(self, port: OwnPort, codec: ShoeCodec) -> None:
        """Watch a shoe on a serial line."""
        self._start(SerialLink(port, TappedShoe(codec, self._see("shoe")), partial(self._write_line, "shoe")))

    def add_usb_shoe(self, codec: UsbCodec, own: Recognition | None = None, usb: Backend | None = None) -> None:
        """Watch a shoe on USB."""
        self._start(UsbLink(TappedUsb(codec, self._see("shoe")), partial(self._write_line, "shoe"), own, usb))

    def add_panel(self, codec: PanelCodec, own: Recognition | None = None, usb: Backend | None = None) -> None:
        """Watch a panel; if lamps are tested, its keys are lit while they are held."""
        lamps = lamps_of(codec)

        def handle_event(event: DeviceEvent) -> None:
            self._write_line("panel", event)
            if self._lamps and isinstance(event, Pressed | Released):
                _send(lamps.key_reports(event.key, down=isinstance(event, Pressed)), link.send)
            if self._lamps and isinstance(event, Found):
                self._try(_light(lamps.turns(), link.send))

        link = UsbLink(TappedUsb(codec, self._see("panel")), handle_event, own, usb)
        self._start(link)

    def add_beacon(self, codec: BeaconCodec, own: Recognition | None = None, usb: Backend | None = None) -> None:
        """Watch a beacon; if lamps are tested, each of its tiers is lit in turn."""

        def handle_event(event: DeviceEvent) -> None:
            self._write_line("beacon", event)
            if self._lamps and isinstance(event, Found):
                self._try(_light([[codec.show(signal)] for signal in TIERS], link.send))

        link = UsbLink(TappedUsb(codec, self._see("beacon")), handle_event, own, usb)
        self._start(link)

    def add_badge_reader(self, port: OwnPort, codec: LineCodec) -> None:
        """Watch a badge reader; its badges and bytes are never shown or kept, only that it reads."""

        def handle_event(event: DeviceEvent) -> None:
            self._tell(f"# {time.monotonic() - self._began:.6f} badge_reader {describe_event(event)}\n")

        self._start(SerialLink(port, codec, handle_event))

    async def stop(self) -> None:
        """Stop the tests and release all devices."""
        for task in self._trying:
            task.cancel()
        for link in self._links:
            await link.stop()

    def _start(self, link: SerialLink | UsbLink) -> None:
        self._links.append(link)
        link.start()

    def _try(self, lamps: Coroutine[object, None, None]) -> None:
        task = self._loop.create_task(lamps)
        self._trying.add(task)
        task.add_done_callback(self._trying.discard)

    def _see(self, device: Device) -> See:
        def see(direction: Direction, data: bytes, events: Sequence[DeviceEvent]) -> None:
            passed = CapturedBytes(time.monotonic() - self._began, direction, data, device)
            self._loop.call_soon_threadsafe(self._tell, passed.line("; ".join(map(describe_event, events))))

        return see

    def _write_line(self, device: Device, event: DeviceEvent) -> None:
        if isinstance(event, LinkEvent):
            self._tell(f"# {time.monotonic() - self._began:.6f} {device} {describe_event(event)}\n")


def describe_event(event: DeviceEvent) -> str:
    """Describe a decoded event: its kind, and its fields without the raw bytes."""
    if isinstance(event, BadgeRead):
        return f"BadgeRead, {len(event.code)} characters"
    fields = ((name, getattr(event, name)) for name in event.__slots__ if name != "raw")
    pairs = (f"{name}={value}" for name, value in fields if value not in (None, "", ()))
    return " ".join((type(event).__name__, *pairs))


def _send(reports: Iterable[bytes], send: Callable[[bytes], None]) -> None:
    for report in reports:
        send(report)


async def _light(turns: Iterable[Sequence[bytes]], send: Callable[[bytes], None]) -> None:
    """Send the reports of each step, one step a second."""
    for reports in turns:
        _send(reports, send)
        await asyncio.sleep(SECOND)
