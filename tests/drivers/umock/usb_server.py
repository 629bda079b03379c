"""A device on a umockdev testbed, for programs run with libumockdev-preload: real libusb sees a real-looking one.

Run it with Debian's python3 and the project's root in PYTHONPATH. Its argument is which device, see `DEVICES`. The
first line it writes is the testbed's folder (UMOCKDEV_DIR). Then each line read is a command and gets one line back:
plug, unplug, press N, release N, scan CODE, lights (the reports to it so far, as hex), holder (usbhid, usbfs or
nobody), slow N (it takes so many milliseconds for an output report, and keeps no input report but the last), given_up
(how many transfers were), seize (from now on no transfer ends), fail (the transfer that waits for a report breaks off,
as on a disturbed cable), asked (how often an NE-USB was), silent (yes: a blink(1) has heard no word of life in time).
"""

import struct
import sys
import time
from collections import deque
from functools import partial

from usbdevfs import GLib, Node, UMockdev

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


class Told:
    """A device that keeps what it is told."""

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
            self.received(data[:length])
            return b""
        return None

    def received(self, report: bytes) -> None:
        """Keep an output report that was written."""
        self.written.append(report)

    def next_report(self) -> bytes | None:
        """The next input report, if there is one."""
        return self.reports.popleft() if self.reports else None


class Panel(Told):
    """An X-keys panel: its keys, beside what was written to the lamps."""

    def __init__(self, model: Model = XK_24, product: int | None = None) -> None:
        strings = ("P. I. Engineering", f"{model.name} HID", "T1")
        product = product or model.products[0]
        self.size = model.variant(product).report_bytes
        super().__init__(UsbIdentity(xkeys.VENDOR, product, strings, packet_bytes=self.size))
        self.model = model
        self.held: set[int] = set()

    def received(self, report: bytes) -> None:
        """Keep an output report; answer Generate Data."""
        super().received(report)
        if report[0] == Command.GENERATE_DATA:
            self.tell(answer=True)

    def tell(self, *, answer: bool = False) -> None:
        """Queue the state of the keys."""
        said = KeyReport(frozenset(self.held), 1000, answer=answer)
        self.reports.append(said.build(self.model, self.size))


class Lamp(Told):
    """A blink(1); knows whether a word of life is overdue."""

    def __init__(self) -> None:
        strings, features = ("ThingM", "blink(1) mk2", "T1"), (blink1.REPORT_ID,)
        super().__init__(UsbIdentity(blink1.VENDOR, blink1.PRODUCT, strings, endpoint_out=None, feature_ids=features))
        self._alive_at: float | None = None

    @property
    def silent(self) -> bool | None:
        """Whether it turns red and blue by turns; None before the first word of life."""
        return None if self._alive_at is None else time.monotonic() - self._alive_at > blink1.SILENCE_S

    def received(self, report: bytes) -> None:
        """Keep what it is told to show; a word of life counts by its time alone."""
        if report == blink1.alive():
            self._alive_at = time.monotonic()
        else:
            super().received(report)


def tower() -> Told:
    """An emulated signal tower, LR6-USB."""
    return Told(UsbIdentity(patlite.VENDOR, patlite.PRODUCT, ("PATLITE", "LR6-USB", "T1"), endpoint_out=1))


class Deck(Told):
    """A Stream Deck: its keys, beside the pictures and features that were sent."""

    def __init__(self, model: DeckModel = MK2) -> None:
        features = {stream_deck_reports.reset(model)[0], stream_deck_reports.brightness(0, model)[0]}
        strings = ("Elgato", model.name, "T1")
        super().__init__(
            UsbIdentity(stream_deck.VENDOR, model.products[0], strings, feature_ids=tuple(features), packet_bytes=512)
        )
        self.model = model
        self.held: set[int] = set()

    def tell(self) -> None:
        """Queue the state of the keys."""
        report = stream_deck_reports.build(frozenset(self.held), self.model)
        self.reports.append(report.ljust(512, b"\0"))


class Sensor(Told):
    """An NE-USB: a finger (press, release, whatever the key), and answers to who asks for it."""

    def __init__(self) -> None:
        super().__init__(UsbIdentity(ne_usb.VENDOR, ne_usb.PRODUCT, ("PATLITE", "NE-USB", "T1"), endpoint_out=1))
        self.held: set[int] = set()
        self.asked = 0

    def received(self, report: bytes) -> None:
        """Answer a question, keep what else there is."""
        if report == ne_usb.ASK:
            self.asked += 1
            self.reports.append(bytes([0, bool(self.held)]))
        else:
            super().received(report)

    def tell(self) -> None:
        """It says nothing by itself."""


class Scanner(Told):
    """A HID-POS scanner, and codes under it."""

    def __init__(self) -> None:
        super().__init__(hid_pos_reports.IDENTITY)

    def scan(self, code: str) -> None:
        """Queue what it says of a code."""
        self.reports.extend(hid_pos_reports.reports(code.encode()))


DEVICES = {
    "hid_pos": Scanner,
    "xk24": Panel,
    "xk80": partial(Panel, XK_80),
    "xk16_android": partial(Panel, XK_16, 0x04BD),
    "xk24_android": partial(Panel, XK_24, 0x049F),
    "xk60_android": partial(Panel, XK_60, 0x04D2),
    "xk80_android": partial(Panel, XK_80, 0x04C1),
    "xk80_kvm": partial(Panel, XK_80, 0x04D5),
    "stream_deck": Deck,
    "stream_deck_mini": partial(Deck, MINI),
    "ne_usb": Sensor,
    "lr6_usb": tower,
    "blink1": Lamp,
}


class Server:
    """The testbed, the device and its plug."""

    def __init__(self, device: str) -> None:
        self.testbed = UMockdev.Testbed.new()
        self.panel = DEVICES[device]()
        self.node = Node(self.panel)
        self.address = 1

    def obey(self, command: str, *arguments: str) -> str:
        """Carry out one command; the line to answer with."""
        answer = getattr(self, f"on_{command}")(*arguments)
        return "ok" if answer is None else answer

    def on_plug(self) -> None:
        """A new node at a new address, held by usbhid; adding it sends the uevent."""
        self.address += 1
        self.panel.reports.clear()
        self.node = Node(self.panel)
        self.testbed.attach_ioctl(self._path(), self.node.ioctls)
        self.testbed.add_from_string(self._properties())

    def on_unplug(self) -> None:
        """End the transfers, then take the node away.

        Its ioctls stay attached and fail with ENODEV: detached, a call under way would never return.
        """
        self.node.unplug()
        self.testbed.uevent("/sys" + SYSFS, "remove")
        self.testbed.remove_device("/sys" + SYSFS)

    def on_seize(self) -> None:
        """From now on no transfer ends."""
        self.node.seized = True

    def on_fail(self) -> None:
        """A transfer breaks off."""
        self.node.disturb()

    def on_asked(self) -> str:
        """How often it was asked for its sensor."""
        return str(self.panel.asked)

    def on_silent(self) -> str:
        """Whether it shows by itself that nobody speaks to it; `unasked` before the first word of life."""
        return {None: "unasked", True: "yes", False: "no"}[self.panel.silent]

    def on_slow(self, milliseconds: str) -> None:
        """It takes its time, and keeps no report but the last."""
        self.node.slow_ms = int(milliseconds)
        self.panel.reports = deque(self.panel.reports, maxlen=1)

    def on_given_up(self) -> str:
        """How many transfers have been given up by the program."""
        return str(self.node.given_up)

    def on_press(self, key: str) -> None:
        """A key goes down."""
        self.panel.held.add(int(key))
        self._tell()

    def on_release(self, key: str) -> None:
        """A key goes up."""
        self.panel.held.discard(int(key))
        self._tell()

    def on_scan(self, code: str) -> None:
        """A code is read."""
        self.panel.scan(code)
        self.node.deliver()

    def on_lights(self) -> str:
        """What was written so far."""
        return " ".join(report.hex() for report in self.panel.written)

    def on_holder(self) -> str:
        """Who has the interface."""
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
    server, loop = Server(sys.argv[1]), GLib.MainLoop()

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
