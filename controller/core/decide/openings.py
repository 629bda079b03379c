"""Start of a round (OPEN BETS), and the reasons that prevent it.

A round starts only by a deliberate act.
"""

from msgspec import UNSET

from ...rules.cards import Deck
from ...rules.procedure import plain
from .. import events as e
from .. import records as r
from .. import sheet
from ..draft import Draft
from ..house import House
from ..life import LIVE
from ..odds import first_odds
from ..shoe import Shoe
from ..state import State
from ..ulid import round_id
from ..windows import deadline


def open_round(draft: Draft, event: e.Open) -> None:
    """Open a round (OPEN BETS), or record why it cannot start."""
    house, state = draft.house, draft.state
    if reason := obstacle(house, state) if event.round in (None, state.next_round) else "other_round":
        draft.write(r.StartRefused(reason))
        return
    draft.write(
        r.Opened(
            game=house.game.name,
            version=house.game.version,
            settings=plain(house.settings),
            terms=house.pinned_terms(),
            odds=first_odds(house, state),
            digest=sheet.digest(house.game),
            by=event.by,
            dealer_id=state.dealer_id or draft.id_of(state.dealer),
            round_id=round_id(state.identity.epoch, house.table, state.next_round, draft.at),
            currency=draft.currency,
            window=1 if house.records_windows else UNSET,
            deadline=deadline(draft.at, house.terms) if house.records_windows else UNSET,
        )
    )


def starts_refused(draft: Draft, event: e.CountedStarts) -> None:
    """Record how often a start was refused again."""
    draft.write(r.StartsRefused(event.reason, event.times, event.since, event.until))


def obstacle(house: House, state: State) -> str | None:
    """First reason why no round can start now; None if a round can start."""
    return next(iter(obstacles(house, state)), None)


def obstacles(house: House, state: State) -> tuple[str, ...]:
    """Reason codes for which no round can start now."""
    deck = house.deck
    checks = (
        (state.life == "paused", "paused"),
        (state.life in LIVE, "round_live"),
        (bool(state.doubts), "record_damaged"),
        (state.no_anchor == "required", "anchor_lost"),
        (not state.open, "table_closed"),
        (not sheet.is_posted(house.game, house.posted_digest), "rules_mismatch"),
        (state.dealer is None, "no_dealer"),
        ("server" in state.lost, "server_lost"),
        ("shoe" in state.lost or state.shoe.changing or not is_loaded_for(state.shoe, house, deck), "shoe_missing"),
        (lacks_shuffled_deck(house, state), "not_shuffled"),
        (state.shoe.suspect, "deck_suspect"),
        (state.shoe.cut and state.shoe.after_cut >= (house.terms.cut_card == "one_more"), "cut_card_out"),
        (state.shoe.cards_left < deck.change_below, "shoe_low"),
    )
    return tuple(reason for stands, reason in checks if stands)


def is_loaded_for(shoe: Shoe, house: House, deck: Deck) -> bool:
    """True if the shoe was loaded for the table's present game and deck size. `deck`: the house's."""
    return (shoe.game, shoe.size) == (house.game.name, deck.size)


def lacks_shuffled_deck(house: House, state: State) -> bool:
    """True if the game needs a deck shuffled for the next round, and the present one is not, or lacks a card."""
    is_whole = not state.shoe.out or not house.opens_with_whole_deck
    return house.deck.every_round and not (state.shoe.shuffled and is_whole)
