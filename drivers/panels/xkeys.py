"""X-keys XK-24 (P.I. Engineering): 24 keys, two lamps each, USB vendor id 05F3.

A press is what the panel reported as a change while we listened. Keys held while plugging in, answers to
our own question and reports we cannot read never press anything.

How sure each fact is: [V] the vendor's published data report; [2] the vendor and an independent open implementation
agree. Nothing here was tried on a panel. Bytes count from 0 as libusb delivers them, without the report id 0 that leads
the vendor's tables.

Product ids [2]: 0405 and 0403 report keys, 0404 and 04E1 only take output ("hardware mode").

Input report, 32 bytes [V]:

    0      unit id, 0 to 255, set by the user
    1      bit 0 program switch, bit 1 this answers Generate Data; more than 3: another kind of report
    2-5    columns 1 to 4, left to right; bits 0 to 5 are rows 1 to 6, top to bottom; 1 = down
    6-9    milliseconds since plugging in, big-endian, wraps after 49.7 days
    10-31  reserved

Every report has the whole state of the keys. Key number = 8 * column + row, both from 0.

Other kinds, by byte 1 [V]: D6 descriptor (2 mode, 7 columns, 8 rows, 9 indicators, 10 firmware version, 11-12 product
id little-endian), E0 custom data, C1 dongle.

Output report, 35 bytes padded with zeros [V]; byte 0 is the command:

    B1             Generate Data: report the state now
    D6             report the descriptor
    B5 index n     back-light of a key: index = key number (blue), + 32 (red); n: 0 off, 1 on, 2 flash
    B3 index n     indicator: index 6 green, 7 red; n as above
    BB blue red    intensity of the two banks, 0 to 255
    B4 period      flash period, 1 fast to 255, about 4 s

BD, C7, CC, C3 and C0 write the panel's EEPROM, good for 50,000 writes [V]. They are not to be had here: `checked` lets
pass only the commands above.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Self

from drivers.events import Garbage, PanelEvent, Pressed, Released
from drivers.panels.lights import Colour, Light

VENDOR = 0x05F3
PRODUCTS = (0x0405, 0x0403)  # the default first
HARDWARE_MODE = (0x0404, 0x04E1)
COLUMNS, ROWS = 4, 6
KEYS = tuple(8 * column + row for column in range(COLUMNS) for row in range(ROWS))
INPUT_BYTES, OUTPUT_BYTES = 32, 35
RED_BANK = 32
ANSWER = 0b10  # in byte 1: this report answers Generate Data
LAST_KEY_KIND = 3
DESCRIPTOR_KIND, CUSTOM_KIND, DONGLE_KIND = 0xD6, 0xE0, 0xC1
MEMORY_COMMANDS = frozenset({0xBD, 0xC7, 0xCC, 0xC3, 0xC0})
_KEYS = struct.Struct(">BB4sI22x")
_DESCRIPTOR = struct.Struct("<BBB4xBBBBH19x")


class Command(IntEnum):
    """First byte of the output reports that may be sent."""

    GENERATE_DATA = 0xB1
    INDICATOR = 0xB3
    FLASH_PERIOD = 0xB4
    BACKLIGHT = 0xB5
    INTENSITY = 0xBB
    DESCRIPTOR = 0xD6


class Indicator(IntEnum):
    """The two small lamps beside the keys."""

    GREEN = 6
    RED = 7


class NoSuchKey(ValueError):
    """The panel has no key of that number."""


class LevelOutOfRange(ValueError):
    """An intensity or a period that does not fit its byte."""


class ReportRefused(ValueError):
    """An output report that must not reach a panel."""


@dataclass(frozen=True, slots=True)
class KeyReport:
    """The whole state of the keys at one moment."""

    keys: frozenset[int]  # those that are down
    at_ms: int  # since plugging in, modulo 2**32
    unit: int = 0
    program_switch: bool = False
    answer: bool = False  # to Generate Data

    @classmethod
    def parse(cls, report: bytes) -> Self:
        """Read 32 bytes whose byte 1 is at most 3; raises NoSuchKey where a row beyond the sixth is down."""
        unit, flags, columns, at_ms = _KEYS.unpack(report)
        down = frozenset(_down(columns))
        if strange := down.difference(KEYS):
            raise NoSuchKey(f"a key that an XK-24 does not have is down: number {min(strange)}")
        return cls(down, at_ms, unit, bool(flags & 1), bool(flags & ANSWER))

    def build(self) -> bytes:
        """The 32 bytes a panel would send."""
        columns = [sum(1 << key % 8 for key in self.keys if key // 8 == column) for column in range(COLUMNS)]
        flags = self.program_switch | self.answer * ANSWER
        return _KEYS.pack(self.unit, flags, bytes(columns), self.at_ms % 2**32)


def _down(columns: bytes) -> Iterator[int]:
    for column, bits in enumerate(columns):
        yield from (8 * column + row for row in range(8) if bits >> row & 1)


@dataclass(frozen=True, slots=True)
class Descriptor:
    """What the panel says of itself."""

    product: int
    version: int  # of the firmware
    mode: int
    columns: int = COLUMNS
    rows: int = ROWS
    indicators: int = 0
    unit: int = 0

    @classmethod
    def parse(cls, report: bytes) -> Self:
        """Read 32 bytes whose byte 1 is D6."""
        unit, _, mode, columns, rows, indicators, version, product = _DESCRIPTOR.unpack(report)
        return cls(product, version, mode, columns, rows, indicators, unit)

    def build(self) -> bytes:
        """The 32 bytes a panel would send."""
        return _DESCRIPTOR.pack(
            self.unit, DESCRIPTOR_KIND, self.mode, self.columns, self.rows, self.indicators, self.version, self.product
        )


def generate_data() -> bytes:
    """Ask for the present state of the keys."""
    return _output(Command.GENERATE_DATA)


def descriptor() -> bytes:
    """Ask for the `Descriptor`."""
    return _output(Command.DESCRIPTOR)


def backlight(key: int, light: Light, colour: Colour) -> bytes:
    """Set one lamp of one key; raises NoSuchKey."""
    if key not in KEYS:
        raise NoSuchKey(f"expected a key of an XK-24 (0-5, 8-13, 16-21 or 24-29), got {key}: correct the key number")
    return _output(Command.BACKLIGHT, key + RED_BANK * (colour is Colour.RED), light)


def indicator(lamp: Indicator, light: Light) -> bytes:
    """Set one of the two lamps beside the keys."""
    return _output(Command.INDICATOR, lamp, light)


def intensity(blue: int, red: int) -> bytes:
    """Set the brightness of all blue and all red lamps, 0 (dark) to 255; raises LevelOutOfRange."""
    return _output(Command.INTENSITY, _level(blue, 0), _level(red, 0))


def flash_period(period: int) -> bytes:
    """Set how slowly lamps flash, 1 (fast) to 255 (about 4 s); raises LevelOutOfRange."""
    return _output(Command.FLASH_PERIOD, _level(period, 1))


def checked(report: bytes) -> bytes:
    """The same report; raises ReportRefused where it is none of ours, above all if it would wear the EEPROM out."""
    if len(report) != OUTPUT_BYTES:
        raise ReportRefused(f"expected an output report of {OUTPUT_BYTES} bytes, got {len(report)}")
    if report[0] in MEMORY_COMMANDS:
        raise ReportRefused(f"command {report[0]:02X} writes the panel's memory, which wears out: it is never sent")
    if report[0] not in tuple(Command):
        raise ReportRefused(f"expected a command of {', '.join(f'{c:02X}' for c in Command)}, got {report[0]:02X}")
    return report


def _output(command: int, *values: int) -> bytes:
    return checked(bytes([command, *values]).ljust(OUTPUT_BYTES, b"\0"))


def _level(value: int, least: int) -> int:
    if not least <= value <= 0xFF:
        raise LevelOutOfRange(f"expected {least} to 255, got {value}")
    return value


class XK24:
    """The codec of one panel; remembers which keys are down."""

    kind = "panel"
    name = "XK-24"
    keys = KEYS
    report_bytes = INPUT_BYTES
    backlight = staticmethod(backlight)
    checked = staticmethod(checked)
    unit_question = staticmethod(generate_data)

    def __init__(self) -> None:
        self.descriptor: Descriptor | None = None  # the last one the panel sent
        self._down: frozenset[int] | None = None  # None: not known, just connected

    def matches(self, vendor: int, product: int) -> bool:
        """Whether the USB ids are those of an XK-24, in any of its modes."""
        return vendor == VENDOR and product in PRODUCTS + HARDWARE_MODE

    def refusal(self, product: int) -> str | None:
        """Why a panel with this product id cannot serve, and what to do; None where it can."""
        if product not in HARDWARE_MODE:
            return None
        return (
            f"panel in hardware mode: an XK-24 with USB id {VENDOR:04X}:{product:04X} lights its lamps but never "
            f"reports a key, expected {VENDOR:04X}:{PRODUCTS[0]:04X}; set the product id back with the "
            "manufacturer's program, or plug in another panel"
        )

    def unit_of(self, report: bytes) -> int | None:
        """The unit id in a report, whatever else it says."""
        return report[0] if len(report) == INPUT_BYTES else None

    def connected(self) -> list[bytes]:
        """Forget the keys and ask for their state: what is already held then is no press."""
        self._down = None
        return [generate_data()]

    def feed(self, report: bytes) -> list[PanelEvent]:
        """Pressed and Released since the report before (releases first), or Garbage where it cannot be read."""
        if len(report) != INPUT_BYTES:
            return [Garbage(report, f"expected a report of {INPUT_BYTES} bytes, got {len(report)}")]
        if report[1] > LAST_KEY_KIND:
            return self._other_kind(report)
        try:
            return self._changes(KeyReport.parse(report))
        except NoSuchKey as error:
            return [Garbage(report, str(error))]

    def _changes(self, now: KeyReport) -> list[PanelEvent]:
        before, self._down = self._down, now.keys
        if before is None:
            return []
        released: list[PanelEvent] = [Released(key, now.at_ms) for key in sorted(before - now.keys)]
        if now.answer:  # a key that went down unreported may have been held for long: it opens no round
            return released
        return released + [Pressed(key, now.at_ms) for key in sorted(now.keys - before)]

    def _other_kind(self, report: bytes) -> list[PanelEvent]:
        if report[1] == DESCRIPTOR_KIND:
            self.descriptor = Descriptor.parse(report)
        elif report[1] not in (CUSTOM_KIND, DONGLE_KIND):
            return [Garbage(report, f"expected a kind of report 00-03, C1, D6 or E0, got {report[1]:02X}")]
        return []
