"""Bar-coded cards under a serial scanner (RS-232, or a CDC-ACM port on USB), one code per line.

The scanner does not report the place of a card.

Invariant: a card event comes only from a complete line with one of the table's own codes. A line that may have been a
card is reported as an unreadable card. The code of any other object does not stop the table.

How sure each fact is: [V] a vendor's own manual; [2] several manuals agree; [1] one public program; [?] unverified.
Never tried on a real scanner.

Line: the code as plain text, then a terminator. Datalogic ends it with CR LF on RS-232 and USB-COM [V]; Zebra sends
plain text by default [V] (its SSI packets are not read here: switch them off); the one public baccarat table with
bar-coded cards ends it with a line end, 9600 8N1 [1]. Honeywell's baud rate is given as 9600 and as 115200 [?]; the
config sets it. Here CR, LF or both end a line, or ETX with `terminator = "etx"`. A code without a terminator is not
read, as its end would be a guess: set the scanner to send one.
Prefix: text that the scanner sends before each code. A line without it came from another scanner, or is cut off.
AIM identifier: `]`, a letter, a modifier [V], sent before the code if the scanner is set to do so. A Code 39, C0 Code
128, C1 GS1-128, d Data Matrix, E UPC/EAN, F Codabar, G Code 93, I Interleaved 2 of 5, L PDF417, Q QR, z Aztec, X other.
It distinguishes a card from the EAN on a bottle of water.
Trigger (Honeywell, in its manual trigger mode TRGMOD0) [V]: SYN T CR `16 54 0D` on, SYN U CR `16 55 0D` off. With
`allow = ["lock"]` the scanner reads only while a card is due. Without it, nothing is sent.
Failed read: no line, unless the scanner is set to send a text for it (`no_read`). Whether prefix and AIM identifier
stand before that text is not known [?]: with and without them it is a failed read.

`codes` maps codes to cards. Without `codes`, a code is the name of its card (AS, TD or 10D, 9h).

Repeated codes. A scanner may read one card twice. If every card has a code of its own (`unique`), the same code again
is the same reading, until the table says that the card may come again (`forget_last_code`): the deck is a fresh one, or
a ruling has struck the card. If 52 codes stand for the cards of several decks, it may be a second card, and a codec has
no clock: set the scanner's own re-read delay ("same symbol time-out") to about a second. The table handles repeats
that still arrive: it knows whether a card was due.

Transmission errors. The symbol has a check digit, the serial line has none: a lost or changed byte makes another code.
A short code may become another card's code. Codes of six characters or more that differ much hardly ever do.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, Literal

from msgspec import Meta, field

from drivers.events import CardRead, CardUnreadable, Garbage, ShoeEvent
from drivers.shoes.model import ShoeModel, ShoeSettings
from drivers.shoes.stream import Piece, Stream

ENDS: Final[Mapping[str, bytes]] = MappingProxyType({"line": b"\r\n", "etx": b"\x03"})
TRIGGER_ON, TRIGGER_OFF = b"\x16T\r", b"\x16U\r"
RANKS, SUITS = "A23456789TJQK", "CDHS"
NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        **{rank + suit: rank + suit for rank in RANKS for suit in SUITS},
        **{f"10{suit}": f"T{suit}" for suit in SUITS},
    }
)


class CodeStream(Stream):
    """Stream parser that cuts codes at the end of their line."""

    def __init__(self, end: bytes) -> None:
        super().__init__()
        self.blank = end

    def begins(self, held: bytearray, byte: int) -> bool:  # noqa: ARG002 - nothing shows where a code begins
        """Return False: nothing shows where a code begins."""
        return False

    def is_whole(self, held: bytearray) -> bool:
        """True at the end of a line."""
        return held[-1] in self.blank

    def fault(self, held: bytearray, *, full: bool) -> str:  # noqa: ARG002 - it can only be full
        """Reason why a full line is no code."""
        return "no end of a line: is the scanner set to send one?"


class Barcode:
    """Codec of one scanner: bytes in, events out; see the settings below."""

    def __init__(
        self,
        *,
        codes: Mapping[str, str] = MappingProxyType({}),
        terminator: str = "line",
        prefix: str = "",
        aim: tuple[str, ...] = (),
        no_read: str = "",
        unique: bool = False,
        allow: frozenset[str] = frozenset(),
    ) -> None:
        self._codes, self._no_read, self._unique = codes, no_read, unique
        self._prefix, self._aim, self._allow = prefix, aim, allow
        self._stream = CodeStream(ENDS[terminator])
        self._last: str | None = None

    def feed(self, data: bytes) -> list[ShoeEvent]:
        """Return the events that `data` completes; the chunking does not matter."""
        return [event for piece in self._stream.feed(data) for event in self.take(piece)]

    def reset(self) -> None:
        """Forget half a line and the last code, after a reconnect."""
        self._stream.clear()
        self._last = None

    def forget_last_code(self) -> None:
        """Take the next code for a new card, even if it equals the last one."""
        self._last = None

    def unlock(self) -> bytes:
        """Bytes that switch reading on; ValueError unless "lock" is allowed."""
        return self._check_allowed(TRIGGER_ON)

    def lock(self) -> bytes:
        """Bytes that switch reading off; ValueError unless "lock" is allowed."""
        return self._check_allowed(TRIGGER_OFF)

    def cancel_error(self, code: int) -> bytes:  # noqa: ARG002 - of every shoe that takes commands
        """Return no bytes: a scanner has no errors to cancel."""
        return b""

    def _check_allowed(self, command: bytes) -> bytes:
        if "lock" not in self._allow:
            raise ValueError('expected to be allowed: allow = ["lock"]')
        return command

    def take(self, piece: Piece) -> list[ShoeEvent]:
        """Events of one line: a card, an unreadable card, or garbage."""
        if piece.fault:
            return [Garbage(piece.raw, piece.fault), CardUnreadable(piece.raw)]
        text = piece.raw.decode("latin-1")
        if self._is_failed_read(text.removeprefix(self._prefix)):
            return [CardUnreadable(piece.raw)]
        if reason := self._strangeness(text):
            return [Garbage(piece.raw, reason)]
        code = text[len(self._prefix) + 3 * bool(self._aim) :]
        return self._card(code, piece.raw)

    def _is_failed_read(self, text: str) -> bool:
        """True for the text of a failed read, also behind any AIM identifier."""
        return self._no_read != "" and self._no_read in (text, text[3:] if text.startswith("]") else text)

    def _strangeness(self, text: str) -> str | None:
        """Reason why a line is not the code of a card; None if it may be one."""
        if not text.startswith(self._prefix):
            return "without the prefix: from another scanner, or cut off"
        symbol = text[len(self._prefix) :][:3]
        if self._aim and not (symbol[:1] == "]" and symbol[1:].startswith(self._aim)):
            return f"expected the AIM identifier of {' or '.join(self._aim)}: another kind of code, or none is sent"
        return None

    def _card(self, code: str, raw: bytes) -> list[ShoeEvent]:
        if self._unique and code == self._last:
            return []
        self._last = code
        cards = self._codes or NAMES
        card = cards.get(code if self._codes else code.strip().upper())
        return [Garbage(raw, "no code of a card"), CardUnreadable(raw)] if card is None else [CardRead(card, raw=raw)]


class CodeReader(Barcode):
    """Codec of the same scanner that gives every code unchanged as a card, to learn codes."""

    def _card(self, code: str, raw: bytes) -> list[ShoeEvent]:
        return [CardRead(code, raw=raw)]


Code = Annotated[str, Meta(min_length=1, max_length=64)]
Name = Annotated[str, Meta(pattern=f"^[{RANKS}][{SUITS}]$", description="a card (AS, TD)")]
Aim = Annotated[str, Meta(pattern="^[A-Za-z][0-9A-Za-z]?$", description="an AIM identifier (C0)")]


class BarcodeSettings(ShoeSettings, frozen=True):
    """Settings of a bar-code scanner in a config."""

    codes: dict[Code, Name] = field(default_factory=dict)  # register of the deck: the card of each code
    terminator: Literal["line", "etx"] = "line"  # end of a code: CR or LF; "etx": the character ETX
    prefix: Annotated[str, Meta(max_length=16)] = ""  # what the scanner sends before a code
    aim: tuple[Aim, ...] = ()  # AIM identifiers of codes that are cards
    no_read: Annotated[str, Meta(max_length=16)] = ""  # what the scanner sends if it cannot read a card
    unique: bool = False  # true: every single card has its own code


BARCODE = ShoeModel(Barcode, baud=9600, commands=("lock",), settings=BarcodeSettings)
