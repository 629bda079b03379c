"""How many copies of a card have left the shoe: no more than the decks in play hold.

The one rule: what lies face down in this round counts for none of them.
"""

from collections.abc import Iterable

from ..rules.cards import Card, Deck
from .state import Draw, State


def copies(state: State, card: Card | None, among: Iterable[Draw]) -> int:
    """How many of this card have left the shoe: in earlier rounds, and among these draws."""
    return state.shoe.seen.get(card or "", 0) + sum(draw.out and draw.card == card for draw in among)


def open_before(state: State, draw: Draw) -> list[Draw]:
    """What came in this round from this shoe before the draw, and does not lie face down."""
    return [other for other in state.round.draws[state.shoe.since : draw.number - 1] if not other.hidden]


def in_deck(state: State, deck: Deck, draw: Draw) -> bool:
    """Whether there is such a card; and where it does not lie face down, whether there still is one."""
    return draw.card in deck.cards and (draw.hidden or copies(state, draw.card, open_before(state, draw)) < deck.copies)
