"""Report descriptor of a HID device (HID 1.11, chapter 6.2.2): fields of its input reports.

Pure: bytes in, fields out. Raises BadDescriptor for bytes that are no such descriptor.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

INPUT, MAIN_RESETS = 0x80, frozenset({0x80, 0x90, 0xA0, 0xB0, 0xC0})  # input, output, collection, feature, end
PAGE, SIZE, REPORT_ID, COUNT, PUSH, POP = 0x04, 0x74, 0x84, 0x94, 0xA4, 0xB4
USAGE, FIRST_USAGE, LAST_USAGE = 0x08, 0x18, 0x28
LONG = 0xFE
SIZES = (0, 1, 2, 4)
MOST_BITS = 8 * 4096  # of one report


class BadDescriptor(ValueError):
    """Bytes that describe no reports."""


@dataclass(frozen=True, slots=True)
class Element:
    """One value in an input report."""

    report: int  # its id; 0 where the device has only one report, which then does not begin with its id
    usage: tuple[int, int]  # page and number; 0, 0 for padding
    at: int  # first bit
    bits: int


@dataclass(frozen=True, slots=True)
class _Globals:
    page: int = 0
    size: int = 0
    report: int = 0
    count: int = 0


@dataclass(slots=True)
class _Reading:
    now: _Globals = field(default_factory=_Globals)
    kept: list[_Globals] = field(default_factory=list)
    usages: list[tuple[int, int]] = field(default_factory=list)
    first: tuple[int, int] = (0, 0)
    ends: dict[int, int] = field(default_factory=dict)  # bits of each report so far
    elements: list[Element] = field(default_factory=list)


def inputs(descriptor: bytes) -> list[Element]:
    """Fields of the input reports, in order. Raises BadDescriptor."""
    reading = _Reading()
    for tag, size, value in _items(descriptor):
        _take(reading, tag, size, value)
    return reading.elements


def report_length(elements: list[Element], report: int) -> int:
    """Bytes of that report, with its id where it has one."""
    return -(-max(one.at + one.bits for one in elements if one.report == report) // 8)


def _items(descriptor: bytes) -> Iterator[tuple[int, int, int]]:
    at = 0
    while at < len(descriptor):
        prefix = descriptor[at]
        if prefix == LONG:
            raise BadDescriptor("a long item: none is defined")
        size = SIZES[prefix & 3]
        data = descriptor[at + 1 : at + 1 + size]
        if len(data) != size:
            raise BadDescriptor("it ends within an item")
        yield prefix & 0xFC, size, int.from_bytes(data, "little")
        at += 1 + size


def _take(reading: _Reading, tag: int, size: int, value: int) -> None:
    names = {PAGE: "page", SIZE: "size", REPORT_ID: "report", COUNT: "count"}
    usage = (value >> 16, value & 0xFFFF) if size == SIZES[-1] else (reading.now.page, value)
    if tag in names:
        reading.now = replace(reading.now, **{names[tag]: value})
    elif tag == USAGE:
        reading.usages.append(usage)
    elif tag == FIRST_USAGE:
        reading.first = usage
    elif tag == LAST_USAGE:
        _range(reading, usage)
    elif tag in (PUSH, POP):
        _stack(reading, tag)
    elif tag in MAIN_RESETS:
        if tag == INPUT:
            _input(reading)
        reading.usages = []


def _range(reading: _Reading, last: tuple[int, int]) -> None:
    numbers = range(reading.first[1], min(last[1], reading.first[1] + MOST_BITS) + 1)
    reading.usages.extend((last[0], number) for number in numbers)


def _stack(reading: _Reading, tag: int) -> None:
    if tag == PUSH:
        reading.kept.append(reading.now)
    elif not reading.kept:
        raise BadDescriptor("it pops items that it has not pushed")
    else:
        reading.now = reading.kept.pop()


def _input(reading: _Reading) -> None:
    now = reading.now
    at = reading.ends.get(now.report, 8 * bool(now.report))
    if now.size * now.count > MOST_BITS - at:
        raise BadDescriptor("a report longer than is allowed")
    usages = reading.usages or [(0, 0)]
    for number in range(now.count):
        usage = usages[min(number, len(usages) - 1)]
        reading.elements.append(Element(now.report, usage, at + number * now.size, now.size))
    reading.ends[now.report] = at + now.size * now.count
