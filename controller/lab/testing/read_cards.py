"""Comparison of the cards that a codec reports with those that were slid or scanned."""

from collections.abc import Iterable, Sequence

from drivers.events import CardRead

from .broken import Broken


def check_cards(events: Iterable[object], cards: Sequence[str]) -> None:
    """Check that these events report these cards in this order. Raises Broken."""
    read_cards = [event.card for event in events if isinstance(event, CardRead)]
    if read_cards != list(cards):
        raise Broken(
            f"expected the cards {' '.join(cards)} in the captures, feed read {' '.join(read_cards) or 'none'}",
            change="return CardRead only for a whole code, with the card of that code: a guessed card is lost money",
        )
