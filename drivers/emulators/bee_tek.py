"""An emulated Bee-Tek: the shoe's side of the line, with cards in it. It knows no game.

It says only what the product's own codec can encode. Nothing happens by itself: every line is the answer
to a call here, and nothing the host sends is heard.

What a real shoe does where its description is silent is this module's choice: a failed read brings the alarm E3 only
if told so, an alarm keeps no card back, and a change of the shoe is told by no line.
"""

from collections.abc import Iterable, Sequence

from drivers.emulators.decks import FULL_DECK, other_suit, shuffled
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


class EmulatedBeeTek:
    """A shoe at the far end of `port`.

    cards: what is in it, first card first; by default `decks` times the cards of `deck`, shuffled with `seed`.
    mode: one of DRAWING, the mode the key switch is set to.
    alarms: whether the alarm E3 follows a failed read.
    suit_first: whether it names a card by its suit first.
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
    ) -> None:
        self.port = port
        self.turn_key(mode)
        self._deck, self._decks = tuple(deck), decks
        self._alarms, self._suit_first = alarms, suit_first
        self._unread: str | None = None
        self._garbled, self._torn = False, False
        self._fill(cards, seed)

    @property
    def cards_left(self) -> int:
        """How many cards are in the shoe."""
        return len(self._cards)

    def plug(self) -> None:
        """Put the cable in. The shoe itself was on all the time and says nothing."""
        self.port.plug()

    def unplug(self) -> None:
        """Pull the cable. What the shoe says now is lost."""
        self.port.unplug()

    def turn_key(self, mode: str) -> None:
        """Set the mode; ValueError if it is none of DRAWING."""
        if mode not in DRAWING:
            raise ValueError(f"expected a mode out of {', '.join(DRAWING)}, got {mode!r}")
        self.mode = mode

    def draw(self, *, unreadable: bool = False, misread: bool = False) -> str | None:
        """Slide the next card out; the card, as a dealer sees it, or None from an empty shoe.

        `unreadable`: told as a failed read, and with `alarms` by the alarm E3 after it; `misread`: with another suit.
        """
        if not self._cards:
            return None
        card = self._cards.pop(0)
        if unreadable:
            self._fail(card)
        else:
            self._tell(other_suit(card) if misread else card)
        return card

    def redraw(self) -> str | None:
        """Slide the unread card again, readable now. None if there is none."""
        card, self._unread = self._unread, None
        if card is not None:
            self._tell(card)
        return card

    def put_on_top(self, card: str) -> None:
        """Have this card come next, whatever else is in the shoe."""
        self._cards.insert(0, card)

    def alarm(self, code: int = NOT_READ, text: str = "Card Not Read") -> None:
        """An alarm comes up."""
        self._say(AlarmLine(self.mode, code, text).encode())

    def warning(self, code: int = 1) -> None:
        """The shoe warns of something."""
        self._say(WarningLine(code).encode())

    def change_shoe(self, cards: Iterable[str] | None = None, seed: int | None = None) -> None:
        """Other cards are put in; the shoe says nothing."""
        self._unread = None
        self._fill(cards, seed)

    def garble(self, *, torn: bool = False) -> None:
        """Damage the next line: one bit of its last character, or with `torn` its second half is missing."""
        self._garbled, self._torn = True, torn

    def _fill(self, cards: Iterable[str] | None, seed: int | None) -> None:
        self._cards = shuffled(self._deck, self._decks, seed) if cards is None else list(cards)

    def _fail(self, card: str) -> None:
        self._unread = card
        self._say(FailedReadLine(self.mode).encode())
        if self._alarms:
            self.alarm()

    def _tell(self, card: str) -> None:
        self._say(CardLine(self.mode, card).encode(suit_first=self._suit_first))

    def _say(self, line: bytes) -> None:
        if self._garbled and self._torn:
            line = line[: len(line) // 2] + LINE_END
        elif self._garbled:
            line = line.replace(b">", b"?")  # one bit
        self._garbled = False
        self.port.write(line)
