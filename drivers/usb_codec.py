"""Interface of the codec of a USB device, whatever the device is for.

A codec does no I/O. `drivers.usb_link` moves the bytes.
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from drivers.events import DeviceEvent


class UsbCodec(Protocol):
    """Codec of a USB device, as the link needs it."""

    @property
    def kind(self) -> str:
        """Kind of device, which is also the name of its section in a config: shoe, panel or beacon."""

    @property
    def name(self) -> str:
        """The model as people call it, for messages."""

    @property
    def report_bytes(self) -> int:
        """Bytes of the longest input report."""

    def matches(self, vendor: int, product: int) -> bool:
        """True if the USB ids are those of this model, in any of its modes."""

    def refusal(self, product: int) -> str | None:
        """Reason why a device with this product id cannot serve, and what to do; else None."""

    def connected(self) -> list[bytes]:
        """Forget the device's state; return the reports to send first after each connect."""

    def feed(self, report: bytes) -> Sequence[DeviceEvent]:
        """Decode one input report to events."""

    def checked(self, report: bytes) -> bytes:
        """Return the report unchanged; ValueError if it must never be sent to this device."""


@runtime_checkable
class Described(Protocol):
    """Codec that recognises its device by the HID report descriptor.

    The first interface of such a device is HID, and no keyboard.
    """

    def described(self, descriptor: bytes) -> str | None:
        """Read the descriptor of the device; return why it cannot serve and what to do, or None."""


@runtime_checkable
class Featured(Protocol):
    """Codec whose device takes some reports as feature reports (HID 1.11, 7.2.2)."""

    def is_feature(self, report: bytes, /) -> bool:
        """True if this report is a feature report; its first byte is its id."""


@runtime_checkable
class Versioned(Protocol):
    """Codec whose device tells its firmware version by a feature report (HID 1.11, 7.2.1)."""

    @property
    def version_report(self) -> tuple[int, int]:
        """Id of the report and its number of bytes."""

    def version(self, report: bytes, /) -> str:
        """Read the firmware version from that report."""


@runtime_checkable
class SizedByProduct(Protocol):
    """Codec whose devices send reports of different lengths, by their product ids."""

    def report_bytes_of(self, product: int, /) -> int:
        """Bytes of the longest input report of a device with this product id."""


@runtime_checkable
class Related(Protocol):
    """Codec whose vendor has similar devices that it does not serve."""

    def relative(self, vendor: int, product: int, /) -> str | None:
        """Name of a similar device, as "an XK-80"; None for a served one and other vendors'."""
