"""What a codec of any device on USB has to say, whatever the device is for.

A codec does no I/O. `drivers.usb_link` moves the bytes.
"""

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from drivers.events import DeviceEvent


class UsbCodec(Protocol):
    """What the link needs to know of a model, whatever it is for."""

    @property
    def kind(self) -> str:
        """What such a device is, as its section of a config is called: panel, beacon."""

    @property
    def name(self) -> str:
        """The model as people call it, for messages."""

    @property
    def report_bytes(self) -> int:
        """Bytes of the longest input report."""

    def matches(self, vendor: int, product: int) -> bool:
        """Whether the USB ids are those of this model, in any of its modes."""

    def refusal(self, product: int) -> str | None:
        """Why the device cannot serve with this product id, and what to do; None where it can."""

    def connected(self) -> list[bytes]:
        """Forget what was known of the device; the reports to send first after each connect."""

    def feed(self, report: bytes) -> Sequence[DeviceEvent]:
        """What one input report says."""

    def checked(self, report: bytes) -> bytes:
        """The same report, or ValueError where it must never be sent to this device."""


@runtime_checkable
class Described(Protocol):
    """What a codec has of whatever device has the right HID report descriptor: first interface HID, and no keyboard."""

    def described(self, descriptor: bytes) -> str | None:
        """Take over what the device says of its reports; why it cannot serve, and what to do."""


@runtime_checkable
class Featured(Protocol):
    """What a codec has whose device takes some reports as feature reports (HID 1.11, 7.2.2)."""

    def is_feature(self, report: bytes, /) -> bool:
        """Whether this is one; its first byte is its id."""


@runtime_checkable
class Versioned(Protocol):
    """What a codec has whose device tells the version of its firmware by a feature report (HID 1.11, 7.2.1)."""

    @property
    def version_report(self) -> tuple[int, int]:
        """Its id, and how many bytes it has."""

    def version(self, report: bytes, /) -> str:
        """The version that it says."""


@runtime_checkable
class SizedByProduct(Protocol):
    """What a codec has whose devices send reports of different lengths, by their product ids."""

    def report_bytes_of(self, product: int, /) -> int:
        """Bytes of the longest input report of a device with this product id."""


@runtime_checkable
class Related(Protocol):
    """What a codec has of whose vendor there are like devices that it does not serve."""

    def relative(self, vendor: int, product: int, /) -> str | None:
        """What such a device is, as "an XK-80"; None for one that it serves, and for one of anybody else."""
