"""Layout of a HID-POS scanner's reports, from its own report descriptor.

Usage page 8C of USB-IF's HID point-of-sale tables 1.02. See `drivers.shoes.hid_pos`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from drivers.hid_descriptor import BadDescriptor, Element, inputs, report_length

SCANNER = 0x8C
DATA, CONTINUED = (SCANNER, 0xFE), (SCANNER, 0xFF)
SYMBOLOGY = (SCANNER, 0xFB), (SCANNER, 0xFC), (SCANNER, 0xFD)
COUNT = (0x01, 0x3B)  # generic desktop: byte count
LONGEST_COUNT = 2  # bytes of it, the low one first (HID 1.11, 5.8)
NO_SCANNER = "its report descriptor is not that of a HID-POS scanner: set it to HID-POS by the code in its manual"
UNREADABLE = "its report descriptor cannot be read ({}): unplug it and plug it in again, or use another scanner"
OTHERWISE = (
    "it is a HID-POS scanner, but {}: set it to a serial port (USB-COM) by the code in its manual, and write "
    'model = "barcode" with its port'
)


class BadReport(ValueError):
    """Error: a report of a code that is incomplete or contradictory."""


@dataclass(frozen=True, slots=True)
class Scan:
    """Part of a code that is in one report."""

    aim: bytes  # AIM identifier; empty if the scanner sends none
    data: bytes
    continued: bool  # True: the code continues in the next report


@dataclass(frozen=True, slots=True)
class ReportLayout:
    """Positions of the fields in a scanner's report of a code."""

    report: int
    length: int
    count: range  # bytes of the byte count; empty: zeros show where the data ends
    aim: tuple[int, ...]
    data: range
    continued: int | None  # bit of the flag; None: there is none

    @classmethod
    def of(cls, descriptor: bytes) -> Self:
        """Find the report of a code in a report descriptor. Raises BadDescriptor with a text for people."""
        try:
            elements = inputs(descriptor)
        except BadDescriptor as error:
            raise BadDescriptor(UNREADABLE.format(error)) from None
        report = next((one.report for one in elements if one.usage == DATA), None)
        if report is None:
            raise BadDescriptor(NO_SCANNER)
        mine = [one for one in elements if one.report == report]
        data, count = _run(mine, DATA, "the data of a code"), _run(mine, COUNT, "its byte count")
        if len(count) > LONGEST_COUNT:
            raise BadDescriptor(OTHERWISE.format(f"its byte count has {len(count)} bytes, expected 1 or 2"))
        aim = [one.at // 8 for usage in SYMBOLOGY for one in mine if one.usage == usage and _is_bytes(one, 1)]
        continued = next((one.at for one in mine if one.usage == CONTINUED), None)
        places = tuple(aim) if len(aim) == len(SYMBOLOGY) else ()
        return cls(report, report_length(elements, report), count, places, data, continued)

    def is_scan(self, report: bytes) -> bool:
        """True if the report holds a code; the device may have other reports too."""
        return self.report == 0 or report[:1] == bytes([self.report])

    def read(self, report: bytes) -> Scan:
        """Read the part of a code from a report, which may be padded with zeros. Raises BadReport."""
        if len(report) < self.length or any(report[self.length :]):
            raise BadReport(f"expected a report of {self.length} bytes, and zeros after it, got {len(report)}")
        bit = self.continued
        more = bit is not None and bool(report[bit // 8] >> bit % 8 & 1)
        return Scan(bytes(report[at] for at in self.aim), self._data(report), more)

    def _data(self, report: bytes) -> bytes:
        data = report[self.data.start : self.data.stop]
        if not self.count:
            code = data.rstrip(b"\0")
            if b"\0" in code:
                raise BadReport("expected zeros only after the code, got some within it")
            return code
        number = int.from_bytes(report[self.count.start : self.count.stop], "little")
        if number > len(data):
            raise BadReport(f"expected at most {len(data)} bytes of a code, got {number}")
        return data[:number]


def _run(elements: Sequence[Element], usage: tuple[int, int], name: str) -> range:
    """Bytes of this usage, one after another. Raises BadDescriptor."""
    matches = [one for one in elements if one.usage == usage]
    if not matches:
        return range(0)
    if not all(_is_bytes(one) for one in matches):
        raise BadDescriptor(OTHERWISE.format(f"{name} is not in whole bytes"))
    start, stop = matches[0].at // 8, (matches[-1].at + matches[-1].bits) // 8
    if sum(one.bits for one in matches) != 8 * (stop - start):
        raise BadDescriptor(OTHERWISE.format(f"{name} is not in one piece"))
    return range(start, stop)


def _is_bytes(one: Element, count: int | None = None) -> bool:
    """True if an element is whole bytes, and so many of them."""
    return one.bits > 0 and one.at % 8 == 0 and one.bits % 8 == 0 and count in (None, one.bits // 8)
