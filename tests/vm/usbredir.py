"""USB socket of a software PC for emulated devices: usbredir's "usb-host" for qemu's `usb-redir`.

A device of `drivers.emulators` can use `UsbSocket` in place of `EmulatedUsbBus`. Plugging in connects the device to
qemu, unplugging disconnects it. The PC's own kernel enumerates the device and binds usbhid to it.

Implements control and interrupt transfers of version 0.7 of the protocol; numbers are those of usbredirproto.h.
"""

import contextlib
import socket
import struct
import threading
from collections import deque
from pathlib import Path

import usb.core

from drivers.emulators.usb_identity import UsbIdentity
from drivers.emulators.usb_port import EmulatedUsbDevice, Port

(HELLO, CONNECT, _, RESET, INTERFACES, ENDPOINTS, SET_CONFIGURATION, GET_CONFIGURATION, CONFIGURATION,
 SET_ALTERNATIVE, GET_ALTERNATIVE, ALTERNATIVE) = range(12)  # fmt: skip
START_RECEIVING, STOP_RECEIVING, RECEIVING = 15, 16, 17
CONTROL, INTERRUPT = 100, 103
DONE, STALLED = 0, 4
FULL_SPEED, INTERRUPT_TYPE, CONTROL_TYPE, NO_TYPE, HID = 1, 3, 0, 255, 3
VERSION_OF_DEVICE, ACKNOWLEDGES, SIZES, LONG_IDS, LONG_TRANSFERS = 1, 3, 4, 5, 6  # capabilities; xHCI requires them all
CAPABILITIES = sum(1 << one for one in (VERSION_OF_DEVICE, ACKNOWLEDGES, SIZES, LONG_IDS, LONG_TRANSFERS))
CONTROL_HEAD, INTERRUPT_HEAD = struct.Struct("<BBBBHHH"), struct.Struct("<BBH")
GET_DESCRIPTOR, DEVICE, OF_CONFIGURATION, OF_HID, OF_REPORTS = 6, 1, 2, 0x21, 0x22
KEPT = 2  # input reports that a device keeps until the PC asks for one
SET_IDLE = (0x21, 10)
SETTINGS = {(0, 9), (0, 1), (2, 1), (0, 3), (1, 11)}  # configuration, features, interface
VENDORS_REPORTS = bytes.fromhex(
    "0600ff 0901 a101 1500 26ff00 7508 9540 0902 8102 9540 0903 9102 c0"
)  # 64 bytes each way


class UsbSocket:
    """Socket for one USB device. `path`: Unix socket of qemu's `usb-redir` character device."""

    def __init__(self, path: Path) -> None:
        self.changed = threading.Condition(threading.RLock())
        self._path = path
        self._plug: Plug | None = None

    def plug(self, device: EmulatedUsbDevice, **_: object) -> None:
        """Plug in this device; does nothing if a device is plugged in already."""
        with self.changed:
            if self._plug is None:
                device.power_on()
                self._plug = Plug(self._path, device, self.changed)

    def unplug(self, device: EmulatedUsbDevice | None = None) -> None:
        """Unplug the device, if one is plugged in."""
        with self.changed:
            plug, self._plug = self._plug, None
        if plug is not None:
            plug.pull()

    def plugged(self, device: EmulatedUsbDevice) -> bool:
        """Return True if a device is plugged in."""
        with self.changed:
            return self._plug is not None

    def report(self, device: EmulatedUsbDevice, report: bytes) -> None:
        """Send an input report from the device, as soon as the PC asks for one."""
        with self.changed:
            if self._plug is not None:
                self._plug.report(report)


class Plug:
    """Connection of one device to qemu, from plugging in to unplugging."""

    def __init__(self, path: Path, device: EmulatedUsbDevice, changed: threading.Condition) -> None:
        self._device, self._changed = device, changed
        self._port = Port(device, 1, 1, changed, kernel_driver=False, refused_opens=0, in_use=False, configured=True)
        self._line = socket.socket(socket.AF_UNIX)
        self._line.connect(str(path))
        self._heard = self._line.makefile("rb")
        self._long_ids, self._configuration, self._sent = False, 0, 0
        self._asked = False  # whether the PC asks for input reports
        self._waiting: deque[bytes] = deque(maxlen=KEPT)
        self._say(HELLO, struct.pack("<64sI", b"tablectl", CAPABILITIES))
        self._thread = threading.Thread(target=self._serve, name="usbredir", daemon=True)
        self._thread.start()

    def pull(self) -> None:
        """Disconnect from qemu, and wait until the thread has ended."""
        with contextlib.suppress(OSError):
            self._line.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._heard.close()
        self._line.close()

    def report(self, report: bytes) -> None:
        """Queue an input report, and send it as soon as the PC asks for one."""
        self._waiting.append(report)
        self._hand_over()

    def _hand_over(self) -> None:
        while self._asked and self._waiting:
            report = self._waiting.popleft()
            self._sent += 1
            head = INTERRUPT_HEAD.pack(self._identity.endpoint_in, DONE, len(report))
            self._say(INTERRUPT, head + report, self._sent)

    @property
    def _identity(self) -> UsbIdentity:
        return self._device.identity

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while head := self._heard.read(8):
                kind, length = struct.unpack("<II", head)
                number = int.from_bytes(self._heard.read(8 if self._long_ids else 4), "little")
                body = self._heard.read(length)
                with self._changed:
                    self._answer(kind, number, body)

    def _say(self, kind: int, what: bytes, number: int = 0) -> None:
        head = struct.pack("<IIQ" if self._long_ids else "<III", kind, len(what), number)
        with contextlib.suppress(OSError):  # the PC is off
            self._line.sendall(head + what)

    def _answer(self, kind: int, number: int, body: bytes) -> None:
        if kind == HELLO:
            self._long_ids = bool(int.from_bytes(body[64:68], "little") & 1 << LONG_IDS)
            self._introduce()
        elif kind in (SET_CONFIGURATION, GET_CONFIGURATION):
            self._configuration = body[0] if body else self._configuration
            self._say(CONFIGURATION, bytes([DONE, self._configuration]), number)
        elif kind in (SET_ALTERNATIVE, GET_ALTERNATIVE):
            self._say(ALTERNATIVE, bytes([DONE, body[0], 0]), number)
        elif kind == RESET:
            self._asked = False
        elif kind in (START_RECEIVING, STOP_RECEIVING):
            self._asked = kind == START_RECEIVING
            self._say(RECEIVING, bytes([DONE, body[0]]), number)
            self._hand_over()
        elif kind == CONTROL:
            self._say(CONTROL, self._controlled(body), number)
        elif kind == INTERRUPT:
            endpoint, _, length = INTERRUPT_HEAD.unpack_from(body)
            self._device.take_report(body[INTERRUPT_HEAD.size :])
            self._say(INTERRUPT, INTERRUPT_HEAD.pack(endpoint, DONE, length), number)

    def _introduce(self) -> None:
        # interface number, class, subclass, protocol
        numbers = b"".join(bytes([value]).ljust(32, b"\0") for value in (0, HID, 0, 0))
        self._say(INTERFACES, struct.pack("<I", 1) + numbers)
        kinds, every, sizes = [NO_TYPE] * 32, [0] * 32, [0] * 32
        kinds[0] = kinds[16] = CONTROL_TYPE
        sizes[0] = sizes[16] = 64
        for endpoint in (self._identity.endpoint_in, self._identity.endpoint_out):
            if endpoint is not None:
                place = (endpoint & 0x80) >> 3 | endpoint & 0xF
                kinds[place], every[place], sizes[place] = INTERRUPT_TYPE, 8, self._identity.packet_bytes
        self._say(ENDPOINTS, bytes(kinds) + bytes(every) + bytes(32) + struct.pack("<32H", *sizes))
        ids = self._identity.vendor, self._identity.product, 0x0100
        self._say(CONNECT, struct.pack("<BBBBHHH", FULL_SPEED, 0, 0, 0, *ids))

    def _controlled(self, body: bytes) -> bytes:
        endpoint, request, kind, _, value, index, length = CONTROL_HEAD.unpack_from(body)
        try:
            answer, status = self._asked_for((kind, request), value, body[CONTROL_HEAD.size :])[:length], DONE
        except usb.core.USBError:
            answer, status = b"", STALLED
        size = len(answer) if kind & 0x80 else length if status == DONE else 0
        return CONTROL_HEAD.pack(endpoint, request, kind, status, value, index, size) + answer

    def _asked_for(self, request: tuple[int, int], value: int, data: bytes) -> bytes:
        """Return the answer to a control request. Raises USBError if the request stalls."""
        reports = self._identity.report_descriptor or VENDORS_REPORTS
        hid = struct.pack("<BBHBBBH", 9, OF_HID, 0x0111, 0, 1, OF_REPORTS, len(reports))
        if request == SET_IDLE or request in SETTINGS:
            return b""
        if request[1] == GET_DESCRIPTOR:
            descriptors = {
                DEVICE: self._identity.device(), OF_CONFIGURATION: self._identity.configuration(hid),
                OF_HID: hid, OF_REPORTS: reports,
            }  # fmt: skip
            if value >> 8 in descriptors:
                return descriptors[value >> 8]
        return self._port.control(request, value, data)
