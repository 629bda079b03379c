"""Captures of the bytes on a device's line, as text for people and for replays.

    # tablectl capture, begun 2026-11-22T11:20:05Z
    0.000000 shoe < 05 31 50 03 36 32    # StandBy
    0.412345 shoe > 02 4F 50 4C 4B 30 32 03 31 42
    05 32 44 81 B8 03 34 43

Each line: seconds since the beginning, the device, < from it or > to it, the bytes in hex. A line with only bytes came
from the device, right after the line above it. Text after # is a remark. A capture contains cards: only its owner may
read it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

HEADER = "# tablectl capture, begun {at}\n"
Direction = Literal["<", ">"]


class BadCapture(ValueError):
    """Text that is no capture; the message is one line."""


@dataclass(frozen=True, slots=True)
class CapturedBytes:
    """Bytes that passed over a line at once."""

    at: float  # seconds since the beginning
    direction: Direction
    data: bytes
    device: str = "shoe"

    def line(self, remark: str = "") -> str:
        """Format as a line of a capture. `remark`: must not contain a line end."""
        text = f"{self.at:.6f} {self.device} {self.direction} {self.data.hex(' ').upper()}"
        return f"{text}  # {remark}\n" if remark else f"{text}\n"


def read_capture(text: str) -> Iterator[CapturedBytes]:
    """Yield the bytes that passed over the lines, in order. Raises BadCapture."""
    at = 0.0
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if words:
            passed = _read(words, at, f"line {number}: ")
            at = passed.at
            yield passed


def _read(words: list[str], last: float, where: str) -> CapturedBytes:
    try:
        match words:
            case [at, device, "<" | ">" as direction, *data]:
                passed = CapturedBytes(float(at), direction, bytes.fromhex(" ".join(data)), device)
            case _:
                passed = CapturedBytes(last, "<", bytes.fromhex(" ".join(words)))
    except ValueError:
        text = " ".join(words)[:60]
        raise BadCapture(f"{where}expected such as 0.412 shoe < 05 31 50 03 36 32, got {text!r}") from None
    if not last <= passed.at < float("inf"):
        raise BadCapture(f"{where}expected a time from {last:g} s on, got {passed.at:g}")
    return passed
