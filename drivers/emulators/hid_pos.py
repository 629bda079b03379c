"""An emulated HID-POS scanner over bar-coded cards, on an emulated USB bus.

Its reports are those of Honeywell's manuals, 64 bytes, and its report descriptor says so (`drivers.shoes.hid_pos`). For
a card that it cannot read it sends a text, as such scanners can be set to.
"""

from collections.abc import Callable

from drivers.emulators.barcode import NO_READ
from drivers.emulators.hid_pos_reports import IDENTITY, reports
from drivers.emulators.plain_shoe import PlainShoe
from drivers.emulators.pluggable import Pluggable
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.usb_identity import UsbIdentity


class UsbLine(Pluggable):
    """Plug on the bus that acts as a line: each text written to it is sent as reports."""

    name = "usb"

    def __init__(self, bus: EmulatedUsbBus, identity: UsbIdentity = IDENTITY) -> None:
        super().__init__(bus, identity)

    def write(self, data: bytes) -> None:
        """Send the reports of a code."""
        for report in reports(data):
            self._bus.report(self, report)

    def read(self) -> bytes:
        """Return no bytes: a host sends nothing to a scanner."""
        return b""

    def watch(self, received: Callable[[bytes], object]) -> None:
        """Do nothing: a host sends nothing to a scanner."""

    def power_on(self) -> None:
        """Do nothing: the scanner has no state."""

    def _obey(self, report: bytes) -> None:
        raise AssertionError(f"a scanner was sent {report.hex(' ')}")


class EmulatedHidPos(PlainShoe):
    """Scanner on a bus, behind a `UsbLine`, and the cards that are slid under it."""

    def _tell(self, card: str) -> None:
        self._say(card.encode(), b"")

    def _fail(self) -> None:
        self._say(NO_READ.encode(), b"")
