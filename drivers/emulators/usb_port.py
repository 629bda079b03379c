"""Emulated USB device while it is plugged in: its holder, input reports and faults.

It fails the way libusb on Linux fails, with the same exceptions and error numbers, and recovers the same way.
"""

import errno
import os
import threading
from collections import deque
from dataclasses import dataclass, field
from typing import Protocol

import usb.core

from drivers.emulators.usb_identity import UsbIdentity

QUEUE_REPORTS = 64
STRING_REQUEST = (0x80, 6, 3)  # request type, GET_DESCRIPTOR, kind of descriptor
REPORT_DESCRIPTOR = (0x81, 6, 0x22)  # request type, GET_DESCRIPTOR, kind of descriptor (HID 1.11, 7.1)
GET_REPORT, SET_REPORT = (0xA1, 1), (0x21, 9)  # request type, request (HID 1.11, 7.2.1 and 7.2.2)
OUTPUT, FEATURE = 0x0200, 0x0300  # kind of report, above its id
# libusb 1.0's own codes beside the error numbers pyusb makes of them; None: "other error"
_LIBUSB = {
    errno.EIO: -1,
    errno.EACCES: -3,
    errno.ENODEV: -4,
    errno.ENOENT: -5,
    errno.EBUSY: -6,
    errno.EOVERFLOW: -8,
    errno.EPIPE: -9,
    None: -99,
}


class EmulatedUsbDevice(Protocol):
    """Interface of a device on the emulated bus; both methods are called with the bus locked."""

    @property
    def identity(self) -> UsbIdentity:
        """Identity from which the descriptors are made."""

    def power_on(self) -> None:
        """Called when the device was plugged in."""

    def take_report(self, report: bytes) -> None:
        """Called with each output report that the host wrote."""


def usb_error(number: int | None) -> usb.core.USBError:
    """The exception that pyusb raises for an error number."""
    if number == errno.ETIMEDOUT:
        return usb.core.USBTimeoutError("Operation timed out", -7, number)
    return usb.core.USBError("Other error" if number is None else os.strerror(number), _LIBUSB[number], number)


@dataclass(slots=True, eq=False)
class Port:
    """A device at its address; `changed` is the lock of the whole bus."""

    device: EmulatedUsbDevice
    address: int
    socket: int
    changed: threading.Condition
    kernel_driver: bool  # usbhid holds the interface
    refused_opens: int  # so many openings fail with EACCES
    in_use: bool  # another program has claimed the interface
    configured: bool
    plugged: bool = True
    claimed: bool = False
    deaf: bool = False  # takes no output report: writes time out
    halted: set[int] = field(default_factory=set)  # endpoints
    faults: deque[int | None] = field(default_factory=deque)  # error numbers of the next transfers
    inbox: deque[bytes] = field(default_factory=lambda: deque(maxlen=QUEUE_REPORTS))

    def open(self) -> None:
        """Open the device node."""
        self.check()
        if self.refused_opens:
            self.refused_opens -= 1
            raise usb_error(errno.EACCES)

    def check(self) -> None:
        """Raise ENODEV if the device is unplugged."""
        if not self.plugged:
            raise usb_error(errno.ENODEV)

    def require_free(self) -> None:
        """Raise EBUSY if usbhid or another program holds the interface."""
        self.check()
        if self.kernel_driver or self.in_use:
            raise usb_error(errno.EBUSY)

    def release(self) -> None:
        """Release the interface: unread reports are lost, and pending reads fail with ENODEV."""
        self.claimed = False
        self.inbox.clear()
        self.changed.notify_all()

    def read(self, endpoint: int, size: int, timeout_ms: int) -> bytes:
        """Wait for the next input report and return it; raises the error that ends the wait."""
        self.changed.wait_for(lambda: self._due(endpoint), timeout_ms / 1000 or None)
        if not self.claimed:
            raise usb_error(errno.ENODEV)
        self._raise_fault(endpoint)
        if not self.inbox:
            raise usb_error(errno.ETIMEDOUT)
        if len(self.inbox[0]) > size:
            self.inbox.popleft()
            raise usb_error(errno.EOVERFLOW)
        return self.inbox.popleft()

    def write(self, endpoint: int, report: bytes, timeout_ms: int) -> int:
        """Hand an output report to the device; return the number of bytes that it took."""
        self._raise_fault(endpoint)
        if self.deaf:
            self.changed.wait_for(lambda: not self.plugged, timeout_ms / 1000 or None)
            self.check()
            raise usb_error(errno.ETIMEDOUT)
        self.device.take_report(report)
        return len(report)

    def control(self, request: tuple[int, int], value: int, data: bytes) -> bytes:
        """Answer a control request; an unknown request stalls (EPIPE)."""
        self.check()
        if (*request, value >> 8) == STRING_REQUEST:
            text = self.device.identity.string(value & 0xFF)
            if text is not None:
                return text
        elif (*request, value >> 8) == REPORT_DESCRIPTOR and self.device.identity.report_descriptor:
            return self.device.identity.report_descriptor
        elif request == GET_REPORT and value in self._feature_reports:
            return self._feature_reports[value]
        elif request == SET_REPORT and value in self._settable_reports:
            self.device.take_report(data)
            return b""
        raise usb_error(errno.EPIPE)

    @property
    def _settable_reports(self) -> list[int]:
        """Kind and id of each report that the host may set by a control request."""
        return [FEATURE | one for one in self.device.identity.feature_ids] or [OUTPUT]

    @property
    def _feature_reports(self) -> dict[int, bytes]:
        """Feature reports that the host can read, by kind and id."""
        return {FEATURE | number: report for number, report in self.device.identity.features}

    def _due(self, endpoint: int) -> bool:
        return bool(self.inbox or self.faults or endpoint in self.halted or not (self.plugged and self.claimed))

    def _raise_fault(self, endpoint: int) -> None:
        self.check()
        if self.faults:
            raise usb_error(self.faults.popleft())
        if endpoint in self.halted:
            raise usb_error(errno.EPIPE)
