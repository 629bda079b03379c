"""Emulated scanner over bar-coded cards.

It sends each card's name, which is its code, and a text for a card that it cannot read.
"""

from drivers.emulators.plain_shoe import PlainShoe

END = b"\r\n"
NO_READ = "NOREAD"


class EmulatedBarcode(PlainShoe):
    """Scanner at the far end of `port`, and the cards that are slid under it."""

    def _tell(self, card: str) -> None:
        self._say(card.encode(), END)

    def _fail(self) -> None:
        self._say(NO_READ.encode(), END)
