"""One USB device: find, open, read, write and release it.

Only this module, `drivers.libusb` and the emulators use pyusb. Its errors end here: DeviceCannotServe if a device does
not open, DeviceGone if an open one fails.
"""

import contextlib
import errno
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import usb.core
import usb.util

from drivers.identity import Identity, NotOurs
from drivers.libusb import Backend, libusb
from drivers.models import guard_codec
from drivers.patience import DeviceCannotServe
from drivers.sysfs import SYS, UsbFolder
from drivers.usb_codec import Described, Featured, Related, SizedByProduct, UsbCodec
from drivers.usb_reasons import reason_gone, reason_not_open

__all__ = ["Backend", "DeviceGone", "UsbDevice", "devices", "relatives"]

WRITE_MS = 1000  # time limit of a write
INTERFACE = 0
HID, KEYBOARD = 3, 1  # class of an interface, and its protocol if it is a keyboard
REPORT_DESCRIPTOR = 0x81, 0x06, 0x2200  # HID 1.11, 7.1.1: request type, GET_DESCRIPTOR, which
LONGEST_DESCRIPTOR = 4096
GET_REPORT, SET_REPORT = (0xA1, 0x01), (0x21, 0x09)  # request type and request (HID 1.11, 7.2.1 and 7.2.2)
OUTPUT, FEATURE = 0x0200, 0x0300  # kind of report, above its id
FOREVER = 0  # milliseconds, as libusb has it
FAILURES_IN_A_ROW = 10  # most failed reads in a row: stalls and broken transfers


class DeviceGone(Exception):
    """An open device cannot be used any more; the text says why."""


def devices(codec: UsbCodec, backend: Backend | None = None) -> "list[UsbDevice]":
    """Devices on the bus that the codec knows. `backend`: None for libusb.

    Raises DeviceCannotServe if USB devices cannot be listed.
    """

    def is_ours(device: usb.core.Device) -> bool:
        with guard_codec(codec):
            is_match = codec.matches(device.idVendor, device.idProduct)
            return is_match and (not isinstance(codec, Described) or _is_hid(device))

    return _find(codec, is_ours, backend)


def relatives(codec: UsbCodec, backend: Backend | None = None) -> "list[tuple[UsbDevice, str]]":
    """Devices of the codec's vendor that it does not support, each with its description. Raises DeviceCannotServe."""
    named: dict[int, str] = {}  # by product id; they are all one vendor's

    def is_related(device: usb.core.Device) -> bool:
        with guard_codec(codec):
            what = codec.relative(device.idVendor, device.idProduct) if isinstance(codec, Related) else None
        named[device.idProduct] = what or ""
        return what is not None

    usb_devices = _find(codec, is_related, backend) if isinstance(codec, Related) else []
    return [(device, named[device.product]) for device in usb_devices]


def _find(codec: UsbCodec, match: Callable[[usb.core.Device], bool], backend: Backend | None) -> "list[UsbDevice]":
    try:
        usb_devices = usb.core.find(find_all=True, backend=backend or libusb(), custom_match=match)
        return [UsbDevice(device, codec, None if backend else SYS) for device in usb_devices]
    except usb.core.USBError as error:
        raise DeviceCannotServe(f"usb devices cannot be listed ({error}): see whether /dev/bus/usb is there") from error


class UsbDevice:
    """A plugged USB device. `sys`: folder in which Linux describes it (/sys); None for an emulated one."""

    def __init__(self, device: usb.core.Device, codec: UsbCodec, sys: Path | None) -> None:
        self.product, self.kind = int(device.idProduct), f"{device.idVendor:04x}:{device.idProduct:04x}"
        self.node = f"/dev/bus/usb/{device.bus:03d}/{device.address:03d}"
        self._device = device
        self.folder = UsbFolder.of(device.bus, device.port_numbers or (), sys)
        with guard_codec(codec):
            self._kind, self.report_bytes = codec.kind, int(codec.report_bytes)
            if isinstance(codec, SizedByProduct):
                self.report_bytes = int(codec.report_bytes_of(self.product))
        self._featured = codec if isinstance(codec, Featured) else None
        self._detached = self._released = False
        self._failures = 0  # failed reads in a row
        self._in: usb.core.Endpoint = None
        self._out: usb.core.Endpoint | None = None

    @property
    def address(self) -> str:
        """Address of the socket, for messages."""
        return f"usb {self.folder.place}"

    @property
    def identity(self) -> Identity:
        """Kind, serial number and socket of the device. Opens an emulated device to read them."""
        serial = self.folder.serial if self.folder.is_there else self._serial_number()
        return Identity(self.kind, serial, self.folder.place)

    def open(self, check: Callable[[Identity], None], first: Iterable[bytes], ms: int) -> None:
        """Claim the interface and write these reports. Raises DeviceCannotServe, after closing the device.

        `check` raises NotOurs if the device belongs to another table. `ms`: time limit of one report.
        """
        try:
            self._claim(check)
            for report in first:
                self._write(report, ms)
        except DeviceCannotServe:
            self.close()
            raise
        except NotOurs as other:
            self.close()
            raise DeviceCannotServe(str(other)) from None
        except usb.core.USBError as error:
            self.close()
            raise DeviceCannotServe(reason_not_open(self._kind, self.address, error)) from error

    def read(self, ms: int = FOREVER) -> bytes:
        """Wait for the next input report, at most until `release`; empty after a stall or a broken transfer.

        Raises DeviceGone.

        A working device is read without a time-out: a report that comes while a transfer is cancelled may be lost.
        After a broken transfer (EIO), which was not acknowledged, the device keeps its report for the next one.
        """
        packet = self._in.wMaxPacketSize
        size = -(-self.report_bytes // packet) * packet  # whole packets, or libusb reports an overflow
        if self._released:  # pyusb would claim the interface again
            raise DeviceGone("released")
        with self._detect_loss():
            try:
                report = bytes(self._in.read(size, ms))
            except usb.core.USBError as error:
                self._failures += 1
                if self._failures > FAILURES_IN_A_ROW:
                    raise
                if error.errno != errno.EIO:
                    self._clear_stall(error, self._in)
                return b""
        self._failures = 0
        return report

    def write(self, report: bytes, ms: int) -> None:
        """Send one output report. Raises DeviceGone."""
        with self._detect_loss():
            self._write(report, ms)

    def report_descriptor(self, ms: int) -> bytes:
        """Read the HID report descriptor. Raises DeviceGone."""
        with self._detect_loss():
            return bytes(self._device.ctrl_transfer(*REPORT_DESCRIPTOR, INTERFACE, LONGEST_DESCRIPTOR, ms))

    def feature(self, number: int, length: int, ms: int) -> bytes:
        """Read a feature report. Raises DeviceGone."""
        with self._detect_loss():
            return bytes(self._device.ctrl_transfer(*GET_REPORT, FEATURE | number, INTERFACE, length, ms))

    def release(self) -> None:
        """Release the interface in any state, so that a waiting read raises DeviceGone.

        Call it again until the read has ended: a read that was just beginning claims the interface again.
        """
        self._released = True
        with contextlib.suppress(usb.core.USBError):
            usb.util.release_interface(self._device, INTERFACE)

    def close(self) -> None:
        """Give the device back to the kernel's driver, in any state.

        Call it only while no read waits.
        """
        self.release()
        if self._detached:
            with contextlib.suppress(usb.core.USBError):
                self._device.attach_kernel_driver(INTERFACE)
        usb.util.dispose_resources(self._device)

    def _claim(self, check: Callable[[Identity], None]) -> None:
        bound = self._kernel_driver_active()  # opens the device, and takes nothing from anybody yet
        check(self.identity)
        if bound:
            self._device.detach_kernel_driver(INTERFACE)
            self._detached = True
        interface = self._configuration()[(INTERFACE, 0)]
        usb.util.claim_interface(self._device, INTERFACE)
        self._in = _endpoint(interface, usb.util.ENDPOINT_IN)
        self._out = _endpoint(interface, usb.util.ENDPOINT_OUT)
        if self._in is None:
            raise DeviceCannotServe(
                f"the device at {self.address} has no interrupt endpoint to read: plug in another {self._kind}"
            )

    def _kernel_driver_active(self) -> bool:
        try:
            return bool(self._device.is_kernel_driver_active(INTERFACE))
        except NotImplementedError:  # a system without such drivers
            return False

    def _serial_number(self) -> str | None:
        try:
            number: str | None = self._device.serial_number
        except (ValueError, usb.core.USBError):  # the device has no strings at all, or cannot be asked
            return None
        return number

    def _configuration(self) -> usb.core.Configuration:
        try:
            return self._device.get_active_configuration()
        except usb.core.USBError as error:
            if error.errno is not None:
                raise
        self._device.set_configuration()  # only where there is none: it resets the device
        return self._device.get_active_configuration()

    def _write(self, report: bytes, ms: int) -> None:
        try:
            self._send(report, ms)
        except usb.core.USBError as error:
            self._clear_stall(error, self._out)
            self._send(report, ms)

    def _send(self, report: bytes, ms: int) -> None:
        if self._featured is not None and self._featured.is_feature(report):
            sent = self._device.ctrl_transfer(*SET_REPORT, FEATURE | report[0], INTERFACE, report, ms)
        elif self._out is None:  # the device reads no interrupt endpoint
            sent = self._device.ctrl_transfer(*SET_REPORT, OUTPUT, INTERFACE, report, ms)
        else:
            sent = self._out.write(report, ms)
        if sent != len(report):
            raise usb.core.USBError(f"took {sent} of {len(report)} bytes")

    def _clear_stall(self, error: usb.core.USBError, endpoint: usb.core.Endpoint | None) -> None:
        if error.errno != errno.EPIPE:
            raise error
        if endpoint is not None:  # a control request clears its own stall
            self._device.clear_halt(endpoint.bEndpointAddress)

    @contextlib.contextmanager
    def _detect_loss(self) -> Iterator[None]:
        try:
            yield
        except usb.core.USBError as error:
            raise DeviceGone(reason_gone(self._kind, error)) from error


def _is_hid(device: usb.core.Device) -> bool:
    """True if the first interface is HID but no keyboard, by its descriptors."""
    try:
        interface = device[0][(INTERFACE, 0)]
    except (usb.core.USBError, KeyError, IndexError):  # unplugged just now, or without interfaces
        return False
    return bool(interface.bInterfaceClass == HID and interface.bInterfaceProtocol != KEYBOARD)


def _endpoint(interface: usb.core.Interface, direction: int) -> usb.core.Endpoint | None:
    def fits(endpoint: usb.core.Endpoint) -> bool:
        interrupt = usb.util.endpoint_type(endpoint.bmAttributes) == usb.util.ENDPOINT_TYPE_INTR
        return bool(interrupt and usb.util.endpoint_direction(endpoint.bEndpointAddress) == direction)

    return usb.util.find_descriptor(interface, custom_match=fits)
