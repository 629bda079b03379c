"""Possible states of a table, with other cards in place of the face-down ones.

Invariant: the states are made without looking at the face-down cards. A result that is the same for every possible
hidden card follows from the open cards alone, and may be published before the reveal; any other result may not.
"""

from collections import Counter
from collections.abc import Iterator

from msgspec.structs import replace

from ..rules.cards import JOKER, Card, Deck
from ..rules.procedure import Step
from .events import CardOut
from .position import Position, Unplayable
from .state import Draw, State

STRIDES = (1, 17)  # steps through the list of the cards left: to a card of the same rank, or of another rank


def possible_states(position: Position, state: State) -> list[State]:
    """Return possible states of the table, with other cards in place of the hidden ones.

    The other cards are each rank in turn, then all wrong (jokers), then one wrong. Left out are cards with which the
    round could not have reached its present step. Returns only the state itself if no card is hidden.
    """
    return list(_possible_states(position, state))


def possible_state(position: Position, state: State) -> State:
    """Return one possible state, always the same one: decisions made on it reveal no hidden card."""
    return next(_possible_states(position, state), state)


def _possible_states(position: Position, state: State) -> Iterator[State]:
    hidden = [draw for draw in state.round.draws if draw.hidden and draw.card and draw.number != _exposed_draw(state)]
    try:
        deck, due = position.deck(state.round), position.due(state)
    except Unplayable:
        hidden = []  # this round can only be cancelled, whatever its cards are
    if not hidden:
        yield state
        return
    others = list(_other_cards(state, deck, len(hidden)))
    wrong = [JOKER] * len(hidden)  # a wrong card is noticed only when it is turned over
    one = [[*cards[:place], JOKER, *cards[place + 1 :]] for cards in others[:1] for place in range(1, len(hidden))]
    for cards in (*others, wrong, *one):
        guess = _replace_hidden(state, hidden, cards)
        if _leads_to(position, guess, due):
            yield guess


def _exposed_draw(state: State) -> int | None:
    """Number of the draw whose value the open fault shows, a wrong card turned over; None if none."""
    fault = state.fault
    return fault.draw if fault and not fault.hidden and isinstance(fault.came, CardOut) else None


def _other_cards(state: State, deck: Deck, count: int) -> Iterator[list[Card]]:
    """Yield lists of `count` cards to put in place of the hidden ones.

    The first card of a list takes each rank of the deck in turn. The others follow it among the cards left, in steps of
    each of STRIDES.
    """
    out = Counter(state.shoe.seen)
    draws = (draw for draw in state.round.draws[state.shoe.since :] if draw.out and not draw.hidden)
    out.update(draw.card for draw in draws if draw.card)
    left = [card for card in deck.cards if out[card] < deck.copies]
    for rank in dict.fromkeys(card[0] for card in deck.cards):
        first = next((place for place, card in enumerate(left) if card[0] == rank), None)
        if first is not None and count <= len(left):
            yield from ([left[(first + step * far) % len(left)] for step in range(count)] for far in STRIDES[:count])


def _replace_hidden(state: State, hidden: list[Draw], cards: list[Card]) -> State:
    """Copy of the state with these cards in place of the hidden ones."""
    draws = list(state.round.draws)
    for draw, card in zip(hidden, cards, strict=True):
        draws[draw.number - 1] = replace(draw, read=card, ruled=None, told=draw.told and card)
    return replace(state, round=replace(state.round, draws=tuple(draws)))


def _leads_to(position: Position, state: State, due: Step | None) -> bool:
    """True if the same step would be due with these cards."""
    try:
        return position.due(state) == due
    except Unplayable:
        return False
