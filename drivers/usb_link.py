"""Link to a shoe, panel or beacon on USB: finds it, keeps it open and moves its reports.

Invariant: a transfer from the device is under way at all times, so that no key press is missed. One thread only waits
for it; another one finds, opens, writes and closes. Their events are handed to the event loop in order; the loop never
waits for USB.

Events for the table: `Found` after each successful open, then the codec's events, then `Lost` once. While there is no
usable device, `DeviceUnusable` once per cause (no permission, in use, hardware mode, no libusb); the search goes on. A
failure of the codec is `Lost` too, and ends the search. After `take_back` all this is reported again, and `Missing` if
there is no device. pyusb reports no plugging, so the bus is checked every half second.
"""

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from drivers.events import DeviceEvent, DeviceUnusable, Found, Lost, Missing, Version
from drivers.identity import ConfiguredIdentity, Identity, Recognition, address_of
from drivers.models import DriverFailed, decode, guard_codec
from drivers.patience import DeviceCannotServe, Patience
from drivers.unit_id import first_reports
from drivers.usb_codec import UsbCodec
from drivers.usb_device import WRITE_MS, Backend, DeviceGone, UsbDevice, devices
from drivers.usb_instead import describe_similar
from drivers.versions import version_of

_T = TypeVar("_T")
_Outbox: TypeAlias = queue.SimpleQueue[bytes | Exception | None]  # reports; why reading failed; None: the stop


@dataclass(frozen=True, slots=True)
class Timing:
    """Waiting times of the link."""

    write_ms: int = WRITE_MS
    poll_s: float = 0.5  # between looks at the bus
    longest_poll_s: float = 5.0  # reached by doubling while the device leaves again at once
    patience_s: float = 2.0  # a trouble that may pass is reported only after this time: udev may not be done
    retry_s: float = 0.05  # between tries while patience lasts
    join_s: float = 3.0  # how long `stop` waits for the thread


DEFAULT_TIMING = Timing()
RELEASED_S = 0.02  # wait for a read to end; one that began after the release must be released again


class LinkStuck(RuntimeError):
    """The thread did not end in time; the device may still be open."""


class UsbLink:
    """One device on USB, found again whenever it comes back.

    `deliver` is called in the loop, one event at a time. `recognition` tells the table's own device from all others.
    `backend` is a pyusb backend, by default libusb-1.0.
    """

    def __init__(
        self,
        codec: UsbCodec,
        deliver: Callable[[DeviceEvent], None],
        recognition: Recognition | None = None,
        backend: Backend | None = None,
        timing: Timing = DEFAULT_TIMING,
    ) -> None:
        with guard_codec(codec):
            self._name, self._kind = codec.name, codec.kind
        self._codec, self._deliver, self._backend = codec, deliver, backend
        self._recognition = recognition or Recognition(ConfiguredIdentity(self._kind))
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timing = timing
        self._thread = threading.Thread(target=self._run, name=f"usb {self._name}", daemon=True)
        self._stopping = threading.Event()
        self._heeded = threading.Event()  # set while the device is not cut off
        self._heeded.set()
        self._outbox: _Outbox | None = None  # outbox of the open device
        self._failed: Lost | None = None  # loss by a failure of the codec
        self._patience = Patience(timing.patience_s, timing.retry_s, timing.poll_s, timing.longest_poll_s)

    def start(self) -> None:
        """Begin to look for the device. To be called once, on the loop that gets its events."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    async def stop(self) -> None:
        """Send what is queued, then release the device, without a `Lost`. Raises LinkStuck on a stuck thread."""
        self._end()
        if self._thread.ident is None:
            return
        await asyncio.to_thread(self._thread.join, self._timing.join_s)
        if self._thread.is_alive():
            raise LinkStuck(
                f"the thread of the {self._name} did not end within {self._timing.join_s:g} s: "
                f"end the process, then unplug the {self._kind} and plug it in again"
            )

    def send(self, report: bytes) -> None:
        """Queue an output report and return at once. Raises ValueError if the codec refuses it.

        Without a device the report is dropped: lights are drawn anew after `Found`.
        """
        report, outbox = self._codec.checked(report), self._outbox
        if outbox is not None:
            outbox.put(report)

    def cut_off(self) -> None:
        """Give the device back and look for none until `take_back`. Reports no loss."""
        self._heeded.clear()
        self._wake()

    def take_back(self) -> None:
        """Look for the device again, and report anew what is found or missing."""
        if self._failed is not None:
            self._deliver(self._failed)
        self._patience.forget()
        self._heeded.set()

    def fail(self, failed: DriverFailed) -> None:
        """Report a failure of the codec as a loss, release the device and end the link."""
        if not self._stopping.is_set():
            self._end()
            self._failed = Lost(str(failed))
            self._deliver(self._failed)

    def _end(self) -> None:
        self._stopping.set()
        self._heeded.set()
        self._wake()

    def _wake(self) -> None:
        """Make the writing thread end, and with it the reading one."""
        outbox = self._outbox
        if outbox is not None:
            outbox.put(None)

    # All methods below run in the threads.

    def _run(self) -> None:
        try:
            while self._heeded.wait() and not self._stopping.is_set():
                if opened := self._look():
                    self._serve(opened)
                self._stopping.wait(self._patience.pause())
        except DriverFailed as failed:
            self._call(self.fail, failed)
        except Exception as error:  # noqa: BLE001 - our own mistake: the loop has to raise it
            self._call(_raise, error)

    def _look(self) -> UsbDevice | None:
        first: DeviceCannotServe | None = None
        try:
            usb_devices = devices(self._codec, self._backend)
            if not usb_devices and (reason := describe_similar(self._codec, self._backend)):
                first = DeviceCannotServe(reason, passing=False)
            usable = [device.identity for device in usb_devices if self._refusal(device) is None]
            self._recognition.notice(usable)
            for device in usb_devices:
                try:
                    return self._open_device(device, usable)
                except DeviceCannotServe as trouble:
                    first = first or trouble
        except DeviceCannotServe as trouble:
            first = trouble
        if first is None:
            if self._patience.note_absence():
                self._tell(Missing())
        elif reason := self._patience.note_trouble(first, time.monotonic()):
            self._tell(DeviceUnusable(reason))
        return None

    def _refusal(self, device: UsbDevice) -> str | None:
        with guard_codec(self._codec):
            return self._codec.refusal(device.product)

    def _open_device(self, device: UsbDevice, identities: Sequence[Identity]) -> UsbDevice:
        if reason := self._refusal(device):
            raise DeviceCannotServe(reason, passing=False)
        with guard_codec(self._codec):
            first: Iterable[bytes] = self._codec.connected()
        # the first reports go out before `Found`: a key pressed after it is a press
        ms = self._timing.write_ms
        first = first_reports(self._codec, self._recognition, device, first, ms)
        device.open(lambda one: self._recognition.choose(one, identities), first, ms)
        self._recognition.adopt(device.identity)
        return device

    def _serve(self, opened: UsbDevice) -> None:
        since = time.monotonic()
        outbox = self._outbox = _Outbox()
        if self._stopping.is_set() or not self._heeded.is_set():  # since before this outbox existed
            outbox.put(None)
        reader = threading.Thread(target=self._read, args=(opened, outbox), name=f"usb {self._name} in", daemon=True)
        lost = None
        try:
            one, version = opened.identity, version_of(self._codec, opened, self._timing.write_ms)
            self._tell(Found(address_of("usb", one.place), one.serial))
            if version:
                self._tell(Version(version))
            reader.start()
            self._write(opened, outbox)
        except DeviceGone as gone:
            lost = Lost(str(gone))
        finally:
            self._outbox = None
            while reader.is_alive():
                opened.release()  # which ends the read
                reader.join(RELEASED_S)
            opened.close()
        if lost is not None:
            self._tell(lost)
        self._patience.note_service(time.monotonic() - since)

    def _read(self, opened: UsbDevice, outbox: _Outbox) -> None:
        """Read reports until an error, then stop the writing thread."""
        try:
            while True:
                if report := opened.read():
                    for event in decode(self._codec, report):
                        self._tell(event)
        except Exception as error:  # noqa: BLE001 - raised again by whoever takes it out
            outbox.put(error)

    def _write(self, opened: UsbDevice, outbox: _Outbox) -> None:
        """Write reports until the stop. Raises the error that ended the reading thread."""
        while (report := outbox.get()) is not None:
            if isinstance(report, Exception):
                raise report
            opened.write(report, self._timing.write_ms)

    def _tell(self, event: DeviceEvent) -> None:
        self._call(self._deliver, event)

    def _call(self, function: Callable[[_T], None], argument: _T) -> None:
        if self._loop is None or self._loop.is_closed():  # closed without `stop`: nobody is left to deliver to
            self._end()
            return
        with contextlib.suppress(RuntimeError):  # closed just now
            self._loop.call_soon_threadsafe(function, argument)


def _raise(error: Exception) -> None:
    raise error
