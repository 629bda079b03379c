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
class Featured(Protocol):
    """What a codec has whose device takes some reports as feature reports (HID 1.11, 7.2.2)."""

    def is_feature(self, report: bytes, /) -> bool:
        """Whether this is one; its first byte is its id."""
