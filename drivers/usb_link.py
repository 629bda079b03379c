"""A panel or a beacon on USB: found, kept open, its reports moved, for as long as the program runs.

The one rule: a single thread owns the device. It reads with a short time-out, writes what was queued in between, and
hands what it learns to the event loop in order; the loop never waits for USB.

What the table hears: `Found` after each successful open, then the codec's events, then `Lost` once. While there is no
usable device, `DeviceUnusable` once per cause (no permission, in use, hardware mode, no libusb); looking goes on.

pyusb gives no notice of plugging, so the bus is looked at every half second.
"""

import asyncio
import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from drivers.events import DeviceEvent, DeviceUnusable, Found, Lost
from drivers.patience import Patience, Unusable
from drivers.usb_codec import UsbCodec
from drivers.usb_device import Backend, Gone, UsbDevice, devices

_T = TypeVar("_T")


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
    `backend` is a pyusb backend, by default libusb-1.0.
    """

    def __init__(
        self,
        codec: UsbCodec,
        deliver: Callable[[DeviceEvent], None],
        serial: str | None = None,
        backend: Backend | None = None,
        timing: Timing = DEFAULT_TIMING,
    ) -> None:
        self._codec, self._deliver, self._serial, self._backend = codec, deliver, serial, backend
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timing = timing
        self._thread = threading.Thread(target=self._run, name=f"usb {codec.name}", daemon=True)
        self._stopping = threading.Event()
        self._outbox: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._open = False
        self._patience = Patience(timing.patience_s, timing.retry_s, timing.poll_s, timing.longest_poll_s)

    def start(self) -> None:
        """Begin to look for the device; to be called once, on the loop that is to hear of it."""
        self._loop = asyncio.get_running_loop()
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

    def _look(self) -> UsbDevice | None:
        first: Unusable | None = None
        try:
            for device in devices(self._codec, self._backend):
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

    def _opened(self, device: UsbDevice) -> UsbDevice:
        if reason := self._codec.refusal(device.product):
            raise Unusable(reason, passing=False)
        # the first reports go out before `Found`: a key pressed after it is a press
        device.open(self._serial, self._codec.connected(), self._timing.write_ms)
        return device

    def _serve(self, opened: UsbDevice) -> None:
        since = time.monotonic()
        _ = list(self._queued())  # meant for the device before
        self._open = True
        self._tell(Found(opened.address))
        try:
            self._converse(opened)
        except Gone as gone:
            self._open = False
            self._tell(Lost(str(gone)))
        finally:
            self._open = False
            opened.close()
        self._patience.served(time.monotonic() - since)

    def _converse(self, opened: UsbDevice) -> None:
        while True:
            stopping = self._stopping.is_set()  # asked first: what was sent before it still goes out
            for report in self._queued():
                opened.write(report, self._timing.write_ms)
            if stopping:
                return
            if report := opened.read(self._timing.read_ms):
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


def _raise(error: Exception) -> None:
    raise error
