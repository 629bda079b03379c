"""Commands from a host to an Angel Eye, and its answers: encoding and decoding.

The codec decides whether a command may be sent. The layout, and how sure each fact is: see `angel_eye.py`.
"""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Self

from drivers.shoes.angel_eye_frames import ACK, NAK, BadFrame, check, text_frame

NAK_MEANINGS = MappingProxyType(
    {
        0x01: "overrun, framing or parity",
        0x02: "check characters",
        0x03: "no end of text",
        0x11: "format or length",
        0x12: "address",
        0x13: "command",
        0x14: "type",
        0x21: "busy",
        0x22: "writing",
        0xFF: "other",
    }
)


class Refused(BadFrame):
    """A command the shoe cannot take; `code` is the byte of the Nak."""

    def __init__(self, code: int) -> None:
        super().__init__(f"command refused: {NAK_MEANINGS[code]}")
        self.code = code


@dataclass(frozen=True, slots=True)
class Ack:
    """Shoe to host: the command was taken."""

    def encode(self) -> bytes:
        """Encode as the byte 06."""
        return bytes([ACK])

    @classmethod
    def decode(cls, raw: bytes) -> Self:
        """Decode exactly the byte 06; raises BadFrame for anything else."""
        if raw != bytes([ACK]):
            raise BadFrame(f"expected the byte 06, got {raw.hex(' ')}")
        return cls()


@dataclass(frozen=True, slots=True)
class Nak:
    """Shoe to host: the command was not taken; `code` is one of NAK_MEANINGS."""

    code: int

    def encode(self) -> bytes:
        """Encode as two bytes: 15 and the code."""
        return bytes([NAK, self.code])

    @classmethod
    def decode(cls, raw: bytes) -> Self:
        """Decode 15 and one byte; raises BadFrame for anything else."""
        if len(raw) != 2 or raw[0] != NAK:
            raise BadFrame(f"expected the byte 15 and a reason, got {raw.hex(' ')}")
        return cls(raw[1])

    @property
    def meaning(self) -> str:
        """The refusal in words."""
        return NAK_MEANINGS.get(self.code, f"unknown refusal {self.code:02x}")


@dataclass(frozen=True, slots=True)
class DataReply:
    """Shoe to host: a command answered with data, whose meaning is not known."""

    data: bytes

    def encode(self) -> bytes:
        """Encode as 02, the data, 03, and the check over data and 03."""
        return text_frame(self.data, with_stx=False)

    @classmethod
    def decode(cls, raw: bytes) -> Self:
        """Decode a reply with either check; raises BadFrame for any other.

        Which check a shoe sends is unverified, and no card depends on it.
        """
        if raw[-2:] not in (check(raw[:-2]), check(raw[1:-2])):
            raise BadFrame(f"check characters are {raw[-2:]!r}, {check(raw[1:-2])!r} was expected")
        return cls(raw[1:-3])


@dataclass(frozen=True, slots=True)
class Command:
    """Host to shoe: `OP`, a type of two letters, data of two digits."""

    kind: str
    data: str

    def encode(self, *, with_stx: bool) -> bytes:
        """Encode as 02, the text, 03, check; `with_stx`: the check covers the leading 02 too."""
        return text_frame(f"OP{self.kind}{self.data}".encode("ascii"), with_stx=with_stx)

    @classmethod
    def decode(cls, raw: bytes, *, with_stx: bool) -> Self:
        """Decode a command. Raises Refused with the code that a shoe would answer."""
        if raw[-2:] != check(raw[0 if with_stx else 1 : -2]):
            raise Refused(0x02)
        text = raw[1:-3]
        if len(text) != 6 or not text[4:].isdigit():
            raise Refused(0x11)
        if text[:2] != b"OP":
            raise Refused(0x13)
        if not text[2:4].isalpha():
            raise Refused(0x14)
        return cls(text[2:4].decode("ascii"), text[4:].decode("ascii"))
