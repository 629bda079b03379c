"""Count of the copies of cards that have left the shoe, against the decks in play.

Invariant: faults and rulings never count a card that lies face down in this round.
"""

from collections import Counter
from collections.abc import Iterable

from ..rules.cards import Card, Deck
from .state import Draw, State


def count_seen(state: State, *, hidden: bool = True) -> Counter[Card]:
    """Number of each card that has come out of the shoe, as far as known; without a card that is carried.

    `hidden`: also cards that lie face down in this round.
    """
    counts = Counter(state.shoe.seen)
    for draw in state.round.draws[state.shoe.since :]:
        if draw.out and draw.fate != "carried" and (hidden or not draw.hidden) and (card := draw.card):
            counts[card] += 1
    return counts


def copies(state: State, card: Card | None, among: Iterable[Draw]) -> int:
    """Count the copies of a card that left the shoe in earlier rounds and among these draws.

    A carried card counts until it is dealt.
    """
    here = sum(draw.out and draw.fate != "carried" and draw.card == card for draw in among)
    return state.shoe.seen.get(card or "", 0) + here + (card is not None and card == state.carried)


def open_draws_before(state: State, draw: Draw) -> list[Draw]:
    """Draws of this round from this shoe before a draw, without those that lie face down."""
    return [other for other in state.round.draws[state.shoe.since : draw.number - 1] if not other.hidden]


def is_in_deck(state: State, deck: Deck, draw: Draw) -> bool:
    """True if the deck has this card and, unless it lies face down, not all of its copies lie open already."""
    return draw.card in deck.cards and (
        draw.hidden or copies(state, draw.card, open_draws_before(state, draw)) < deck.copies
    )
