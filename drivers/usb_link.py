"""The one place that touches USB: finds a panel or a beacon, keeps it open, moves its reports.

The one rule: a single thread owns the device. It reads with a short time-out, writes what was queued in between, and
hands what it learns to the event loop in order; the loop never waits for USB.

What the table hears: `Found` after each successful open, then the codec's events, then `Lost` once. While there is no
usable device, `DeviceUnusable` once per cause (no permission, in use, hardware mode, no libusb); looking goes on.

pyusb gives no notice of plugging, so the bus is looked at every half second. Debian's libusb is preferred to the
bundled one: it waits for udev, so it never meets a device before its group and mode are set.
"""

import asyncio
import contextlib
import errno
import importlib
import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

import usb.backend
import usb.backend.libusb1
import usb.core
import usb.util

from drivers.events import DeviceEvent, DeviceUnusable, Found, Lost
from drivers.patience import Patience, Unusable
from drivers.usb_codec import UsbCodec

Backend: TypeAlias = usb.backend.IBackend

_T = TypeVar("_T")

INTERFACE = 0
STALLS_IN_A_ROW = 10


@dataclass(frozen=True, slots=True)
class Timing:
    """How long the link waits for what."""

    read_ms: int = 50  # a queued light waits for one read at most
    write_ms: int = 1000
    poll_s: float = 0.5  # between looks at the bus
    longest_poll_s: float = 5.0  # reached by doubling while the device leaves again at once
    patience_s: float = 2.0  # a trouble that may pass is told only when it is older: udev may not be through
    retry_s: float = 0.05  # between tries while patience lasts
    join_s: float = 3.0  # how long `stop` waits for the thread


DEFAULT_TIMING = Timing()


class LinkStuck(RuntimeError):
    """The thread did not end in time; the device may still be open."""


class UsbLink:
    """One device on USB, found again whenever it comes back.

    `deliver` is called in the loop, one event at a time. `serial` picks one device of several by its USB serial number.
    `backend` is a pyusb backend, by default libusb-1.0. `loop` is by default the one in which `start` is called.
    """

    def __init__(
        self,
        codec: UsbCodec,
        deliver: Callable[[DeviceEvent], None],
        serial: str | None = None,
        backend: Backend | None = None,
        loop: asyncio.AbstractEventLoop | None = None,
        timing: Timing = DEFAULT_TIMING,
    ) -> None:
        self._codec, self._deliver, self._serial, self._backend = codec, deliver, serial, backend
        self._loop, self._timing = loop, timing
        self._thread = threading.Thread(target=self._run, name=f"usb {codec.name}", daemon=True)
        self._stopping = threading.Event()
        self._outbox: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._open = False
        self._patience = Patience(timing.patience_s, timing.retry_s, timing.poll_s, timing.longest_poll_s)

    def start(self) -> None:
        """Begin to look for the device; to be called once."""
        self._loop = self._loop or asyncio.get_running_loop()
        self._thread.start()

    async def stop(self) -> None:
        """Give the device back to the system, without a `Lost`; raises LinkStuck where the thread does not end.

        What was sent before goes out first.
        """
        self._stopping.set()
        if self._thread.ident is None:
            return
        await asyncio.to_thread(self._thread.join, self._timing.join_s)
        if self._thread.is_alive():
            raise LinkStuck(
                f"the thread of the {self._codec.name} did not end within {self._timing.join_s:g} s: "
                f"end the process, then unplug the {self._codec.kind} and plug it in again"
            )

    def send(self, report: bytes) -> None:
        """Queue an output report and return at once; raises ValueError where the codec forbids it.

        Without a device the report is dropped: lights are drawn anew after `Found`.
        """
        report = self._codec.checked(report)
        if self._open:
            self._outbox.put(report)

    # All below runs in the thread.

    def _run(self) -> None:
        try:
            while not self._stopping.is_set():
                if opened := self._look():
                    self._serve(opened)
                self._stopping.wait(self._patience.pause())
        except Exception as error:  # noqa: BLE001 - our own mistake: the loop must hear of it, and end
            self._call(_raise, error)

    def _look(self) -> "_Opened | None":
        first: Unusable | None = None
        try:
            for device in self._candidates():
                try:
                    return self._opened(device)
                except Unusable as trouble:
                    first = first or trouble
        except Unusable as trouble:
            first = trouble
        if first is None:
            self._patience.absent()
        elif reason := self._patience.troubled(first, time.monotonic()):
            self._tell(DeviceUnusable(reason))
        return None

    def _candidates(self) -> list[usb.core.Device]:
        backend = self._backend or libusb()
        try:
            return list(usb.core.find(find_all=True, backend=backend, custom_match=self._is_ours))
        except usb.core.USBError as error:
            raise Unusable(f"usb devices cannot be listed ({error}): see whether /dev/bus/usb is there") from error

    def _is_ours(self, device: usb.core.Device) -> bool:
        return self._codec.matches(device.idVendor, device.idProduct)

    def _opened(self, device: usb.core.Device) -> "_Opened":
        if reason := self._codec.refusal(device.idProduct):
            raise Unusable(reason, passing=False)
        opened = _Opened(device, self._codec, self._timing)
        try:
            opened.open(self._serial)
            for report in self._codec.connected():  # before `Found`: a key pressed after it is a press
                opened.write(report)
        except Unusable:
            opened.close()
            raise
        except usb.core.USBError as error:
            opened.close()
            raise Unusable(_why_not(self._codec.kind, opened.address, error)) from error
        return opened

    def _serve(self, opened: "_Opened") -> None:
        since = time.monotonic()
        _ = list(self._queued())  # meant for the device before
        self._open = True
        self._tell(Found(opened.address))
        try:
            self._converse(opened)
        except usb.core.USBError as error:
            self._open = False
            self._tell(Lost(_why_lost(self._codec.kind, error)))
        finally:
            self._open = False
            opened.close()
        self._patience.served(time.monotonic() - since)

    def _converse(self, opened: "_Opened") -> None:
        while True:
            stopping = self._stopping.is_set()  # asked first: what was sent before it still goes out
            for report in self._queued():
                opened.write(report)
            if stopping:
                return
            if report := opened.read():
                for event in self._codec.feed(report):
                    self._tell(event)

    def _queued(self) -> Iterator[bytes]:
        with contextlib.suppress(queue.Empty):
            while True:
                yield self._outbox.get_nowait()

    def _tell(self, event: DeviceEvent) -> None:
        self._call(self._deliver, event)

    def _call(self, function: Callable[[_T], None], argument: _T) -> None:
        if self._loop is None or self._loop.is_closed():  # closed without `stop`: nobody is left to hear
            self._stopping.set()
            return
        with contextlib.suppress(RuntimeError):  # closed this moment
            self._loop.call_soon_threadsafe(function, argument)


class _Opened:
    """One device: opened, read, written, given back. Raises usb.core.USBError where the device does not go along."""

    def __init__(self, device: usb.core.Device, codec: UsbCodec, timing: Timing) -> None:
        self.address = f"usb {device.bus:03d}:{device.address:03d}"
        self._device, self._kind, self._report_bytes, self._timing = device, codec.kind, codec.report_bytes, timing
        self._detached = False
        self._stalls = 0
        self._in: usb.core.Endpoint = None
        self._out: usb.core.Endpoint | None = None

    def open(self, serial: str | None) -> None:
        """Make the interface ours; raises Unusable where the serial number is not the one asked for."""
        bound = self._kernel_driver_active()  # opens the device, and takes nothing from anybody yet
        if serial is not None and (own := self._serial_number()) != serial:
            raise Unusable(
                f"expected the {self._kind} with serial number {serial}, found {own or 'one without'} at "
                f"{self.address}: plug in the right {self._kind} or correct [{self._kind}] serial"
            )
        if bound:
            self._device.detach_kernel_driver(INTERFACE)
            self._detached = True
        interface = self._configuration()[(INTERFACE, 0)]
        usb.util.claim_interface(self._device, INTERFACE)
        self._in = _endpoint(interface, usb.util.ENDPOINT_IN)
        self._out = _endpoint(interface, usb.util.ENDPOINT_OUT)
        if self._in is None:
            raise Unusable(
                f"the device at {self.address} has no interrupt endpoint to read: plug in another {self._kind}"
            )

    def read(self) -> bytes:
        """The next input report; empty where none came in time."""
        packet = self._in.wMaxPacketSize
        size = -(-self._report_bytes // packet) * packet  # whole packets, or libusb reports an overflow
        try:
            report = bytes(self._in.read(size, self._timing.read_ms))
        except usb.core.USBTimeoutError:  # normal: nobody pressed anything
            report = b""
        except usb.core.USBError as error:
            self._after_stall(error, self._in)
            return b""
        self._stalls = 0
        return report

    def write(self, report: bytes) -> None:
        """Send one output report."""
        try:
            self._send(report)
        except usb.core.USBError as error:
            self._after_stall(error, self._out)
            self._send(report)

    def close(self) -> None:
        """Give the device back to the kernel's driver, whatever state it is in."""
        with contextlib.suppress(usb.core.USBError):
            usb.util.release_interface(self._device, INTERFACE)
        if self._detached:
            with contextlib.suppress(usb.core.USBError):
                self._device.attach_kernel_driver(INTERFACE)
        usb.util.dispose_resources(self._device)

    def _kernel_driver_active(self) -> bool:
        try:
            return bool(self._device.is_kernel_driver_active(INTERFACE))
        except NotImplementedError:  # a system without such drivers
            return False

    def _serial_number(self) -> str | None:
        try:
            number: str | None = self._device.serial_number
        except ValueError:  # the device has no strings at all
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

    def _send(self, report: bytes) -> None:
        if self._out is None:  # HID 1.11, 7.2.2: SET_REPORT, for devices that read no interrupt endpoint
            sent = self._device.ctrl_transfer(0x21, 0x09, 0x0200, INTERFACE, report, self._timing.write_ms)
        else:
            sent = self._out.write(report, self._timing.write_ms)
        if sent != len(report):
            raise usb.core.USBError(f"took {sent} of {len(report)} bytes")

    def _after_stall(self, error: usb.core.USBError, endpoint: usb.core.Endpoint | None) -> None:
        self._stalls += 1
        if error.errno != errno.EPIPE or self._stalls > STALLS_IN_A_ROW:
            raise error
        if endpoint is not None:  # a control request clears its own stall
            self._device.clear_halt(endpoint.bEndpointAddress)


def libusb() -> Backend:
    """The pyusb backend: the system's libusb-1.0, else that of the package libusb_package."""
    backend = usb.backend.libusb1.get_backend(find_library=lambda _: "libusb-1.0.so.0")
    if backend is None:
        with contextlib.suppress(ImportError):
            backend = importlib.import_module("libusb_package").get_libusb1_backend()
    if backend is None:
        raise Unusable(
            "libusb-1.0 is missing, without it no USB device is seen: apt install libusb-1.0-0, "
            "or pip install 'tablectl[usb]'",
            passing=False,
        )
    return backend


def _endpoint(interface: usb.core.Interface, direction: int) -> usb.core.Endpoint | None:
    def fits(endpoint: usb.core.Endpoint) -> bool:
        interrupt = usb.util.endpoint_type(endpoint.bmAttributes) == usb.util.ENDPOINT_TYPE_INTR
        return bool(interrupt and usb.util.endpoint_direction(endpoint.bEndpointAddress) == direction)

    return usb.util.find_descriptor(interface, custom_match=fits)


def _why_not(kind: str, address: str, error: usb.core.USBError) -> str:
    if error.errno == errno.EACCES:
        return (
            f"no permission for the {kind} at {address}: give a group of this user's the device by a udev rule "
            f"(README, Devices), then plug the {kind} in again"
        )
    if error.errno == errno.EBUSY:
        return f"the {kind} at {address} is in use by another program: end that program"
    return f"the {kind} at {address} cannot be opened ({error}): unplug it and plug it in again"


def _why_lost(kind: str, error: usb.core.USBError) -> str:
    if error.errno == errno.ENODEV:
        return "unplugged"
    if isinstance(error, usb.core.USBTimeoutError):
        return f"the {kind} takes no reports"
    return f"the line to the {kind} broke ({error})"


def _raise(error: Exception) -> None:
    raise error
