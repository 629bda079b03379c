"""Frames of the Angel Eye line: their start, end and check characters.

The meaning of the bytes, and how sure each fact is: see `angel_eye.py`.
"""

from functools import reduce
from operator import xor

from drivers.shoes.stream import Stream

STX, ETX, ENQ, ACK, NAK = 0x02, 0x03, 0x05, 0x06, 0x15
STARTS = frozenset({STX, ENQ, ACK, NAK})


class BadFrame(ValueError):
    """Bytes cut out as a frame, but with a wrong check or impossible content."""


def check(covered: bytes) -> bytes:
    """The two check characters: XOR of all bytes covered, as upper-case hex digits."""
    return b"%02X" % reduce(xor, covered, 0)


def report_frame(seq: str, data: bytes) -> bytes:
    """Build 05, sequence character, data, 03, check over all but the 05."""
    body = seq.encode("ascii") + data + bytes([ETX])
    return bytes([ENQ]) + body + check(body)


def text_frame(text: bytes, *, with_stx: bool) -> bytes:
    """Build 02, text, 03, check; `with_stx`: the check covers the leading 02 too."""
    start, body = bytes([STX]), text + bytes([ETX])
    return start + body + check(start + body if with_stx else body)


def high_bits(byte: int) -> int:
    """Return bits 6 to 4 of a byte."""
    return byte >> 4 & 0b111


def check_data_length(data: bytes, length: int) -> None:
    """Raise BadFrame unless there are `length` data bytes."""
    if len(data) != length:
        raise BadFrame(f"expected {length} data bytes, got {len(data)}")


def check_top_bits(data: bytes, length: int) -> None:
    """Raise BadFrame unless there are `length` data bytes, each with its top bit set.

    Every binary data byte has its top bit set.
    """
    check_data_length(data, length)
    if any(byte < 0x80 for byte in data):
        raise BadFrame(f"expected data bytes with the top bit set, got {data.hex(' ')}")


class FrameStream(Stream):
    """Cuts either direction of the line into frames.

    A start byte (02 05 06 15) cannot occur inside a frame, so each begins a new frame, and an incomplete one is
    dropped. The byte after 15 is the exception: refusals 02 and 03 look like start and end.
    """

    def begins(self, held: bytearray, byte: int) -> bool:
        """True at a start byte."""
        return byte in STARTS and not (held == b"\x15" and byte == STX)

    def is_whole(self, held: bytearray) -> bool:
        """True if a frame with its check, or an answer, is complete."""
        if held[0] in (ENQ, STX):
            return len(held) > 3 and held.find(ETX) == len(held) - 3
        return held[0] == ACK or (held[0] == NAK and len(held) == 2)

    def fault(self, held: bytearray, *, full: bool) -> str:  # noqa: ARG002 - either way it is no frame
        """Return the fault of an incomplete frame; there always is one."""
        return "frame without its end" if held[0] in STARTS else "bytes outside a frame"
