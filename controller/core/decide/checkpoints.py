"""Records at the end of a round, whether it was settled or cancelled."""

import msgspec

from .. import records as r
from ..copies import count_seen
from ..deck_account import doubles, overdue_cards, with_round
from ..draft import Draft
from ..shoe import DeckPast
from .dealers import relieve


def checkpoint(draft: Draft) -> None:
    """Record the state from which recovery starts; a dealer who waits to leave is signed off before."""
    relieve(draft)
    draft.write(r.Checkpoint(msgspec.Raw(msgspec.json.encode(draft.state))))


def suspect(draft: Draft) -> None:
    """Record that the deck is suspect if its cards, over several rounds, show doubles or missing ones."""
    state, deck = draft.state, draft.shoe_deck
    double, past = doubles(state, deck, draft.waiting_card), state.decks.get(state.shoe.deck, DeckPast())
    past = with_round(past, count_seen(state), deck.size)
    missing = tuple(overdue_cards(past, deck)) if state.shoe.deck else ()
    if (double or missing) and not state.shoe.suspect:
        draft.write(r.DeckSuspect(state.shoe.deck or state.shoe.id, double, missing, past.rounds if missing else 0))
