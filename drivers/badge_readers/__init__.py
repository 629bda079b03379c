"""Badge readers: RFID, magnetic stripe or bar code; each badge is a line of characters.

Invariant: no text contains a badge's code. Of a line that is no badge, only the length is reported.

How sure each fact is: [2] several makers' manuals agree; [?] unverified. Never tried on a real reader.

keyboard   types the badge's number, then Enter, as a keyboard does [2] (RFIDeas and ELATEC by default, and every cheap
           reader), see `drivers.keyboards`. No other program reads the node, so nothing is typed into a page.
serial     RS-232, or a CDC-ACM port on USB: the number as ASCII, then CR LF or CR; some between STX and ETX [2].
           9600 8N1 by default [?].

A reader may repeat a badge that stays on it. Each repetition is an event; the table decides what it means.

A package adds a model through the entry point group `tablectl.badge_readers`: name = model, value = a BadgeReaderModel,
or the factory of its codec for a reader on a serial line.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Protocol

from drivers.events import BadgeRead, DeviceEvent, Garbage
from drivers.keyboards.layouts import LayoutName
from drivers.keyboards.typed_lines import TypedLines
from drivers.models import create_codec, factory_of
from drivers.shoes.barcode import CodeStream

BADGE: Final = re.compile(r"[!-~]{8,64}")  # a shorter one could be guessed
ENDS, BEGIN = b"\r\n\x03", b"\x02"


class BadgeCodec(Protocol):
    """Interface of a badge reader's codec: bytes in, badges out."""

    def feed(self, data: bytes, /) -> Sequence[DeviceEvent]:
        """Return the badges that these bytes complete; the chunking does not matter.

        Never raises, whatever the bytes are.
        """

    def reset(self) -> None:
        """Called after each reconnect: drop a partly received badge."""


@dataclass(frozen=True, slots=True)
class BadgeReaderModel:
    """Model of badge reader: factory of its codec, and its kind of connection."""

    makes: Callable[..., BadgeCodec]  # called with the `layout` where it types, else with nothing
    keyboard: bool = False  # it types: its port is a keyboard's node, and not a serial line

    def codec(self, layout: LayoutName = "us") -> BadgeCodec:
        """Make a codec. Raises DriverFailed."""
        return create_codec(self.makes, layout=layout) if self.keyboard else create_codec(self.makes)


class TypedBadges:
    """Codec of a reader that types its badges."""

    def __init__(self, layout: str = "us") -> None:
        self._typed = TypedLines(layout)

    def feed(self, data: bytes) -> list[DeviceEvent]:
        """Return the badges that `data` completes; the chunking does not matter."""
        return [_event_of(line.text, line.fault) for line in self._typed.feed(data)]

    def reset(self) -> None:
        """Forget half a line after a reconnect."""
        self._typed.clear()


class SerialBadges:
    """Codec of a reader on a serial line."""

    def __init__(self) -> None:
        self._stream = CodeStream(ENDS)

    def feed(self, data: bytes) -> list[DeviceEvent]:
        """Return the badges that `data` completes; the chunking does not matter."""
        pieces = ((piece.raw.removeprefix(BEGIN), piece.fault) for piece in self._stream.feed(data))
        return [_event_of(raw.decode("latin-1"), fault) for raw, fault in pieces]

    def reset(self) -> None:
        """Forget half a line after a reconnect."""
        self._stream.clear()


def _event_of(text: str, fault: str) -> DeviceEvent:
    if fault:
        return Garbage(b"", fault)
    if not BADGE.fullmatch(text):
        return Garbage(b"", f"expected 8 to 64 letters, digits or signs, got {len(text)} characters: no badge")
    return BadgeRead(text)


BADGE_READERS: Final[Mapping[str, BadgeReaderModel]] = MappingProxyType(
    {"keyboard": BadgeReaderModel(TypedBadges, keyboard=True), "serial": BadgeReaderModel(SerialBadges)}
)


def badge_reader_model(name: str) -> BadgeReaderModel:
    """The model of this name, built in or from an installed package. Raises UnknownModel, DriverFailed."""
    loaded: BadgeReaderModel | Callable[..., BadgeCodec] = factory_of("badge_reader", BADGE_READERS, name)
    return loaded if isinstance(loaded, BadgeReaderModel) else BadgeReaderModel(loaded)
