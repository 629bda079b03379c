"""What is written when a round is over, whichever way it ended."""

import msgspec

from .. import records as r
from ..deck_account import doubles, lost, seen, with_round
from ..draft import Draft
from ..shoe import DeckPast
from .dealers import relieve


def checkpoint(draft: Draft) -> None:
    """The state at the end of a round, from which recovery starts; and whether its cards can be played with again."""
    suspect(draft)
    relieve(draft)
    draft.write(r.Checkpoint(msgspec.Raw(msgspec.json.encode(draft.state))))


def suspect(draft: Draft) -> None:
    """What the cards of this round, and of those before it, say against the deck."""
    state, deck = draft.state, draft.house.deck
    double, past = doubles(state, deck), state.decks.get(state.shoe.deck, DeckPast())
    past = with_round(past, seen(state), deck.size)
    missing = tuple(lost(past, deck)) if state.shoe.deck else ()
    if (double or missing) and not state.shoe.suspect:
        draft.write(r.DeckSuspect(state.shoe.deck or state.shoe.id, double, missing, past.rounds if missing else 0))
