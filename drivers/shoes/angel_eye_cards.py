"""Card telegrams of an Angel Eye: drawn in the game, sent again, drawn outside the game.

A telegram with the right check that names no card is an unreadable card; it is neither guessed nor dropped. The layout,
and how sure each fact is: see `angel_eye.py`.
"""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Self

from drivers.events import CardRead, CardUnreadable, ShoeEvent
from drivers.shoes.angel_eye_frames import BadFrame, check_top_bits, high_bits, report_frame

RANKS = "A23456789TJQK"  # coded 1 to 13
SUITS = ".DCSH"  # coded 1 to 4
PLACES = MappingProxyType({0: "player", 1: "banker", 2: "burn", 4: "first_card", 5: "burn_count"})
HANDS = frozenset({"player", "banker"})
MODES = ("lock", "error", "setting")
NO_CARD = 0x80  # suit 0 and rank 0


def encode_card(card: str | None) -> int:
    """Byte of a card such as "TD", or of no card; ValueError for a card that does not exist."""
    return NO_CARD if card is None else NO_CARD | SUITS.index(card[1:], 1) << 4 | RANKS.index(card[:1]) + 1


def decode_card(data: bytes) -> str | None:
    """Card that one byte means; None for a suit or rank of 0 ("no card").

    Also for one that does not exist, and for anything but one byte with its top bit set.
    """
    if len(data) != 1 or data[0] < NO_CARD:
        return None
    suit, rank = high_bits(data[0]), data[0] & 0x0F
    if not (1 <= suit < len(SUITS) and 1 <= rank <= len(RANKS)):
        return None
    return RANKS[rank - 1] + SUITS[suit]


@dataclass(frozen=True, slots=True)
class DrawReport:
    """`D`: a card drawn in the game; with `resent`, `R`: that card sent again.

    `position` is 1 to 3 for the two hands, and whatever the shoe sends (0 to 15) elsewhere. `card` is None if the
    telegram names none.
    """

    seq: str
    place: str
    position: int
    card: str | None
    resent: bool = False

    def encode(self) -> bytes:
        """Build the frame. Raises ValueError for an unknown place or card."""
        place = next((code for code, name in PLACES.items() if name == self.place), None)
        if place is None:
            raise ValueError(f"place must be one of {', '.join(PLACES.values())}, got {self.place!r}")
        where = 0x80 | place << 4 | self.position
        return report_frame(self.seq, (b"R" if self.resent else b"D") + bytes([where, encode_card(self.card)]))

    @classmethod
    def decode(cls, seq: str, data: bytes) -> Self:
        """Decode the place byte, then the card; None if it names no card.

        Bits 6 to 4 are the place, 3 to 0 the position. Raises BadFrame for an impossible place.
        """
        check_top_bits(data[:1], 1)
        place, position = PLACES.get(high_bits(data[0])), data[0] & 0x0F
        if place is None or (place in HANDS and not 1 <= position <= 3):
            raise BadFrame(f"place byte {data[0]:02x} is no place of a card")
        return cls(seq, place, position, decode_card(data[1:]))

    @classmethod
    def decode_resent(cls, seq: str, data: bytes) -> Self:
        """Decode the same layout under the code `R`."""
        drawn = cls.decode(seq, data)
        return cls(seq, drawn.place, drawn.position, drawn.card, resent=True)

    def event(self, raw: bytes) -> ShoeEvent:
        """Event of the table for this draw."""
        if self.card is None:
            return CardUnreadable(raw, self.place, self.position or None, error_mode=False)
        return CardRead(self.card, self.place, self.position or None, raw=raw)


@dataclass(frozen=True, slots=True)
class OutsideReport:
    """Telegram `d`: a card drawn outside the game; `mode` is one of MODES."""

    seq: str
    mode: str
    card: str | None

    def encode(self) -> bytes:
        """Build the frame. Raises ValueError for an unknown mode or card."""
        return report_frame(self.seq, b"d" + bytes([0x80 | MODES.index(self.mode) << 4, encode_card(self.card)]))

    @classmethod
    def decode(cls, seq: str, data: bytes) -> Self:
        """Decode the mode, in bits 6 to 4 of its byte, then the card. Raises BadFrame."""
        check_top_bits(data[:1], 1)
        if high_bits(data[0]) >= len(MODES):
            raise BadFrame(f"mode byte {data[0]:02x} is no mode of the shoe")
        return cls(seq, MODES[high_bits(data[0])], decode_card(data[1:]))

    def event(self, raw: bytes) -> ShoeEvent:
        """Event of the table for this card."""
        if self.card is None:
            return CardUnreadable(raw, in_game=False, error_mode=False)
        return CardRead(self.card, in_game=False, raw=raw)


@dataclass(frozen=True, slots=True)
class UnnamedCardReport:
    """Card telegram with a right check whose place or mode is impossible: `D`, `R` or `d`.

    A card came out, but nothing is known of it.
    """

    seq: str
    data: bytes  # the code and what follows it

    def encode(self) -> bytes:
        """Frame of the telegram, as bytes."""
        return report_frame(self.seq, self.data)

    def event(self, raw: bytes) -> ShoeEvent:
        """Event of the table: an unreadable card."""
        return CardUnreadable(raw, in_game=not self.data.startswith(b"d"), error_mode=False)
