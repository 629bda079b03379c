"""The reports of a Stream Deck, in and out, as `stream_deck` describes them."""

import struct
from dataclasses import dataclass
from typing import Self

from drivers.panels.stream_deck_models import Model

INPUT_ID, PICTURE_ID = 1, 2
KEYS, TOUCH, DIALS = 0x00, 0x02, 0x03  # what an input report of the newer protocol is about
INPUT_BYTES = 512  # of the longest input report
PICTURE_BYTES = 1024
FEATURE_BYTES, OLD_FEATURE_BYTES = 32, 17
RESET, BRIGHTNESS = b"\x03\x02", b"\x03\x08"
OLD_RESET, OLD_BRIGHTNESS = b"\x0b\x63", b"\x05\x55\xaa\xd1\x01"
FULL = 100  # per cent
_INPUT = struct.Struct("<BBH")
_PAGE = struct.Struct("<BBBBHH")  # 02, 07, key, last, length, number
_OLD_PAGE = struct.Struct("<BBBBBB10x")  # 02, 01, number, 0, last, key + 1
_UPLOAD, _OLD_UPLOAD = 0x07, 0x01


class BadReport(ValueError):
    """An input report that cannot be read."""


class NoSuchKey(ValueError):
    """Error: the deck has no key of that number."""


class ReportRefused(ValueError):
    """Error: this report must not reach a deck."""


def parse(report: bytes, model: Model) -> frozenset[int] | None:
    """Keys that are down; None if the report is about something else. Raises BadReport."""
    if report[:1] != bytes([INPUT_ID]):
        raise BadReport(f"expected an input report 01, got {report[:4].hex(' ') or 'nothing'}")
    return _states(report[1:], model) if model.old else _parse_newer(report, model)


def _parse_newer(report: bytes, model: Model) -> frozenset[int] | None:
    _, about, length = _INPUT.unpack(report[: _INPUT.size].ljust(_INPUT.size, b"\xff"))
    if about in (TOUCH, DIALS):
        return None
    if about != KEYS or length != len(model.keys) + model.sensors:
        raise BadReport(f"expected the state of {len(model.keys)} keys, got {report[:4].hex(' ')}")
    if len(report) < _INPUT.size + length:
        raise BadReport(f"expected {_INPUT.size + length} bytes, got {len(report)}")
    return _states(report[_INPUT.size :], model)


def _states(states: bytes, model: Model) -> frozenset[int]:
    """Parse the keys' states; bytes after them are ignored. Raises BadReport."""
    keys = states[: len(model.keys)]
    if len(keys) < len(model.keys) or max(keys) > 1:
        raise BadReport(f"expected {len(model.keys)} keys, each 00 or 01, got {keys.hex(' ')}")
    return frozenset(key for key, down in enumerate(keys) if down)


def build(keys: frozenset[int], model: Model) -> bytes:
    """Build the report that a deck would send with these keys down."""
    states = bytes(key in keys for key in model.keys)
    if model.old:
        return bytes([INPUT_ID]) + states
    length = len(model.keys) + model.sensors
    return _INPUT.pack(INPUT_ID, KEYS, length) + states + bytes(model.sensors)


@dataclass(frozen=True, slots=True)
class Page:
    """Part of a picture, sent in one report."""

    key: int
    number: int  # from 0
    last: bool
    data: bytes

    @classmethod
    def parse(cls, report: bytes, model: Model) -> Self:
        """Parse a report of 1024 bytes; raises ReportRefused if it is no page of a picture."""
        if len(report) != PICTURE_BYTES:
            raise ReportRefused(f"expected a page of {PICTURE_BYTES} bytes, got {len(report)}")
        if model.old:
            _, _, number, _, last, key = _OLD_PAGE.unpack_from(report)
            page = cls(key - 1, number, bool(last), report[_OLD_PAGE.size :])
        else:
            _, _, key, last, length, number = _PAGE.unpack_from(report)
            page = cls(key, number, bool(last), report[_PAGE.size : _PAGE.size + length])
        if page.key not in model.keys or page.build(model) != report:
            raise ReportRefused(f"expected a page of a key's picture, got {report[:16].hex(' ')}")
        return page

    def build(self, model: Model) -> bytes:
        """Encode the page as a report of 1024 bytes."""
        if model.old:
            head = _OLD_PAGE.pack(PICTURE_ID, _OLD_UPLOAD, self.number, 0, self.last, self.key + 1)
        else:
            head = _PAGE.pack(PICTURE_ID, _UPLOAD, self.key, self.last, len(self.data), self.number)
        return (head + self.data).ljust(PICTURE_BYTES, b"\0")


def pages(key: int, data: bytes, model: Model) -> list[bytes]:
    """Build the reports that show a picture on a key. Raises NoSuchKey."""
    if key not in model.keys:
        raise NoSuchKey(f"expected a key of a {model.name} (0 to {model.keys[-1]}), got {key}: correct the key number")
    room = PICTURE_BYTES - (_OLD_PAGE if model.old else _PAGE).size
    parts = [data[start : start + room] for start in range(0, len(data), room)]
    return [Page(key, number, number == len(parts) - 1, part).build(model) for number, part in enumerate(parts)]


def stream_reset() -> bytes:
    """Report that ends a picture which was sent only in part."""
    return bytes([PICTURE_ID]).ljust(PICTURE_BYTES, b"\0")


def reset(model: Model) -> bytes:
    """Report that shows the maker's logo on all keys."""
    return _feature(OLD_RESET if model.old else RESET, model)


def brightness(percent: int, model: Model) -> bytes:
    """Report that sets the brightness of all keys, 0 to 100 per cent."""
    return _feature((OLD_BRIGHTNESS if model.old else BRIGHTNESS) + bytes([percent]), model)


def version_report(model: Model) -> tuple[int, int]:
    """Id and length of the feature report that holds the firmware's version."""
    return (4, OLD_FEATURE_BYTES) if model.old else (5, FEATURE_BYTES)


def version(report: bytes, model: Model) -> str:
    """Version of the firmware in this report: text up to the first zero byte."""
    text = report[5 if model.old else 6 :].partition(b"\0")[0].decode("ascii", "replace")
    return "".join(filter(str.isprintable, text))


def checked(report: bytes, model: Model) -> bytes:
    """Return the report unchanged. Raises ReportRefused if this codec never sends such a report."""
    if report not in (stream_reset(), reset(model), brightness(FULL, model)):
        Page.parse(report, model)
    return report


def _feature(payload: bytes, model: Model) -> bytes:
    return payload.ljust(OLD_FEATURE_BYTES if model.old else FEATURE_BYTES, b"\0")
