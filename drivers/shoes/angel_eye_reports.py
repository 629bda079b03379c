"""Reports of an Angel Eye other than cards: one frozen dataclass per telegram.

Each encodes itself, decodes itself, and gives the event for the table. A telegram is decoded whole or not at all
(BadFrame). The layout, and how sure each fact is: see `angel_eye.py`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, Self

from drivers.events import (
    CardUnreadable,
    CutCard,
    Garbage,
    LockChanged,
    PresetChanged,
    ShoeError,
    ShoeErrorCleared,
    ShoeEvent,
    ShoeResult,
    ShoeStarted,
    StandBy,
)
from drivers.shoes.angel_eye_frames import BadFrame, check_data_length, check_top_bits, high_bits, report_frame

WINNERS = MappingProxyType({1: "player", 2: "tie", 4: "banker", 7: "forced_quit"})
PAIRS: tuple[tuple[str, ...], ...] = ((), ("player",), ("banker",), ("player", "banker"))
UNREADABLE = 1
ERROR_MEANINGS = MappingProxyType({
    UNREADABLE: "card cannot be read",
    2: "overdraw",
    3: "button mishandled",
    4: "card moved backwards at the exit",
    5: "card moved backwards midway",
    6: "card code wrong",
    7: "drawing took too long",
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Dataless:
    """Telegram that has only its code, without data."""

    seq: str
    CODE: ClassVar[bytes]
    EVENT: ClassVar[Callable[[bytes], ShoeEvent]]

    def encode(self) -> bytes:
        """Frame of the telegram, as bytes."""
        return report_frame(self.seq, self.CODE)

    @classmethod
    def decode(cls, seq: str, data: bytes) -> Self:
        """Decode a telegram without data bytes."""
        check_data_length(data, 0)
        return cls(seq)

    def event(self, raw: bytes) -> ShoeEvent:
        """Event of the table for this telegram."""
        return type(self).EVENT(raw)


@dataclass(frozen=True, slots=True)
class StartReport(_Dataless):
    """`S`: the shoe booted, was reset, or its cards were changed."""

    CODE, EVENT = b"S", ShoeStarted


@dataclass(frozen=True, slots=True)
class StandByReport(_Dataless):
    """Telegram `P`: stand-by between rounds."""

    CODE, EVENT = b"P", StandBy


@dataclass(frozen=True, slots=True)
class CutReport(_Dataless):
    """Telegram `C`: the cut card came out."""

    CODE, EVENT = b"C", CutCard


@dataclass(frozen=True, slots=True)
class ResultReport:
    """`G`: the shoe's result; `pairs` holds "player" and "banker" in that order."""

    seq: str
    winner: str
    pairs: tuple[str, ...] = ()

    def encode(self) -> bytes:
        """Build the frame. Raises ValueError for an unknown winner or pair."""
        winner = next((code for code, name in WINNERS.items() if name == self.winner), None)
        if winner is None:
            raise ValueError(f"winner must be one of {', '.join(WINNERS.values())}, got {self.winner!r}")
        return report_frame(self.seq, b"G" + bytes([0x80 | winner << 4 | PAIRS.index(self.pairs)]))

    @classmethod
    def decode(cls, seq: str, data: bytes) -> Self:
        """Decode the winner in bits 6 to 4, the pairs in 1 and 0. Raises BadFrame.

        No source describes bits 3 and 2: they are ignored.
        """
        check_top_bits(data, 1)
        if high_bits(data[0]) not in WINNERS:
            raise BadFrame(f"result byte {data[0]:02x} names no winner")
        return cls(seq, WINNERS[high_bits(data[0])], PAIRS[data[0] & 0b11])

    def event(self, raw: bytes) -> ShoeEvent:
        """Event of the table: the shoe's result."""
        return ShoeResult(self.winner, self.pairs, raw)


@dataclass(frozen=True, slots=True)
class ErrorReport:
    """`E`: an error of the shoe, `code` 0 to 63."""

    seq: str
    code: int
    error_mode: bool

    def encode(self) -> bytes:
        """Frame of the telegram, as bytes."""
        return report_frame(self.seq, b"E" + bytes([0x80 | self.error_mode << 6 | self.code]))

    @classmethod
    def decode(cls, seq: str, data: bytes) -> Self:
        """Decode bit 6, now in error mode, and bits 5 to 0, the code."""
        check_top_bits(data, 1)
        return cls(seq, data[0] & 0x3F, error_mode=bool(data[0] & 0x40))

    def event(self, raw: bytes) -> ShoeEvent:
        """Event of the table: for error 1 an unread card, for any other the error."""
        if self.code == UNREADABLE:
            return CardUnreadable(raw, error_mode=self.error_mode)
        meaning = ERROR_MEANINGS.get(self.code, f"unknown error {self.code}")
        return ShoeError(self.code, meaning, self.error_mode, raw)


@dataclass(frozen=True, slots=True)
class ErrorCancelledReport:
    """Telegram `e`: an error was cancelled, `code` 0 to 127."""

    seq: str
    code: int

    def encode(self) -> bytes:
        """Frame of the telegram, as bytes."""
        return report_frame(self.seq, b"e" + bytes([0x80 | self.code]))

    @classmethod
    def decode(cls, seq: str, data: bytes) -> Self:
        """Decode the code in bits 6 to 0."""
        check_top_bits(data, 1)
        return cls(seq, data[0] & 0x7F)

    def event(self, raw: bytes) -> ShoeEvent:
        """Event of the table: the error has ended."""
        return ShoeErrorCleared(self.code, raw)


@dataclass(frozen=True, slots=True)
class LockReport:
    """`L`: the outlet was locked or unlocked by the physical key."""

    seq: str
    locked: bool

    def encode(self) -> bytes:
        """Frame of the telegram, as bytes."""
        return report_frame(self.seq, b"L" + bytes([0x80 | self.locked]))

    @classmethod
    def decode(cls, seq: str, data: bytes) -> Self:
        """Decode the data byte, bit 0: locked."""
        check_top_bits(data, 1)
        return cls(seq, locked=bool(data[0] & 1))

    def event(self, raw: bytes) -> ShoeEvent:
        """Event of the table: locked or unlocked."""
        return LockChanged(self.locked, raw)


@dataclass(frozen=True, slots=True)
class PresetReport:
    """`M`: a setting was changed at the shoe; two and four printable characters."""

    seq: str
    address: str
    value: str

    def encode(self) -> bytes:
        """Frame of the telegram, as bytes."""
        return report_frame(self.seq, b"M" + f"{self.address:2}{self.value:4}".encode("ascii"))

    @classmethod
    def decode(cls, seq: str, data: bytes) -> Self:
        """Decode plain text, which only this telegram has as data. Raises BadFrame."""
        check_data_length(data, 6)
        text = data.decode("ascii", "replace")
        if not (text.isascii() and text.isprintable()):
            raise BadFrame(f"expected six printable characters, got {data.hex(' ')}")
        return cls(seq, text[:2], text[2:])

    def event(self, raw: bytes) -> ShoeEvent:
        """Event of the table: a changed preset."""
        return PresetChanged(self.address, self.value, raw)


@dataclass(frozen=True, slots=True)
class UnknownReport:
    """Telegram with a right check but an unknown meaning: only its number counts."""

    seq: str
    data: bytes
    reason: str = "telegram of an unknown kind"

    def encode(self) -> bytes:
        """Frame of the telegram, as bytes."""
        return report_frame(self.seq, self.data)

    def event(self, raw: bytes) -> ShoeEvent:
        """Event of the table: garbage with the reason."""
        return Garbage(raw, f"{self.reason}: {self.data[:1]!r}")
