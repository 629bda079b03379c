"""A card reader whose cards bear codes of eight digits, each with a check digit, one on a line.

The first two digits are the card, from 01 (two of clubs) to 52; five are the number of the card itself; the last makes
the sum of all digits a multiple of ten. `NOREAD` says that a card came by and could not be read.

    02 11111 3 CR LF    the three of clubs that bears the number 11111
"""

from drivers.events import CardRead, CardUnreadable, Garbage, ShoeEvent
from drivers.shoes.model import ShoeModel

CARDS = tuple(rank + suit for suit in "CDHS" for rank in "23456789TJQKA")
LONGEST = 32  # bytes without a line's end: what sends so many is set up otherwise


class BarcodeShoe:
    """Bytes in, events out. It does no I/O and keeps no clock: the table's link does, for every model."""

    def __init__(self) -> None:
        self._held = bytearray()

    def feed(self, data: bytes) -> list[ShoeEvent]:
        """The events that these bytes complete, in any chunking of the stream. Never raises for what it is fed."""
        events: list[ShoeEvent] = []
        for byte in data:
            if byte in b"\r\n":
                events += self._line(bytes(self._held))
                self._held.clear()
            elif len(self._held) == LONGEST:
                events += [Garbage(bytes(self._held), "no end of a line"), CardUnreadable(bytes(self._held))]
                self._held.clear()
            else:
                self._held.append(byte)
        return events

    def reset(self) -> None:
        """After a reconnect: forget half a line."""
        self._held.clear()

    def _line(self, raw: bytes) -> list[ShoeEvent]:
        if not raw:
            return []
        if raw == b"NOREAD":
            return [CardUnreadable(raw)]
        number = int(raw[:2]) if len(raw) == 8 and raw.isdigit() and sum(raw) % 10 == sum(b"00000000") % 10 else 0
        if not 1 <= number <= len(CARDS):
            return [Garbage(raw, "no code of a card"), CardUnreadable(raw)]
        return [CardRead(CARDS[number - 1], raw=raw)]


MODEL = ShoeModel(BarcodeShoe, baud=9600)
