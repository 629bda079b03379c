"""USB device on a umockdev testbed, for programs with the real libusb and libumockdev-preload.

Run it with Debian's python3 and the project's root in PYTHONPATH. The argument is the device, see `DEVICES`. The first
line of output is the testbed's folder (UMOCKDEV_DIR). Then each line of input is a command and is answered by one line:
plug, unplug, press N, release N, scan CODE, lights (the reports written so far, as hex), holder (usbhid, usbfs or
nobody), slow N (the device takes N milliseconds for an output report, and keeps only the last input report), given_up
(how many transfers were cancelled), seize (from now on no transfer ends), fail (the transfer that waits for a report
breaks off, as on a disturbed cable), asked (how often an NE-USB was polled), silent (yes: a blink(1) has received no
keep-alive in time).
"""

import struct
import sys
import time
from collections import deque
from functools import partial

from usbdevfs import GLib, UMockdev, UsbNode

from drivers.beacons import blink1, ne_usb, patlite
from drivers.emulators import hid_pos_reports
from drivers.emulators.usb_identity import UsbIdentity
from drivers.panels import stream_deck, stream_deck_reports, xkeys
from drivers.panels.stream_deck_models import MINI, MK2
from drivers.panels.stream_deck_models import Model as DeckModel
from drivers.panels.xkeys_models import XK_16, XK_24, XK_60, XK_80, Model
from drivers.panels.xkeys_reports import Command, KeyReport

SYSFS = "/devices/pci0000:00/0000:00:14.0/usb1/1-1"
HID_DESCRIPTOR = struct.pack("<BBHBBBH", 9, 0x21, 0x0111, 0, 1, 0x22, 32)  # HID 1.11, 6.2.1
GET_REPORT_DESCRIPTOR = struct.pack("<BBH", 0x81, 6, 0x2200)
STRINGS = struct.pack("<BB", 0x80, 6), 3  # GET_DESCRIPTOR, of a string
SET_FEATURE = struct.pack("<BB", 0x21, 9), 3  # SET_REPORT, of a feature report


class RecordingUsbDevice:
    """USB device that keeps the reports written to it."""

    def __init__(self, identity: UsbIdentity) -> None:
        self.identity = identity
        self.written: list[bytes] = []
        self.reports: deque[bytes] = deque()

    def control(self, setup: bytes, data: bytes) -> bytes | None:
        """Answer requests for strings, keep the feature reports that it takes, stall the others."""
        index, kind, length = setup[2], setup[3], int.from_bytes(setup[6:8], "little")
        if (setup[:2], kind) == STRINGS:
            answer = self.identity.string(index)
            return answer and answer[:length]
        if setup[:4] == GET_REPORT_DESCRIPTOR:
            return self.identity.report_descriptor
        if (setup[:2], kind) == SET_FEATURE and index in self.identity.feature_ids:
            self.take_report(data[:length])
            return b""
        return None

    def take_report(self, report: bytes) -> None:
        """Keep an output report that was written."""
        self.written.append(report)

    def next_report(self) -> bytes | None:
        """Return the next input report, or None."""
        return self.reports.popleft() if self.reports else None


class XKeysDevice(RecordingUsbDevice):
    """X-keys panel with keys to press; keeps the reports written to its lamps."""

    def __init__(self, model: Model = XK_24, product: int | None = None) -> None:
        strings = ("P. I. Engineering", f"{model.name} HID", "T1")
        product = product or model.products[0]
        self.size = model.variant(product).report_bytes
        super().__init__(UsbIdentity(xkeys.VENDOR, product, strings, packet_bytes=self.size))
        self.model = model
        self.held: set[int] = set()

    def take_report(self, report: bytes) -> None:
        """Keep an output report; answer Generate Data."""
        super().take_report(report)
        if report[0] == Command.GENERATE_DATA:
            self.tell(answer=True)

    def tell(self, *, answer: bool = False) -> None:
        """Queue an input report with the keys that are held."""
        report = KeyReport(frozenset(self.held), 1000, answer=answer)
        self.reports.append(report.build(self.model, self.size))


class Lamp(RecordingUsbDevice):
    """blink(1) lamp that knows whether a keep-alive is overdue."""

    def __init__(self) -> None:
        strings, features = ("ThingM", "blink(1) mk2", "T1"), (blink1.REPORT_ID,)
        super().__init__(UsbIdentity(blink1.VENDOR, blink1.PRODUCT, strings, endpoint_out=None, feature_ids=features))
        self._alive_at: float | None = None

    @property
    def silent(self) -> bool | None:
        """True if a keep-alive is overdue, so that the lamp turns red and blue; None before the first one."""
        return None if self._alive_at is None else time.monotonic() - self._alive_at > blink1.SILENCE_S

    def take_report(self, report: bytes) -> None:
        """Keep a report; of a keep-alive, keep only its time."""
        if report == blink1.alive():
            self._alive_at = time.monotonic()
        else:
            super().take_report(report)


def tower() -> RecordingUsbDevice:
    """An emulated signal tower, LR6-USB."""
    return RecordingUsbDevice(
        UsbIdentity(patlite.VENDOR, patlite.PRODUCT, ("PATLITE", "LR6-USB", "T1"), endpoint_out=1)
    )


class StreamDeckDevice(RecordingUsbDevice):
    """Stream Deck with keys to press; keeps the pictures and features that were sent."""

    def __init__(self, model: DeckModel = MK2) -> None:
        features = {stream_deck_reports.reset(model)[0], stream_deck_reports.brightness(0, model)[0]}
        strings = ("Elgato", model.name, "T1")
        super().__init__(
            UsbIdentity(stream_deck.VENDOR, model.products[0], strings, feature_ids=tuple(features), packet_bytes=512)
        )
        self.model = model
        self.held: set[int] = set()

    def tell(self) -> None:
        """Queue an input report with the keys that are held."""
        report = stream_deck_reports.build(frozenset(self.held), self.model)
        self.reports.append(report.ljust(512, b"\0"))


class Sensor(RecordingUsbDevice):
    """NE-USB with a touch sensor: any held key counts as a finger; answers only when polled."""

    def __init__(self) -> None:
        super().__init__(UsbIdentity(ne_usb.VENDOR, ne_usb.PRODUCT, ("PATLITE", "NE-USB", "T1"), endpoint_out=1))
        self.held: set[int] = set()
        self.asked = 0

    def take_report(self, report: bytes) -> None:
        """Answer a poll of the sensor; keep any other report."""
        if report == ne_usb.ASK:
            self.asked += 1
            self.reports.append(bytes([0, bool(self.held)]))
        else:
            super().take_report(report)

    def tell(self) -> None:
        """Do nothing: an NE-USB sends no report unless it is polled."""


class Scanner(RecordingUsbDevice):
    """HID-POS scanner that a test gives codes to read."""

    def __init__(self) -> None:
        super().__init__(hid_pos_reports.IDENTITY)

    def scan(self, code: str) -> None:
        """Queue the reports of a code."""
        self.reports.extend(hid_pos_reports.reports(code.encode()))


DEVICES = {
    "hid_pos": Scanner,
    "xk24": XKeysDevice,
    "xk80": partial(XKeysDevice, XK_80),
    "xk16_android": partial(XKeysDevice, XK_16, 0x04BD),
    "xk24_android": partial(XKeysDevice, XK_24, 0x049F),
    "xk60_android": partial(XKeysDevice, XK_60, 0x04D2),
    "xk80_android": partial(XKeysDevice, XK_80, 0x04C1),
    "xk80_kvm": partial(XKeysDevice, XK_80, 0x04D5),
    "stream_deck": StreamDeckDevice,
    "stream_deck_mini": partial(StreamDeckDevice, MINI),
    "ne_usb": Sensor,
    "lr6_usb": tower,
    "blink1": Lamp,
}


class UmockServer:
    """Server of one device on a testbed, which obeys one command a line."""

    def __init__(self, device: str) -> None:
        self.testbed = UMockdev.Testbed.new()
        self.panel = DEVICES[device]()
        self.node = UsbNode(self.panel)
        self.address = 1

    def obey(self, command: str, *arguments: str) -> str:
        """Carry out one command; return the line to answer with."""
        answer = getattr(self, f"on_{command}")(*arguments)
        return "ok" if answer is None else answer

    def on_plug(self) -> None:
        """Add a new node at a new address, held by usbhid; adding it sends the uevent."""
        self.address += 1
        self.panel.reports.clear()
        self.node = UsbNode(self.panel)
        self.testbed.attach_ioctl(self._path(), self.node.ioctls)
        self.testbed.add_from_string(self._properties())

    def on_unplug(self) -> None:
        """End the transfers, then take the node away.

        The node's ioctls stay attached and fail with ENODEV: if they were detached, a running call would never return.
        """
        self.node.unplug()
        self.testbed.uevent("/sys" + SYSFS, "remove")
        self.testbed.remove_device("/sys" + SYSFS)

    def on_seize(self) -> None:
        """Let no transfer end from now on."""
        self.node.seized = True

    def on_fail(self) -> None:
        """Break off the transfers that wait for a report."""
        self.node.disturb()

    def on_asked(self) -> str:
        """Return how often the sensor was polled."""
        return str(self.panel.asked)

    def on_silent(self) -> str:
        """Return whether a keep-alive is overdue: yes, no, or `unasked` before the first one."""
        return {None: "unasked", True: "yes", False: "no"}[self.panel.silent]

    def on_slow(self, milliseconds: str) -> None:
        """Let the device take so many milliseconds for an output report, and keep only its last input report."""
        self.node.slow_ms = int(milliseconds)
        self.panel.reports = deque(self.panel.reports, maxlen=1)

    def on_given_up(self) -> str:
        """Return how many transfers the program has cancelled."""
        return str(self.node.given_up)

    def on_press(self, key: str) -> None:
        """Press a key and report it."""
        self.panel.held.add(int(key))
        self._tell()

    def on_release(self, key: str) -> None:
        """Release a key and report it."""
        self.panel.held.discard(int(key))
        self._tell()

    def on_scan(self, code: str) -> None:
        """Let the scanner read a code."""
        self.panel.scan(code)
        self.node.deliver()

    def on_lights(self) -> str:
        """Return the reports written so far, as hex."""
        return " ".join(report.hex() for report in self.panel.written)

    def on_holder(self) -> str:
        """Return the holder of the interface: usbhid, usbfs or nobody."""
        return "usbhid" if self.node.kernel_driver else "usbfs" if self.node.claimed else "nobody"

    def _tell(self) -> None:
        self.panel.tell()
        self.node.deliver()

    def _path(self) -> str:
        return f"/dev/bus/usb/001/{self.address:03d}"

    def _properties(self) -> str:
        identity = self.panel.identity
        descriptors = identity.device() + identity.configuration(HID_DESCRIPTOR)
        return f"""P: {SYSFS}
N: bus/usb/001/{self.address:03d}
E: SUBSYSTEM=usb
E: DRIVER=usb
E: BUSNUM=001
E: DEVNUM={self.address:03d}
E: DEVNAME={self._path()}
E: DEVTYPE=usb_device
E: PRODUCT={identity.vendor:x}/{identity.product:x}/100
E: TYPE=0/0/0
A: bConfigurationValue=1\\n
A: busnum=1\\n
A: devnum={self.address}\\n
A: devpath=1\\n
A: speed=12\\n
A: serial={identity.strings[2]}\\n
A: idVendor={identity.vendor:04x}\\n
A: idProduct={identity.product:04x}\\n
H: descriptors={descriptors.hex().upper()}
"""


def main() -> None:
    """Serve until standard input ends."""
    server, loop = UmockServer(sys.argv[1]), GLib.MainLoop()

    def say(line: str) -> None:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()

    def hear(*_: object) -> bool:
        line = sys.stdin.readline()
        if line:
            say(server.obey(*line.split()))
        else:
            loop.quit()
        return bool(line)

    say(server.testbed.get_root_dir())
    GLib.io_add_watch(GLib.IOChannel.unix_new(0), 0, GLib.IOCondition.IN | GLib.IOCondition.HUP, hear)
    loop.run()


main()
