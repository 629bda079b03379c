"""Lines of a Bee-Tek: their bounds in the stream, and their encoding.

A line is decoded whole or not at all (BadLine). The meaning of the lines, and how sure each fact is: see `bee_tek.py`.
"""

import re
from dataclasses import dataclass

from drivers.shoes.stream import Stream

LINE_END = b"\r\n"
CLOSING = b"> "  # of all lines but a warning
GAME, FREE, GAME_ALARM = "Game", "Manual Burn Cards", "GameAlarm"
DRAWING = (GAME, FREE)
MODES = (*DRAWING, GAME_ALARM)

_RANK, _SUIT = "10|[2-9TJQKA]", "[CDHS]"
_EITHER = f"(?P<rank>{_RANK})(?P<suit>{_SUIT})|(?P<suit_first>{_SUIT})(?P<rank_last>{_RANK})"
_CARD = re.compile(f"Card:(?:{_EITHER})", re.IGNORECASE)
_ALARM = re.compile("Alarm:(?:E(?P<code>[0-9]{1,3})(?: |$))?(?P<text>.*)", re.IGNORECASE)
_WARNING = re.compile("W0x([0-9A-F]{1,8})", re.IGNORECASE)
_SHAPE = re.compile(r"(?:\[(?P<mode>[^][<>]+)\])?<(?P<said>[^][<>]+)>")
_TRACE_OF_CARD = re.compile(f"<Card|Card:|:(?:{_EITHER})>", re.IGNORECASE)
_BROKEN_OFF = re.compile(rf"\[(?:{'|'.join(DRAWING)})\](?:<[^>]*)?", re.IGNORECASE)


class BadLine(ValueError):
    """Error: bytes that are no line of this shoe, or a line of an unknown kind."""


@dataclass(frozen=True, slots=True)
class CardLine:
    """A card was read. `card` is rank then suit: "AS", "TD"; `mode` one of DRAWING."""

    mode: str
    card: str

    def encode(self, *, suit_first: bool = False) -> bytes:
        """Build the line. Raises ValueError for an unknown card."""
        if not re.fullmatch(f"[2-9TJQKA]{_SUIT}", self.card):
            raise ValueError(f"expected a card such as 9H, TD or AS, got {self.card!r}")
        return _line(self.mode, f"Card:{self.card[::-1] if suit_first else self.card}")


@dataclass(frozen=True, slots=True)
class FailedReadLine:
    """A card could not be read; `mode` is one of DRAWING."""

    mode: str

    def encode(self) -> bytes:
        """Line of the shoe, as bytes."""
        return _line(self.mode, GAME)


@dataclass(frozen=True, slots=True)
class AlarmLine:
    """An alarm, by its number and in the shoe's own words; `mode` is one of MODES.

    Number 0: the shoe gave none.
    """

    mode: str
    code: int
    text: str

    def encode(self) -> bytes:
        """Line of the shoe, as bytes."""
        return _line(self.mode, f"Alarm:E{self.code} {self.text}" if self.code else f"Alarm:{self.text}")


@dataclass(frozen=True, slots=True)
class WarningLine:
    """A warning, by its number."""

    code: int

    def encode(self) -> bytes:
        """Line of the shoe, as bytes."""
        return f"<W0x{self.code:02X}>".encode("ascii") + LINE_END


Line = CardLine | FailedReadLine | AlarmLine | WarningLine


def decode_line(raw: bytes) -> Line:
    """Decode one line. Raises BadLine, which names no card."""
    text = raw.decode("latin-1")
    shape = _SHAPE.fullmatch(text)
    if shape is None or not (text.isascii() and text.isprintable()):
        raise BadLine("not a complete line of this shoe")
    line = _parse_line(_mode(shape["mode"]), shape["said"])
    if line is None:
        raise BadLine("a line of an unknown kind")
    return line


def speaks_of_card(raw: bytes) -> bool:
    """True if a damaged line may have been about a card, so that a card may have left the shoe.

    True if the line contains `<Card`, `Card:`, or a card between `:` and `>`: one of the three remains if one byte of a
    card's line is changed or missing. True also if the line breaks off after a mode in which cards are drawn.
    """
    text = raw.decode("latin-1")
    return bool(_TRACE_OF_CARD.search(text) or _BROKEN_OFF.fullmatch(text))


def _mode(text: str | None) -> str | None:
    """Mode as written in MODES, whatever its case; an unknown mode is returned unchanged."""
    return next((mode for mode in MODES if text is not None and text.lower() == mode.lower()), text)


def _parse_line(mode: str | None, text: str) -> Line | None:
    if (warning := _WARNING.fullmatch(text)) and mode in (None, *MODES):
        return WarningLine(int(warning[1], 16))
    if mode in DRAWING and text.lower() == GAME.lower():
        return FailedReadLine(mode)
    if mode in DRAWING and (card := _CARD.fullmatch(text)):
        rank, suit = card["rank"] or card["rank_last"], card["suit"] or card["suit_first"]
        return CardLine(mode, (("T" if rank == "10" else rank) + suit).upper())
    if mode in MODES and (alarm := _ALARM.fullmatch(text)):
        return AlarmLine(mode, int(alarm["code"] or 0), alarm["text"])
    return None


def _line(mode: str, text: str) -> bytes:
    return f" [{mode}]<{text}> ".encode("ascii") + LINE_END


class LineStream(Stream):
    """Stream parser that cuts at the end of each line or the start of the next.

    CR or LF ends a line, and so does the `> ` before it: a shoe may send nothing after that. `[` always begins a line,
    and so does a `<` without a `]` before it: neither occurs inside a line. So joined lines are separated, and a torn
    line damages no other line.
    """

    blank = b" " + LINE_END

    def begins(self, held: bytearray, byte: int) -> bool:
        """True at a bracket that begins a line."""
        return byte == ord("[") or (byte == ord("<") and held[-1:] != b"]")

    def is_whole(self, held: bytearray) -> bool:
        """True at the line's end, or at the closing bracket and the space before it."""
        return held[-1] in LINE_END or held.endswith(CLOSING)

    def fault(self, held: bytearray, *, full: bool) -> str:  # noqa: ARG002 - whatever it holds
        """Reason why a piece is no line; empty if another line follows, as it may be whole then."""
        return "a line without its end" if full else ""
