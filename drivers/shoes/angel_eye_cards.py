"""The card telegrams of an Angel Eye: drawn in the game, told again, drawn outside the game.

A byte that is no card of the 52 is a BadFrame, never a guess. The layout, and how sure each fact is,
stands in `angel_eye.py`.
"""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Self

from drivers.events import CardRead, ShoeEvent
from drivers.shoes.angel_eye_frames import BadFrame, flagged, high, report_frame

RANKS = "A23456789TJQK"  # coded 1 to 13
SUITS = ".DCSH"  # coded 1 to 4
PLACES = MappingProxyType({0: "player", 1: "banker", 2: "burn", 4: "first_card", 5: "burn_count"})
HANDS = frozenset({"player", "banker"})
MODES = ("lock", "error", "setting")


def encode_card(card: str) -> int:
    """The byte of a card such as "TD"; ValueError for what is none."""
    return 0x80 | SUITS.index(card[1:], 1) << 4 | RANKS.index(card[:1]) + 1


def decode_card(byte: int) -> str:
    """The card that a byte means. "No card" (suit or rank 0) is a BadFrame: an unreadable card comes as error 1."""
    suit, rank = high(byte), byte & 0x0F
    if not (1 <= suit < len(SUITS) and 1 <= rank <= len(RANKS)):
        raise BadFrame(f"card byte {byte:02x} has no such suit or rank")
    return RANKS[rank - 1] + SUITS[suit]


@dataclass(frozen=True, slots=True)
class DrawReport:
    """`D`: a card drawn in the game; with `resent`, `R`: that card told again.

    `position` is 1 to 3 for the two hands, and whatever the shoe says (0 to 15) elsewhere.
    """

    seq: str
    place: str
    position: int
    card: str
    resent: bool = False

    def encode(self) -> bytes:
        """The frame; ValueError for a place or card that is none."""
        place = next((code for code, name in PLACES.items() if name == self.place), None)
        if place is None:
            raise ValueError(f"place must be one of {', '.join(PLACES.values())}, got {self.place!r}")
        where = 0x80 | place << 4 | self.position
        return report_frame(self.seq, (b"R" if self.resent else b"D") + bytes([where, encode_card(self.card)]))

    @classmethod
    def decode(cls, seq: str, data: bytes) -> Self:
        """Where (bits 6 to 4 the place, 3 to 0 the position), then the card."""
        flagged(data, 2)
        place, position = PLACES.get(high(data[0])), data[0] & 0x0F
        if place is None or (place in HANDS and not 1 <= position <= 3):
            raise BadFrame(f"place byte {data[0]:02x} is no place of a card")
        return cls(seq, place, position, decode_card(data[1]))

    @classmethod
    def decode_resent(cls, seq: str, data: bytes) -> Self:
        """The same layout under the code `R`."""
        drawn = cls.decode(seq, data)
        return cls(seq, drawn.place, drawn.position, drawn.card, resent=True)

    def event(self, raw: bytes) -> ShoeEvent:
        """As the table hears it."""
        return CardRead(self.card, self.place, self.position or None, raw=raw)


@dataclass(frozen=True, slots=True)
class OutsideReport:
    """`d`: a card drawn outside the game; `mode` is one of MODES."""

    seq: str
    mode: str
    card: str

    def encode(self) -> bytes:
        """The frame; ValueError for a mode or card that is none."""
        return report_frame(self.seq, b"d" + bytes([0x80 | MODES.index(self.mode) << 4, encode_card(self.card)]))

    @classmethod
    def decode(cls, seq: str, data: bytes) -> Self:
        """Mode in bits 6 to 4, then the card."""
        flagged(data, 2)
        if high(data[0]) >= len(MODES):
            raise BadFrame(f"mode byte {data[0]:02x} is no mode of the shoe")
        return cls(seq, MODES[high(data[0])], decode_card(data[1]))

    def event(self, raw: bytes) -> ShoeEvent:
        """As the table hears it."""
        return CardRead(self.card, in_game=False, raw=raw)
