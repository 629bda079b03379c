"""Where a HID-POS scanner puts what it has read: taken from its own report descriptor, usage page 8C of USB-IF's HID
point-of-sale tables 1.02. See `drivers.shoes.hid_pos`.
"""

from dataclasses import dataclass
from typing import Self

from drivers.hid_descriptor import BadDescriptor, Element, inputs, report_length

SCANNER = 0x8C
DATA, CONTINUED = (SCANNER, 0xFE), (SCANNER, 0xFF)
SYMBOLOGY = (SCANNER, 0xFB), (SCANNER, 0xFC), (SCANNER, 0xFD)
COUNT = (0x01, 0x3B)  # generic desktop: byte count
NO_SCANNER = "its report descriptor is not that of a HID-POS scanner: set it to HID-POS by the code in its manual"


class BadReport(ValueError):
    """A report that is not whole."""


@dataclass(frozen=True, slots=True)
class Scan:
    """One report's share of a code."""

    aim: bytes  # the identifier, where the scanner tells one
    data: bytes
    continued: bool  # in the next report


@dataclass(frozen=True, slots=True)
class Layout:
    """The report of what was scanned."""

    report: int
    length: int
    count: int
    aim: tuple[int, ...]
    data: range
    continued: int | None  # the bit

    @classmethod
    def of(cls, descriptor: bytes) -> Self:
        """Raises BadDescriptor, for people."""
        elements = inputs(descriptor)
        report = next((one.report for one in elements if one.usage == DATA), None)
        mine = [one for one in elements if one.report == report]
        data, counts = _bytes(mine, DATA), _bytes(mine, COUNT)
        if report is None or len(counts) != 1 or data != list(range(data[0], data[0] + len(data))):
            raise BadDescriptor(NO_SCANNER)
        aim = [at for usage in SYMBOLOGY for at in _bytes(mine, usage)]
        continued = next((one.at for one in mine if one.usage == CONTINUED), None)
        places = tuple(aim) if len(aim) == len(SYMBOLOGY) else ()
        return cls(report, report_length(elements, report), counts[0], places, range(data[0], data[-1] + 1), continued)

    def is_scan(self, report: bytes) -> bool:
        """Whether it is the report of what was scanned, among others that the device may have."""
        return self.report == 0 or report[:1] == bytes([self.report])

    def read(self, report: bytes) -> Scan:
        """Raises BadReport."""
        if len(report) != self.length:
            raise BadReport(f"expected a report of {self.length} bytes, got {len(report)}")
        number = report[self.count]
        if number > len(self.data):
            raise BadReport(f"expected at most {len(self.data)} bytes of a code, got {number}")
        bit = self.continued
        more = bit is not None and bool(report[bit // 8] >> bit % 8 & 1)
        data = report[self.data.start : self.data.start + number]
        return Scan(bytes(report[at] for at in self.aim), data, more)


def _bytes(elements: list[Element], usage: tuple[int, int]) -> list[int]:
    """Where the bytes of this usage are; whatever is no whole byte is none. Raises BadDescriptor."""
    found = [one for one in elements if one.usage == usage]
    if usage in (DATA, COUNT) and (not found or any(one.bits != 8 or one.at % 8 for one in found)):
        raise BadDescriptor(NO_SCANNER)
    return [one.at // 8 for one in found if one.bits == 8 and one.at % 8 == 0]
