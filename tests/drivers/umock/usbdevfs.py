"""The part of Linux's usbdevfs that libusb uses, for one device on a umockdev testbed.

Numbers and layouts are those of linux/usbdevice_fs.h on 64-bit machines. Needs Debian's gir1.2-umockdev-1.0 and
python3-gi.
"""

import errno
import struct
import threading
from dataclasses import dataclass
from typing import Any, Protocol

import gi

gi.require_version("UMockdev", "1.0")
from gi.repository import GLib, UMockdev  # noqa: E402 - after their version has been asked for

URB = struct.Struct("<BBxxiIxxxxQiiiiiIQ")  # struct usbdevfs_urb without isochronous frames
STATUS_AT, ACTUAL_AT, BUFFER_AT, SETUP_BYTES = 4, 28, 16, 8
INTERRUPT, CONTROL = 1, 2  # kinds of URB
REAP_PAUSE_MS = 5  # the mock node always polls ready: without a pause libusb would spin


def _request(direction: int, number: int, size: int) -> int:
    return direction << 30 | size << 16 | ord("U") << 8 | number


NONE, WRITE, READ, BOTH = 0, 1, 2, 3
SET_INTERFACE, SET_CONFIGURATION = _request(READ, 4, 8), _request(READ, 5, 4)
GET_DRIVER, IOCTL = _request(WRITE, 8, 260), _request(BOTH, 18, 16)
SUBMIT, DISCARD = _request(READ, 10, 56), _request(NONE, 11, 0)
REAP, REAP_NOW = _request(WRITE, 12, 8), _request(WRITE, 13, 8)
CLAIM, RELEASE = _request(READ, 15, 4), _request(READ, 16, 4)
RESET, CLEAR_HALT = _request(NONE, 20, 0), _request(READ, 21, 4)
DISCONNECT, CONNECT = _request(NONE, 22, 0), _request(NONE, 23, 0)
CAPABILITIES, SPEED = _request(READ, 26, 4), _request(NONE, 31, 0)
CAN_REAP_AFTER_DISCONNECT, FULL_SPEED = 0x10, 2


class NodeDevice(Protocol):
    """Device that a node passes requests to."""

    def control(self, setup: bytes, data: bytes) -> bytes | None:
        """Answer a control request; None stalls it."""

    def take_report(self, report: bytes) -> None:
        """Take an output report from the program."""

    def next_report(self) -> bytes | None:
        """Return the next input report, or None."""


@dataclass(eq=False)
class Urb:
    """USB transfer that the program has submitted."""

    kind: int
    endpoint: int
    size: int
    identity: bytes  # address in the program, which names the transfer in a discard
    data: Any
    buffer: Any
    client: Any  # the open descriptor it was submitted through


class UsbNode:
    """USB node of one device: answers the ioctls on /dev/bus/usb/... until it is unplugged.

    umockdev calls from a thread of its own; the lock keeps a transfer from being submitted in the middle of unplugging.
    """

    def __init__(self, device: NodeDevice) -> None:
        self.kernel_driver = True  # usbhid holds the interface
        self.claimed = False
        self.ioctls = UMockdev.IoctlBase.new()
        self.ioctls.connect("handle-ioctl", self._handle)
        self.ioctls.connect("client-vanished", self._vanished)
        self._device = device
        self._lock = threading.RLock()
        self._gone = False
        self.slow_ms = 0  # milliseconds that the device takes for an output report
        self.given_up = 0  # transfers that the program cancelled
        self.seized = False  # the host controller hangs: no transfer ends, not even a discarded one
        self._client: Any = None  # sender of the request that is being answered
        self._holder: Any = None  # descriptor that claimed the interface
        self._flying: list[Urb] = []
        self._done: list[Urb] = []
        self._reaping: list[Any] = []  # descriptors that wait for one of their transfers to end
        self._answers = {
            CLAIM: self._claim,
            RELEASE: self._release,
            SET_CONFIGURATION: self._set_configuration,
            IOCTL: self._driver,
            SUBMIT: self._submit,
            DISCARD: self._discard,
            GET_DRIVER: self._get_driver,
            CAPABILITIES: self._capabilities,
            SPEED: lambda _: FULL_SPEED,
            SET_INTERFACE: lambda _: 0,
            RESET: lambda _: 0,
            CLEAR_HALT: lambda _: 0,
        }

    def disturb(self) -> None:
        """End the transfers that wait for a report with EPROTO, as Linux does after a faulty answer."""
        with self._lock:
            for urb in [urb for urb in self._flying if urb.kind == INTERRUPT and urb.endpoint & 0x80]:
                self._finish(urb, -errno.EPROTO)
            self._answer_reaping()

    def deliver(self) -> None:
        """Hand the queued input reports to the transfers that wait for one."""
        with self._lock:
            for urb in [urb for urb in self._flying if urb.kind == INTERRUPT and urb.endpoint & 0x80]:
                if (report := self._device.next_report()) is None:
                    break
                self._finish(urb, 0, report)
            self._answer_reaping()

    def unplug(self) -> None:
        """End all transfers as the kernel does at a disconnect."""
        with self._lock:
            self._gone = True
            for urb in list(self._flying):
                self._finish(urb, -errno.ENODEV)
            self._answer_reaping()

    def _vanished(self, _base: object, client: Any) -> None:
        """End the transfers and the claim of a closed descriptor; its program may have died."""
        with self._lock:
            self._flying = [urb for urb in self._flying if urb.client != client]
            self._done = [urb for urb in self._done if urb.client != client]
            self._reaping = [waits for waits in self._reaping if waits != client]
            self.claimed = self.claimed and self._holder != client

    def _handle(self, _base: object, client: Any) -> bool:
        with self._lock:
            self._client = client
            return self._handle_alone(client)

    def _handle_alone(self, client: Any) -> bool:
        request = client.get_request() & 0xFFFFFFFF
        if request in (REAP, REAP_NOW):
            self._reap(client)
            return True
        try:
            client.complete(self._answer(request, client.get_arg()), 0)
        except OSError as error:
            client.complete(-1, error.errno)
        self.deliver()
        return True

    def _answer(self, request: int, argument: Any) -> int:
        if self._gone:
            raise OSError(errno.ENODEV, "unplugged")
        if request not in self._answers:
            raise OSError(errno.ENOTTY, "not known here")
        return self._answers[request](argument)

    # Who holds the interface.

    def _capabilities(self, argument: Any) -> int:
        argument.resolve(0, 4).update(0, list(struct.pack("<I", CAN_REAP_AFTER_DISCONNECT)))
        return 0

    def _get_driver(self, argument: Any) -> int:
        if not self.kernel_driver and not self.claimed:
            raise OSError(errno.ENODATA, "no driver")
        name = b"usbhid" if self.kernel_driver else b"usbfs"
        argument.resolve(0, 260).update(4, list(name.ljust(256, b"\0")))
        return 0

    def _driver(self, argument: Any) -> int:
        _interface, code = struct.unpack_from("<iI", bytes(argument.resolve(0, 16).retrieve()))
        if code == DISCONNECT and not self.kernel_driver:
            raise OSError(errno.ENODATA, "no driver")
        self.kernel_driver = {DISCONNECT: False, CONNECT: True}[code]
        return int(code == CONNECT)

    def _claim(self, _argument: Any) -> int:
        if self.kernel_driver:
            raise OSError(errno.EBUSY, "usbhid holds it")
        self.claimed, self._holder = True, self._client
        return 0

    def _release(self, _argument: Any) -> int:
        """Release the interface and, as Linux does, end its running transfers."""
        self.claimed = False
        for urb in [urb for urb in self._flying if urb.kind == INTERRUPT]:
            self._finish(urb, -errno.ESHUTDOWN)
        self._answer_reaping()
        return 0

    def _set_configuration(self, _argument: Any) -> int:
        if self.kernel_driver or self.claimed:
            raise OSError(errno.EBUSY, "an interface is held")
        return 0

    # Transfers.

    def _submit(self, argument: Any) -> int:
        identity = bytes(argument.retrieve())
        data = argument.resolve(0, URB.size)
        kind, endpoint, _status, _flags, _pointer, size, *_ = URB.unpack(bytes(data.retrieve()))
        urb = Urb(kind, endpoint, size, identity, data, data.resolve(BUFFER_AT, size) if size else None, self._client)
        self._flying.append(urb)
        if kind == CONTROL:
            self._control(urb)
        elif not endpoint & 0x80:
            self._device.take_report(bytes(urb.buffer.retrieve()))
            GLib.timeout_add(self.slow_ms, self._written, urb) if self.slow_ms else self._written(urb)
        return 0

    def _written(self, urb: Urb) -> bool:
        with self._lock:
            if urb in self._flying:
                self._finish(urb, 0, written=urb.size)
                self._answer_reaping()
        return False

    def _control(self, urb: Urb) -> None:
        raw = bytes(urb.buffer.retrieve())
        answer = self._device.control(raw[:SETUP_BYTES], raw[SETUP_BYTES:])
        if answer is None:
            self._finish(urb, -errno.EPIPE)
        else:
            self._finish(urb, 0, answer, written=urb.size - SETUP_BYTES)

    def _discard(self, argument: Any) -> int:
        identity = bytes(argument.retrieve())
        for urb in self._flying:
            if urb.identity == identity:
                self.given_up += 1
                self._finish(urb, -errno.ENOENT)
                return 0
        raise OSError(errno.EINVAL, "not flying")

    def _finish(self, urb: Urb, status: int, data: bytes = b"", written: int = 0) -> None:
        self._flying.remove(urb)
        if len(data) > urb.size:
            status, data = -errno.EOVERFLOW, data[: urb.size]
        if data:
            urb.buffer.update(SETUP_BYTES if urb.kind == CONTROL else 0, list(data))
        urb.data.update(STATUS_AT, list(struct.pack("<i", status)))
        urb.data.update(ACTUAL_AT, list(struct.pack("<i", len(data) or written)))
        self._done.append(urb)

    def _reap(self, client: Any) -> None:
        self._reaping.append(client)
        self._answer_reaping()
        if client in self._reaping:
            GLib.timeout_add(REAP_PAUSE_MS, self._nothing_to_reap, client)

    def _answer_reaping(self) -> None:
        for client in self._reaping[:]:
            urb = next((urb for urb in self._done if urb.client == client), None)
            if self.seized or (urb is None and not self._gone):
                continue
            self._reaping.remove(client)
            if urb is None:
                client.complete(-1, errno.ENODEV)
                continue
            self._done.remove(urb)
            client.get_arg().resolve(0, 8).set_ptr(0, urb.data)
            client.complete(0, 0)

    def _nothing_to_reap(self, client: Any) -> bool:
        with self._lock:
            if client in self._reaping:
                self._reaping.remove(client)
                client.complete(-1, errno.EAGAIN)
        return False
