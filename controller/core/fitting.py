"""Whether a card fits where the round stands, and if not, what is wrong with it.

The one rule: the checks are made in the order of the catalogue; the first that fails names the fault.
"""

from ..cards import Card
from ..procedure import Bets, Deal, Step
from .draft import Draft
from .state import Draw, State


def misfit(draft: Draft, due: Step | None, draw: Draw) -> str | None:
    """The code of the fault that this draw is where `due` is due; None if it may take the place."""
    if isinstance(due, Bets):
        return "card_before_close"
    if not isinstance(due, Deal):
        return "extra_card"
    if draw.card is None:
        return "unread_card"
    deck = draft.position.deck(draft.state.round)
    if draw.card not in deck.cards:
        return "foreign_card"
    if copies_before(draft.state, draw) >= deck.copies:
        return "duplicate_card"
    return "wrong_place" if draw.place not in (None, due.to) else None


def copies_before(state: State, draw: Draw) -> int:
    """How many of this card have left the shoe before this draw."""
    this_round = state.round.draws[state.shoe.since : draw.number - 1]
    return state.shoe.seen.get(draw.card or "", 0) + sum(other.card == draw.card for other in this_round)


def holds_hidden(state: State, card: Card | None) -> bool:
    """Whether this card's value would give away a face-down one: they are the same."""
    return card is not None and any(draw.hidden and draw.card == card for draw in state.round.draws)
