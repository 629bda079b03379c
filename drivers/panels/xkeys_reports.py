"""Input and output reports of X-keys panels; `xkeys` describes their bytes."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Self

from drivers.panels.lights import Colour, Light
from drivers.panels.xkeys_models import ANDROID_BYTES, ANDROID_CLOCK_AT, COLUMNS_AT, PLAIN_BYTES, XK_24, Model

INPUT_BYTES, OUTPUT_BYTES = (PLAIN_BYTES, ANDROID_BYTES), 35
ANDROID_SWITCH = 0x10  # bit of the program switch, in the byte after the columns
ANSWER = 0b10  # in byte 1: this report answers Generate Data
LAST_KEY_KIND = 3
DESCRIPTOR_KIND, CUSTOM_KIND, DONGLE_KIND = 0xD6, 0xE0, 0xC1
MEMORY_COMMANDS = frozenset({0xBD, 0xC7, 0xCC, 0xC3, 0xC0})
_CLOCK = struct.Struct(">I")
_DESCRIPTOR = struct.Struct("<BBB4xBBBBH19x")


class Command(IntEnum):
    """First byte of the output reports that may be sent."""

    GENERATE_DATA = 0xB1
    BACKLIGHT = 0xB5
    DESCRIPTOR = 0xD6


class NoSuchKey(ValueError):
    """The panel has no key of that number."""


class ReportRefused(ValueError):
    """An output report that must not reach a panel."""


@dataclass(frozen=True, slots=True)
class KeyReport:
    """Input report with the state of all keys."""

    keys: frozenset[int]  # those that are down
    at_ms: int  # since plugging in, modulo 2**32
    unit: int = 0
    program_switch: bool = False
    answer: bool = False  # to Generate Data

    @classmethod
    def parse(cls, report: bytes, model: Model = XK_24) -> Self:
        """Read a report of INPUT_BYTES whose byte 1 is at most 3.

        Raises NoSuchKey if a key is down that the model does not have.
        """
        unit, flags = report[:COLUMNS_AT]
        clock_at, end = _clock_at(len(report), model), COLUMNS_AT + model.columns
        (at_ms,) = _CLOCK.unpack_from(report, clock_at)
        down = frozenset(_keys_down(report[COLUMNS_AT:end], model))
        switch = flags & 1 or (len(report) == ANDROID_BYTES and report[end] & ANDROID_SWITCH)
        return cls(down, at_ms, unit, bool(switch), bool(flags & ANSWER))

    def build(self, model: Model = XK_24, size: int = PLAIN_BYTES) -> bytes:
        """Build the bytes that a panel would send. `size`: one of INPUT_BYTES."""
        report, android = bytearray(size), size == ANDROID_BYTES
        report[:COLUMNS_AT] = self.unit, (self.program_switch and not android) | self.answer * ANSWER
        for (column, row), key in model.numbers.items():
            report[COLUMNS_AT + column] |= (key in self.keys) << row
        if android:
            report[COLUMNS_AT + model.columns] = self.program_switch * ANDROID_SWITCH
        _CLOCK.pack_into(report, _clock_at(size, model), self.at_ms % 2**32)
        return bytes(report)


def _clock_at(size: int, model: Model) -> int:
    return ANDROID_CLOCK_AT if size == ANDROID_BYTES else model.clock_at


def _keys_down(columns: bytes, model: Model) -> Iterator[int]:
    for column, bits in enumerate(columns):
        for row in (row for row in range(8) if bits >> row & 1):
            if (column, row) not in model.numbers:
                raise NoSuchKey(f"a key that an {model.name} does not have is down: column {column + 1}, row {row + 1}")
            yield model.numbers[column, row]


@dataclass(frozen=True, slots=True)
class Descriptor:
    """Descriptor that a panel sends of itself."""

    product: int
    version: int  # of the firmware
    mode: int
    columns: int = XK_24.columns
    rows: int = XK_24.rows
    indicators: int = 0
    unit: int = 0

    @classmethod
    def parse(cls, report: bytes) -> Self:
        """Read a report of INPUT_BYTES whose byte 1 is D6."""
        unit, _, mode, columns, rows, indicators, version, product = _DESCRIPTOR.unpack_from(report)
        return cls(product, version, mode, columns, rows, indicators, unit)

    def build(self) -> bytes:
        """Build the 32 bytes that a panel would send."""
        return _DESCRIPTOR.pack(
            self.unit, DESCRIPTOR_KIND, self.mode, self.columns, self.rows, self.indicators, self.version, self.product
        )


def generate_data() -> bytes:
    """Build the report that asks for the present state of the keys."""
    return _output(Command.GENERATE_DATA)


def descriptor() -> bytes:
    """Build the report that asks for the `Descriptor`."""
    return _output(Command.DESCRIPTOR)


def backlight(key: int, light: Light, colour: Colour, model: Model = XK_24) -> bytes:
    """Build the report that sets one lamp of one key. Raises NoSuchKey."""
    if key not in model.keys:
        keys = ", ".join(map(str, model.keys))
        raise NoSuchKey(f"expected a key of an {model.name} ({keys}), got {key}: correct the key number")
    return _output(Command.BACKLIGHT, model.lamp(key, colour), light)


def checked(report: bytes) -> bytes:
    """Return the report unchanged. Raises ReportRefused if this program never sends such a report.

    So no mistake can send one that wears out the panel's EEPROM.
    """
    if len(report) != OUTPUT_BYTES:
        raise ReportRefused(f"expected an output report of {OUTPUT_BYTES} bytes, got {len(report)}")
    if report[0] in MEMORY_COMMANDS:
        raise ReportRefused(f"command {report[0]:02X} writes the panel's memory, which wears out: it is never sent")
    if report[0] not in tuple(Command):
        raise ReportRefused(f"expected a command of {', '.join(f'{c:02X}' for c in Command)}, got {report[0]:02X}")
    return report


def _output(command: int, *values: int) -> bytes:
    return checked(bytes([command, *values]).ljust(OUTPUT_BYTES, b"\0"))
