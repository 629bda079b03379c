"""Link over one line (a serial port, or a keyboard that types codes): opens, reads, and reopens it.

The link lasts as long as the program. Failures of the port and of the other end are reported as Found or Lost; none is
raised into the program. A failure of the codec is Lost too, and ends the link: the port is closed and not opened again.

Everything runs on the event loop, except opening and closing, which may block and run in the loop's executor.

Bytes are read and written on the port's descriptor, which never blocks: pyserial's own `write` uses the whole processor
while a port accepts nothing.
"""

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from drivers.events import DeviceEvent, Found, Lost
from drivers.identity import NotOurs
from drivers.keyboards.node import Node
from drivers.models import DriverFailed, Feedable, decode, guard_codec
from drivers.own_port import OwnPort
from drivers.patience import DeviceCannotServe
from drivers.serial_port import VANISHED, Line, close
from drivers.serial_reasons import Reason
from drivers.shoes import SpeakingCodec

FIRST_WAIT = 0.1  # seconds to the first try after a loss; doubled each time
LONGEST_WAIT = 1.6  # so that a port that is back is found within two seconds, opening included
CHUNK = 4096


class LineCodec(Feedable, Protocol):
    """Interface of a codec for a serial line: a shoe's, or another device's."""

    def reset(self) -> None:
        """Called after each reconnect: drop a partly received message."""


class SerialLink:
    """Keeps one port open and passes the codec's events to `deliver`, on the event loop.

    port: where the device is, and which device may be there.
    deliver: called with every event of the codec, Found(port) after each open, Lost(reason) when the port goes. While
    it stays away, a further Lost comes only for a reason not yet reported (no permission where it was missing before).
    weigh: called with the number of bytes received and of their events, before these are delivered; it may call
    `cut_off` if they are too many.
    A local port is locked against other programs that lock too; the lock is advisory.
    """

    def __init__(
        self,
        port: OwnPort,
        codec: LineCodec,
        deliver: Callable[[DeviceEvent], None],
        weigh: Callable[[float, int], None] = lambda _bytes, _events: None,
    ) -> None:
        self.port, self._own = port.name, port
        self._codec, self._deliver, self._weigh = codec, deliver, weigh
        self._line: Line | Node | None = None
        self._gone = asyncio.Event()
        self._stopping = asyncio.Event()
        self._heeded = asyncio.Event()  # set while the device is not cut off
        self._heeded.set()
        self._task: asyncio.Task[None] | None = None
        self._reported_reasons: set[str] = set()  # since the port was last present or taken back
        self._lost = False  # True: the loss of an open port was reported
        self._failed: Lost | None = None  # loss by a failure of the codec
        self.trouble: str | None = "not started"

    @property
    def is_present(self) -> bool:
        """True if the port is open; if not, `trouble` says why, as of the last try."""
        return self._line is not None

    def start(self) -> None:
        """Begin to look for the port. To be called once, on the running loop."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name=f"serial {self.port}")
        self._task.add_done_callback(_raise_in_loop)

    async def stop(self) -> None:
        """Close the port and end.

        Reports no loss. Waits for a connection that is being opened, five seconds at most.
        """
        self._stopping.set()
        self._gone.set()
        self._heeded.set()
        if self._task is not None:
            await asyncio.wait([self._task])

    def send(self, data: bytes) -> bool:
        """Write to the port; returns False if it is not open or takes nothing just now.

        Never blocks. If the port proves to be gone, `deliver` is called with Lost before this returns.
        """
        if self._line is None:
            return False
        try:
            return os.write(self._line.fileno(), data) == len(data)
        except BlockingIOError:
            return False  # stuck, not gone: data from the shoe still arrives
        except OSError as error:
            self._lose(self._own.loss_reason(error))
            return False

    def cut_off(self) -> None:
        """Close the port, deliver nothing more and leave it closed until `take_back`. Reports no loss."""
        self._heeded.clear()
        self._let_go("cut off: it sends too much")

    def take_back(self) -> None:
        """Look for the port again, and report its loss again: losses of a link that is cut off are ignored."""
        self._reported_reasons.clear()
        self._lost = False
        if self._failed is not None:
            self._deliver(self._failed)
        self._heeded.set()

    def fail(self, failed: DriverFailed) -> None:
        """Handle a failed codec: report the device as lost and close the port for good."""
        if not self._stopping.is_set():
            self._stopping.set()
            self._failed = Lost(str(failed))
            if self._line is None:
                self._deliver(self._failed)
            else:
                self._lose(str(failed))

    async def _run(self) -> None:
        wait = FIRST_WAIT
        while await self._heeded.wait() and not self._stopping.is_set():
            began = asyncio.get_running_loop().time()
            line = await self._open_line()
            if line is not None:
                await self._serve(line)
            # A port that opens and breaks at once is tried as rarely as one that does not open.
            lasted = line is not None and asyncio.get_running_loop().time() - began > LONGEST_WAIT
            wait = FIRST_WAIT if lasted else wait
            await self._pause(wait)
            wait = min(wait * 2, LONGEST_WAIT)

    async def _pause(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)

    async def _open_line(self) -> Line | Node | None:
        try:
            return await asyncio.get_running_loop().run_in_executor(None, self._own.open)
        except (NotOurs, DeviceCannotServe) as error:
            self._report_absence(Reason(str(error)))
        except (*VANISHED, ValueError) as error:
            self._report_absence(self._own.open_failure(error))
        return None

    def _report_absence(self, reason: Reason) -> None:
        """Report each reason once per absence; after a reported loss, not that the port is away.

        A second reason must occur twice in a row: just after plugging, udev has not yet set the port's group.
        """
        settled = reason.text == self.trouble or not self._reported_reasons
        self.trouble = reason.text
        if settled and not (reason.text in self._reported_reasons or (reason.away and self._lost)):
            self._reported_reasons.add(reason.text)
            self._deliver(Lost(reason.text))

    async def _serve(self, line: Line | Node) -> None:
        loop, descriptor = asyncio.get_running_loop(), line.fileno()
        try:
            if self._heeded.is_set() and not self._stopping.is_set():
                self._find(line)
                await self._gone.wait()
        finally:
            self._line, self.trouble = None, self.trouble or "stopped"
            loop.remove_reader(descriptor)
            await loop.run_in_executor(None, close, line)

    def _find(self, line: Line | Node) -> None:
        self._gone.clear()
        self._reported_reasons.clear()
        self._line, self.trouble = line, None
        try:
            with guard_codec(self._codec):
                self._codec.reset()
        except DriverFailed as failed:
            self.fail(failed)
            return
        asyncio.get_running_loop().add_reader(line.fileno(), self._readable, line)
        self._deliver(Found(self._own.address, self._own.serial))

    def _readable(self, line: Line | Node) -> None:
        try:
            data = os.read(line.fileno(), CHUNK)
        except BlockingIOError:
            return
        except OSError as error:
            self._lose(self._own.loss_reason(error))
            return
        if not data:  # ready, yet nothing to read: hung up, or the other end of a connection closed it
            self._lose(self._own.loss_reason())
            return
        try:
            self._hear(data)
        except DriverFailed as failed:
            self.fail(failed)

    def _hear(self, data: bytes) -> None:
        events = decode(self._codec, data)
        self._weigh(len(data) / self._own.grain, len(events))
        for event in events:
            if self._heeded.is_set():
                self._deliver(event)
        with guard_codec(self._codec):
            answer = bytes(self._codec.data_to_send()) if isinstance(self._codec, SpeakingCodec) else b""
        if answer:
            self.send(answer)

    def _lose(self, reason: str) -> None:
        """Report the loss at once and stop reading; the task that opened the port closes it."""
        if self._line is None:
            return
        self._let_go(reason)
        self._lost = True
        self._reported_reasons.add(reason)
        self._deliver(Lost(reason))

    def _let_go(self, reason: str) -> None:
        if self._line is not None:
            asyncio.get_running_loop().remove_reader(self._line.fileno())
        self._line, self.trouble = None, reason
        self._gone.set()


def _raise_in_loop(task: asyncio.Task[None]) -> None:
    """Report an error of our own that ended the link to the loop, so that the program notices at once."""
    if not task.cancelled() and (error := task.exception()):
        task.get_loop().call_exception_handler({"message": f"{task.get_name()} ended", "exception": error})
