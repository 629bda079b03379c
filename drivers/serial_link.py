"""One serial line: opened, read, lost and found again, for as long as the program runs.

The one rule: whatever a port, the other end or the codec does is told as Found or Lost; none of it is raised into the
program. A mistake of the codec's is the end: the port is closed and opened no more.
This is the only module that touches pyserial. All of it runs on the event loop, but for opening and closing, which may
block and are done in the loop's executor. pyserial opens, sets and closes the port; bytes are read and written on its
descriptor, which never blocks: pyserial's own `write` spins while a port takes nothing.
"""

import asyncio
import os
import socket
import termios
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlsplit

import serial

from drivers.events import DeviceEvent, Found, Lost
from drivers.models import DriverFailed, asking, heard
from drivers.serial_reasons import Reason, why_gone, why_not
from drivers.shoes import ShoeCodec, SpeakingCodec

FIRST_WAIT = 0.1  # seconds to the first try after a loss; doubled each time
LONGEST_WAIT = 1.6  # so that a port that is back is found within two seconds, opening included
CHUNK = 4096
KEEPALIVE = ((socket.TCP_KEEPIDLE, 5), (socket.TCP_KEEPINTVL, 2), (socket.TCP_KEEPCNT, 3))  # silence noticed in 11 s

# pyserial lets all of these out when a port vanishes while it is opened or closed. The last two are its own slips, when
# a descriptor or socket that it is about to use has become None.
VANISHED = (serial.SerialException, OSError, termios.error, TypeError, AttributeError)


class UnusablePort(ValueError):
    """The port's name, or a setting, can never work."""


@dataclass(frozen=True, slots=True)
class SerialSettings:
    """How the line talks. Defaults are the Angel Eye's; a socket ignores them, its device server has its own."""

    baud: int = 4800  # bits per second
    bytesize: int = 8
    parity: str = "N"  # N E O M S
    stopbits: float = 1

    def __post_init__(self) -> None:
        """Raises UnusablePort for what no port can do."""
        if self.baud <= 0:
            raise UnusablePort(f"expected a baud rate such as 4800, got {self.baud}")
        if self.bytesize not in (5, 6, 7, 8) or self.parity not in tuple("NEOMS") or self.stopbits not in (1, 1.5, 2):
            raise UnusablePort(f"expected settings such as 8N1, got {self.bytesize}{self.parity}{self.stopbits}")


class SerialLink:
    """Keeps one port open and hands what its codec makes of it to `deliver`, on the loop.

    port: a device path, or `socket://host:port` of a device server in raw TCP mode; UnusablePort for anything else.
    deliver: called with every event of the codec, Found(port) after each open, Lost(reason) when the port goes. While
    it stays away, a further Lost comes only for a reason not yet told (no permission where it was missing before).
    A local port is locked against other programs that lock too; the lock is advisory.
    """

    def __init__(
        self,
        port: str,
        codec: ShoeCodec,
        deliver: Callable[[DeviceEvent], None],
        settings: SerialSettings | None = None,
    ) -> None:
        self.port = usable(port)
        self._codec, self._deliver = codec, deliver
        self._settings = settings or SerialSettings()
        self._line: serial.Serial | None = None
        self._gone = asyncio.Event()
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._told: set[str] = set()  # reasons, since it was last there
        self._lost = False  # it was there before
        self.trouble: str | None = "not started"

    @property
    def present(self) -> bool:
        """Whether the port is open; if not, `trouble` says in words why, as of the last try."""
        return self._line is not None

    def start(self) -> None:
        """Begin to look for the port. To be called once, on the running loop."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name=f"serial {self.port}")
        self._task.add_done_callback(_raise_in_loop)

    async def stop(self) -> None:
        """Close the port and end. Tells no loss. A connection being opened is waited for, five seconds at most."""
        self._stopping.set()
        self._gone.set()
        if self._task is not None:
            await asyncio.wait([self._task])

    def send(self, data: bytes) -> bool:
        """Write to the port; False if it is not there or takes nothing just now.

        Never blocks. A port that proves to be gone is told as Lost before this returns: `deliver` is called from here.
        """
        if self._line is None:
            return False
        try:
            return os.write(self._line.fileno(), data) == len(data)
        except BlockingIOError:
            return False  # stuck, not gone: what the shoe says is still heard
        except OSError as error:
            self._lose(why_gone(self.port, error))
            return False

    def fail(self, failed: DriverFailed) -> None:
        """The codec made a mistake: tell the loss, close the port and open it no more."""
        if not self._stopping.is_set():
            self._stopping.set()
            if self._line is None:
                self._deliver(Lost(str(failed)))
            else:
                self._lose(str(failed))

    async def _run(self) -> None:
        wait = FIRST_WAIT
        while not self._stopping.is_set():
            began = asyncio.get_running_loop().time()
            line = await self._opened()
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

    async def _opened(self) -> serial.Serial | None:
        try:
            return await asyncio.get_running_loop().run_in_executor(None, _open, self.port, self._settings)
        except (*VANISHED, ValueError) as error:
            self._absent(why_not(self.port, error))
            return None

    def _absent(self, reason: Reason) -> None:
        """Tell a reason once per absence, and that a port which went away is away not at all.

        A second reason must come twice in a row: just after plugging, udev has not yet set the port's group.
        """
        settled = reason.text == self.trouble or not self._told
        self.trouble = reason.text
        if settled and not (reason.text in self._told or (reason.away and self._lost)):
            self._told.add(reason.text)
            self._deliver(Lost(reason.text))

    async def _serve(self, line: serial.Serial) -> None:
        loop, descriptor = asyncio.get_running_loop(), line.fileno()
        try:
            if not self._stopping.is_set():
                self._find(line)
                await self._gone.wait()
        finally:
            self._line, self.trouble = None, self.trouble or "stopped"
            loop.remove_reader(descriptor)
            await loop.run_in_executor(None, _close, line)

    def _find(self, line: serial.Serial) -> None:
        self._gone.clear()
        self._told.clear()
        self._line, self.trouble = line, None
        try:
            with asking(self._codec):
                self._codec.reset()
        except DriverFailed as failed:
            self.fail(failed)
            return
        asyncio.get_running_loop().add_reader(line.fileno(), self._readable, line)
        self._deliver(Found(self.port))

    def _readable(self, line: serial.Serial) -> None:
        try:
            data = os.read(line.fileno(), CHUNK)
        except BlockingIOError:
            return
        except OSError as error:
            self._lose(why_gone(self.port, error))
            return
        if not data:  # ready, yet nothing to read: hung up, or the other end of a connection closed it
            self._lose(why_gone(self.port))
            return
        try:
            self._hear(data)
        except DriverFailed as failed:
            self.fail(failed)

    def _hear(self, data: bytes) -> None:
        for event in heard(self._codec, data):
            self._deliver(event)
        with asking(self._codec):
            answer = bytes(self._codec.data_to_send()) if isinstance(self._codec, SpeakingCodec) else b""
        if answer:
            self.send(answer)

    def _lose(self, reason: str) -> None:
        """Told at once, and no more read; the descriptor is closed by the task that opened it."""
        if self._line is None:
            return
        asyncio.get_running_loop().remove_reader(self._line.fileno())
        self._line, self.trouble, self._lost = None, reason, True
        self._told.add(reason)
        self._gone.set()
        self._deliver(Lost(reason))


def usable(port: str) -> str:
    """The name of a port as it was given; UnusablePort if it can never work."""
    if "://" not in port and port:
        return port
    url = urlsplit(port)
    with suppress(ValueError):
        if url.scheme == "socket" and url.hostname and url.port and not (url.path or url.query):
            return port
    raise UnusablePort(
        f"expected a device path such as /dev/table/shoe or socket://host:4001, got {port!r}; "
        "a device server is to be set to raw TCP (rfc2217 cannot be watched)"
    )


def _open(port: str, settings: SerialSettings) -> serial.Serial:
    """May block: a connection up to five seconds, and a name that is looked up."""
    line = serial.serial_for_url(
        port,
        do_not_open=True,
        baudrate=settings.baud,
        bytesize=settings.bytesize,
        parity=settings.parity,
        stopbits=settings.stopbits,
        timeout=0,
        exclusive=None if _is_socket(port) else True,
    )
    try:
        line.open()
        _prompt(line, port)
    except BaseException:
        _close(line)
        raise
    return line


def _prompt(line: serial.Serial, port: str) -> None:
    """Have bytes handed over at once, and a dead network noticed."""
    if _is_socket(port):
        with socket.socket(fileno=os.dup(line.fileno())) as twin:
            twin.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for option, seconds in KEEPALIVE:
                twin.setsockopt(socket.IPPROTO_TCP, option, seconds)
        return
    with suppress(ValueError, OSError):  # not every adapter can, and no pty
        line.set_low_latency_mode(True)


def _close(line: serial.Serial) -> None:
    """May block: pyserial waits 0.3 s on a socket, and a tty may drain."""
    # pyserial forgets a socket without closing it if the other end has reset the connection.
    left = vars(line).get("_socket")
    with suppress(*VANISHED):
        line.close()
    if left is not None:
        left.close()


def _is_socket(port: str) -> bool:
    return port.startswith("socket://")


def _raise_in_loop(task: asyncio.Task[None]) -> None:
    """A slip of ours ends the link: the program must hear of it, not find it out at the next card."""
    if not task.cancelled() and (error := task.exception()):
        task.get_loop().call_exception_handler({"message": f"{task.get_name()} ended", "exception": error})
