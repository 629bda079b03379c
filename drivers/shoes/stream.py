"""A stream of bytes from a shoe, cut into pieces.

The one rule: how a stream is cut never depends on how it was chunked, and no more than LONGEST bytes are ever held.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

LONGEST = 128  # bytes kept while the end of a piece is waited for


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the stream: what a whole one is to the model, or with a `fault` what cannot be one."""

    raw: bytes
    fault: str = ""


class Stream(ABC):
    """Cuts where a piece is whole, where another begins, and where one has grown too long. A model says what it is."""

    blank = b""  # bytes at both ends of a piece that are no part of it

    def __init__(self) -> None:
        self._held = bytearray()

    def clear(self) -> None:
        """Forget a piece half received."""
        self._held.clear()

    def feed(self, data: bytes) -> list[Piece]:
        """The pieces that `data` completes, in order; blank ones are left out."""
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
        """Whether another piece begins with this byte."""

    @abstractmethod
    def is_whole(self, held: bytearray) -> bool:
        """Whether the piece ends with the byte that came last."""

    @abstractmethod
    def fault(self, held: bytearray, *, full: bool) -> str:
        """What is wrong with a piece that was cut before its end, because another began or (`full`) it grew too long;
        empty where it may be whole all the same."""
