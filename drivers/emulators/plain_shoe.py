"""Base class of emulated shoes that send cards only: their cards, draws, and damaged lines."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from drivers.emulators.decks import FULL_DECK, other_suit, shuffled_cards
from drivers.emulators.port import EmulatedPort


class PlainShoe(ABC):
    """Emulated shoe at the far end of `port`. A subclass defines how a card is reported.

    cards: what is in it, first card first; by default `decks` times the cards of `deck`, shuffled with `seed`.
    """

    def __init__(
        self,
        port: EmulatedPort,
        *,
        cards: Iterable[str] | None = None,
        deck: Sequence[str] = FULL_DECK,
        decks: int = 8,
        seed: int | None = None,
    ) -> None:
        self.port = port
        self._deck, self._decks = tuple(deck), decks
        self._unread: str | None = None
        self._garbled, self._torn = False, False
        self._fill(cards, seed)

    @property
    def cards_left(self) -> int:
        """Number of cards left in the shoe."""
        return len(self._cards)

    def plug(self) -> None:
        """Connect the cable; the shoe was on all the time and sends nothing."""
        self.port.plug()

    def unplug(self) -> None:
        """Disconnect the cable; data sent from now on is lost."""
        self.port.unplug()

    def draw(self, *, unreadable: bool = False, misread: bool = False) -> str | None:
        """Slide the next card out; return the card as a dealer sees it, None from an empty shoe.

        `unreadable`: reported as a failed read; `misread`: with another suit.
        """
        if not self._cards:
            return None
        card = self._cards.pop(0)
        if unreadable:
            self._unread = card
            self._fail()
        else:
            self._tell(other_suit(card) if misread else card)
        return card

    def redraw(self) -> str | None:
        """Slide the unread card again, readable now; return it, None if there is none."""
        card, self._unread = self._unread, None
        if card is not None:
            self._tell(card)
        return card

    def put_on_top(self, card: str) -> None:
        """Put a card into the shoe as the next one."""
        self._cards.insert(0, card)

    def change_shoe(self, cards: Iterable[str] | None = None, seed: int | None = None) -> None:
        """Replace the cards; the shoe sends nothing."""
        self._unread = None
        self._fill(cards, seed)

    def garble(self, *, torn: bool = False) -> None:
        """Damage the next line: one bit of its last character, or with `torn` its second half is missing."""
        self._garbled, self._torn = True, torn

    def _fill(self, cards: Iterable[str] | None, seed: int | None) -> None:
        self._cards = shuffled_cards(self._deck, self._decks, seed) if cards is None else list(cards)

    @abstractmethod
    def _tell(self, card: str) -> None:
        """Report a card that was read."""

    @abstractmethod
    def _fail(self) -> None:
        """Report a card that was not read."""

    def _say(self, line: bytes, end: bytes) -> None:
        """Write a line to the port, damaged if `garble` was called."""
        if self._garbled:
            line = line[: len(line) // 2] if self._torn else line[:-1] + bytes([line[-1] ^ 1])
        self._garbled = False
        self.port.write(line + end)
