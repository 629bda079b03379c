"""Bar-coded cards under a scanner that types like a keyboard (a "keyboard wedge").

The codes are those of `drivers.shoes.barcode`.

Invariant: only the table reads the scanner. Its node is grabbed (EVIOCGRAB), so that no code is typed into another
program. While another program has grabbed it, the table cannot read it. Only the keyboard that the config names can
enter cards.

How sure each fact is: [V] vendors' manuals; [K] the kernel's headers; [?] unverified. Never tried on a real scanner.

Line: USB HID keyboard, read as the kernel's input events, see `drivers.keyboards.input_events` [K].
Layout: the scanner types the keys of the country that it is set to; most are set to us by default [V]. A scanner that
follows the PC's Caps Lock swaps capitals and small letters: switch that off (Zebra "Caps Lock Override", Honeywell
"Auto Caps Lock") [V].
End: Enter or Tab. A scanner that sends neither cannot be used. Characters without a key (function codes, GS of a GS1
code) may be sent as Ctrl or Alt with another key [V]: such a code is not read.
Speed: a key every 1 to 20 ms; some scanners can be set slower ("inter-keystroke delay") [V]. 100 ms is a person [?].

Repeated codes. Each key has the kernel's time: the same code again within `window_ms` is the same reading. This holds
for several decks with 52 codes too, as two cards never follow each other that quickly.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final

from msgspec import Meta, field

from drivers.events import ShoeEvent
from drivers.keyboards.layouts import LayoutName
from drivers.keyboards.typed_lines import TypedLine, TypedLines
from drivers.shoes.barcode import Aim, Barcode, Code, CodeReader, Name
from drivers.shoes.model import ShoeModel, ShoeSettings
from drivers.shoes.stream import Piece

WINDOW_MS: Final = 500


class Wedge:
    """The codec of one scanner; see the settings below. `reader`: give every code unchanged."""

    def __init__(
        self,
        *,
        codes: Mapping[str, str] = MappingProxyType({}),
        layout: str = "us",
        prefix: str = "",
        aim: tuple[str, ...] = (),
        no_read: str = "",
        unique: bool = False,
        window_ms: int = WINDOW_MS,
        reader: bool = False,
    ) -> None:
        barcode = CodeReader if reader else Barcode
        self._codes = barcode(codes=codes, prefix=prefix, aim=aim, no_read=no_read, unique=unique)
        self._typed, self._window = TypedLines(layout), window_ms / 1000
        self._last: TypedLine | None = None

    def feed(self, data: bytes) -> list[ShoeEvent]:
        """Return the events that `data` completes; the chunking does not matter."""
        lines = [line for line in self._typed.feed(data) if not self._is_repeat(line)]
        return [event for line in lines for event in self._codes.take(_piece(line))]

    def reset(self) -> None:
        """Forget half a line and the last code, after a reconnect."""
        self._typed.clear()
        self._codes.reset()
        self._last = None

    def forget_last_code(self) -> None:
        """Take the next code for a new card, even if it equals the last one, unless it comes within the window."""
        self._codes.forget_last_code()

    def _is_repeat(self, line: TypedLine) -> bool:
        last, self._last = self._last, line
        if last is None or line.fault or line.text != last.text:
            return False
        return 0 <= line.at - last.at < self._window


def _piece(line: TypedLine) -> Piece:
    """Typed line in the form of a scanner on a serial port."""
    return Piece(line.text.encode("latin-1", "backslashreplace"), line.fault)


class WedgeSettings(ShoeSettings, frozen=True):
    """Settings of a typing scanner in a config."""

    codes: dict[Code, Name] = field(default_factory=dict)  # register of the deck: the card of each code
    layout: LayoutName = "us"  # keyboard layout of the scanner
    prefix: Annotated[str, Meta(max_length=16)] = ""  # what the scanner sends before a code
    aim: tuple[Aim, ...] = ()  # AIM identifiers of codes that are cards
    no_read: Annotated[str, Meta(max_length=16)] = ""  # what the scanner sends if it cannot read a card
    unique: bool = False  # true: every single card has its own code
    window_ms: Annotated[int, Meta(ge=0, le=5000)] = WINDOW_MS  # milliseconds; the same code within them is one reading


WEDGE = ShoeModel(Wedge, settings=WedgeSettings, keyboard=True)
