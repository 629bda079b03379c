"""Bar-coded cards under a scanner on USB, in its HID-POS mode.

The codes are those of `drivers.shoes.barcode`.

Invariant: the scanner's own report descriptor gives the position of the code in a report. A device without such a
report in its descriptor is not used.

How sure each fact is: [V] vendors' manuals and USB-IF's tables 1.02; [2] several manuals agree; [1] one public program;
[?] unverified. Never tried on a real scanner.

Descriptor [V]: usage page 8C, usage 02 bar-code scanner, 12 scanned-data report; FB, FC, FD the three characters of the
AIM identifier, FE decoded data, FF "decoded data continued". Usage 3B of Generic Desktop is the number of data bytes.
Class 03/00/00, one interrupt endpoint to read.

Report of Honeywell and Access-IS [V], 64 bytes: 02 the report id; the number of data bytes, at most 38 (56 in decimal);
the AIM identifier `]`, letter, modifier; data from byte 5 on, padded with zeros; byte 61 a further code id; byte 63,
bit 0: continued in the next report. Another scanner has 62 bytes, with the flag at 61 [1]: so the descriptor alone
decides. The number of data bytes may take two bytes, the low one first; without it, zeros end the code [?]. A report
may be padded with zeros to the length of the packet [?].
A code in several reports is one code, at most as long as a line on a serial port (`LONGEST`). A report that is cut
short, has other bytes than zeros after its end, or claims more data than fits, is an unreadable card.

USB ids [2]: 0C2E Honeywell and Metrologic, 05E0 Zebra and Symbol, 05F9 Datalogic, 1EAB Newland, 0536 Hand Held. The
products with this mode vary, so a scanner is a device of one of these vendors whose first interface is HID and no
keyboard, or the device that the config names (`usb`). A scanner in keyboard mode is never used: otherwise anybody's
keyboard could enter cards.

Honeywell's commands (output report FD, a length, the serial command) [1] are not sent.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final

from msgspec import Meta, field

from drivers.events import CardUnreadable, Garbage, ShoeEvent
from drivers.hid_descriptor import BadDescriptor
from drivers.shoes.barcode import Aim, Barcode, Code, CodeReader, Name
from drivers.shoes.hid_pos_layout import BadReport, ReportLayout
from drivers.shoes.model import ShoeSettings, UsbShoeModel
from drivers.shoes.stream import LONGEST, Piece

VENDORS: Final = frozenset({0x0C2E, 0x05E0, 0x05F9, 0x1EAB, 0x0536})
PACKET = 64  # bytes of a report, until the descriptor is known


class HidPos:
    """The codec of one scanner; see the settings below. `reader`: give every code unchanged."""

    kind = "shoe"
    name = "HID-POS scanner"

    def __init__(
        self,
        *,
        codes: Mapping[str, str] = MappingProxyType({}),
        aim: tuple[str, ...] = (),
        no_read: str = "",
        unique: bool = False,
        usb: str = "",
        reader: bool = False,
    ) -> None:
        self._codes = (CodeReader if reader else Barcode)(codes=codes, aim=aim, no_read=no_read, unique=unique)
        self._has_aim = bool(aim)
        self._usb = tuple(int(number, 16) for number in usb.split(":")) if usb else None
        self._layout: ReportLayout | None = None
        self._held = b""

    @property
    def report_bytes(self) -> int:
        """Length of a report by its descriptor, once that is known."""
        return self._layout.length if self._layout else PACKET

    def matches(self, vendor: int, product: int) -> bool:
        """True if the USB ids are those of the config; if it has none, True for vendors of scanners."""
        return (vendor, product) == self._usb if self._usb else vendor in VENDORS

    def refusal(self, product: int) -> str | None:  # noqa: ARG002 - its descriptor says more
        """Return None: the descriptor says whether the device can serve."""
        return None

    def described(self, descriptor: bytes) -> str | None:
        """Read the layout of its reports; return why the device cannot serve, or None."""
        try:
            self._layout = ReportLayout.of(descriptor)
        except BadDescriptor as error:
            return str(error)
        return None

    def connected(self) -> list[bytes]:
        """Forget half a code and the last code after a connect; nothing to send."""
        self._held = b""
        self._codes.reset()
        return []

    def forget_last_code(self) -> None:
        """Take the next code for a new card, even if it equals the last one."""
        self._codes.forget_last_code()

    def feed(self, report: bytes) -> list[ShoeEvent]:
        """Events of one report: cards, unreadable cards, or garbage."""
        if self._layout is None or not self._layout.is_scan(report):
            return [Garbage(report, "a report that is no code")]
        try:
            scan = self._layout.read(report)
        except BadReport as error:
            self._held = b""
            return [Garbage(report, str(error)), CardUnreadable(report)]
        self._held = (self._held or (scan.aim if self._has_aim else b"")) + scan.data
        if len(self._held) > LONGEST:
            self._held = b""
            return [Garbage(report, "a code longer than that of any card"), CardUnreadable(report)]
        return [] if scan.continued else self._read()

    def checked(self, report: bytes) -> bytes:
        """Raise ValueError: nothing may be sent to the scanner."""
        raise ValueError(f"expected nothing for a scanner, got {report.hex(' ')}")

    def _read(self) -> list[ShoeEvent]:
        text, self._held = self._held.rstrip(b"\r\n"), b""
        return self._codes.take(Piece(text))


class HidPosSettings(ShoeSettings, frozen=True):
    """Settings of a HID-POS scanner in a config."""

    codes: dict[Code, Name] = field(default_factory=dict)  # register of the deck: the card of each code
    aim: tuple[Aim, ...] = ()  # AIM identifiers of codes that are cards
    no_read: Annotated[str, Meta(max_length=16)] = ""  # what the scanner sends if it cannot read a card
    unique: bool = False  # true: every single card has its own code
    usb: Annotated[str, Meta(pattern="^([0-9a-fA-F]{4}:[0-9a-fA-F]{4})?$")] = ""  # USB ids of an unknown scanner


HID_POS = UsbShoeModel(HidPos, HidPosSettings)
