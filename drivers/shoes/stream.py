"""Splitter for a stream of bytes from a shoe.

Invariant: the pieces do not depend on how the stream was chunked, and at most LONGEST bytes are kept.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

LONGEST = 128  # most bytes kept while a piece is incomplete


@dataclass(frozen=True, slots=True)
class Piece:
    """Part of the stream: a complete message of the model or, with a `fault`, an invalid one."""

    raw: bytes
    fault: str = ""


class Stream(ABC):
    """Stream parser: cuts at the end of a message, at the start of the next, or at the longest length.

    Each model defines these points.
    """

    blank = b""  # bytes that are stripped from both ends of a piece

    def __init__(self) -> None:
        self._held = bytearray()

    def clear(self) -> None:
        """Forget a half received piece."""
        self._held.clear()

    def feed(self, data: bytes) -> list[Piece]:
        """Return the pieces that `data` completes, in order; blank ones are left out."""
        pieces: list[Piece] = []
        for byte in data:
            if self._held and self.begins(self._held, byte):
                self._cut(pieces, self.fault(self._held, full=False))
            self._held.append(byte)
            if self.is_whole(self._held):
                self._cut(pieces, "")
            elif len(self._held) == LONGEST:
                self._cut(pieces, self.fault(self._held, full=True))
        return pieces

    def _cut(self, pieces: list[Piece], fault: str) -> None:
        if raw := bytes(self._held.strip(self.blank)) if self.blank else bytes(self._held):
            pieces.append(Piece(raw, fault))
        self._held.clear()

    @abstractmethod
    def begins(self, held: bytearray, byte: int) -> bool:
        """True if another piece begins with this byte."""

    @abstractmethod
    def is_whole(self, held: bytearray) -> bool:
        """True if the piece ends with the last byte."""

    @abstractmethod
    def fault(self, held: bytearray, *, full: bool) -> str:
        """Describe the fault of a piece that was cut before its end; empty if it may still be complete.

        It was cut because another piece began or, if `full`, because it grew too long.
        """
