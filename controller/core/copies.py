"""Count of a card's copies that have left the shoe, against the decks in play.

Invariant: a card that lies face down in this round is never counted.
"""

from collections.abc import Iterable

from ..rules.cards import Card, Deck
from .state import Draw, State


def copies(state: State, card: Card | None, among: Iterable[Draw]) -> int:
    """Count the copies of a card that left the shoe in earlier rounds and among these draws.

    A carried card counts until it is dealt.
    """
    here = sum(draw.out and draw.fate != "carried" and draw.card == card for draw in among)
    return state.shoe.seen.get(card or "", 0) + here + (card is not None and card == state.carried)


def open_before(state: State, draw: Draw) -> list[Draw]:
    """Draws of this round from this shoe before a draw, without those that lie face down."""
    return [other for other in state.round.draws[state.shoe.since : draw.number - 1] if not other.hidden]


def in_deck(state: State, deck: Deck, draw: Draw) -> bool:
    """True if the deck has this card and, unless it lies face down, not all of its copies lie open already."""
    return draw.card in deck.cards and (draw.hidden or copies(state, draw.card, open_before(state, draw)) < deck.copies)
