"""How many copies of a card have left the shoe: no more than the decks in play hold."""

from ..rules.cards import Deck
from .state import Draw, State


def copies_before(state: State, draw: Draw) -> int:
    """How many of this card have left the shoe before this draw: of one that is carried, as long as it waits."""
    this_round = state.round.draws[state.shoe.since : draw.number - 1]
    out = [other.card for other in this_round if other.out and other.fate != "carried"] + [state.carried]
    return state.shoe.seen.get(draw.card or "", 0) + out.count(draw.card)


def in_deck(state: State, deck: Deck, draw: Draw) -> bool:
    """Whether there can be such a card."""
    return draw.card in deck.cards and copies_before(state, draw) < deck.copies
