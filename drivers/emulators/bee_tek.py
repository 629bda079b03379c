"""An emulated Bee-Tek: the shoe's side of the line, with cards in it. It knows no game.

It sends only what the product's own codec can encode. Nothing happens by itself: every line is the answer to a call
here, and bytes from the host are ignored.

What a real shoe does where its description is silent is this module's choice: the alarm E3 follows a failed read only
if `alarms` is on, an alarm keeps no card back, and the shoe sends no line when its cards are changed.
"""

from collections.abc import Iterable, Sequence

from drivers.emulators.decks import FULL_DECK
from drivers.emulators.plain_shoe import PlainShoe
from drivers.emulators.port import EmulatedPort
from drivers.shoes.bee_tek import NOT_READ
from drivers.shoes.bee_tek_lines import (
    DRAWING,
    FREE,
    LINE_END,
    AlarmLine,
    CardLine,
    FailedReadLine,
    WarningLine,
)


class EmulatedBeeTek(PlainShoe):
    """A shoe at the far end of `port`, with cards in it as any `PlainShoe`.

    mode: one of DRAWING, the mode the key switch is set to.
    alarms: whether the alarm E3 follows a failed read.
    suit_first: whether it names a card by its suit first.
    line_end: what it sends after a line, CR LF or nothing.
    lower: whether it writes small letters.
    """

    def __init__(
        self,
        port: EmulatedPort,
        *,
        cards: Iterable[str] | None = None,
        deck: Sequence[str] = FULL_DECK,
        decks: int = 8,
        seed: int | None = None,
        mode: str = FREE,
        alarms: bool = False,
        suit_first: bool = False,
        line_end: bytes = LINE_END,
        lower: bool = False,
    ) -> None:
        super().__init__(port, cards=cards, deck=deck, decks=decks, seed=seed)
        self.turn_key(mode)
        self._alarms, self._suit_first = alarms, suit_first
        self._line_end, self._lower = line_end, lower

    def turn_key(self, mode: str) -> None:
        """Set the mode; ValueError if it is none of DRAWING."""
        if mode not in DRAWING:
            raise ValueError(f"expected a mode out of {', '.join(DRAWING)}, got {mode!r}")
        self.mode = mode

    def alarm(self, code: int = NOT_READ, text: str = "Card Not Read") -> None:
        """Report an alarm, by default that a card was not read."""
        self._line(AlarmLine(self.mode, code, text).encode())

    def warning(self, code: int = 1) -> None:
        """Report a warning, by its number."""
        self._line(WarningLine(code).encode())

    def _fail(self) -> None:
        self._line(FailedReadLine(self.mode).encode())
        if self._alarms:
            self.alarm()

    def _tell(self, card: str) -> None:
        self._line(CardLine(self.mode, card).encode(suit_first=self._suit_first))

    def _line(self, line: bytes) -> None:
        text = line.removesuffix(LINE_END)
        text = text.lower() if self._lower else text
        self._say(text.rstrip(b" "), text[len(text.rstrip(b" ")) :] + self._line_end)
