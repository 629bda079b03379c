"""Change of the shoe, step by step: taken away, cut, loaded, burnt from, counted, ready.

`shoe_step` names the step that is due; the panel's lamps and the screens show only that step.
"""

from typing import Literal

from msgspec import UNSET, UnsetType

from .. import events as e
from .. import records as r
from ..deck_account import account
from ..draft import Draft
from ..house import House
from ..life import RESTING
from ..persons import is_like
from ..shoe import Shoe
from ..state import State
from .openings import is_loaded_for, lacks_shuffled_deck, obstacle

ShoeStep = Literal["cut", "load", "burn", "count", "ready"]
BURNING = frozenset({"first_card", "one"})  # policies that burn cards from a new shoe


def change_is_due(house: House, state: State) -> bool:
    """True if the shoe must be changed before another round starts."""
    return obstacle(house, state) in ("cut_card_out", "shoe_low", "deck_suspect") or has_no_shoe(house, state)


def has_no_shoe(house: House, state: State) -> bool:
    """True if no full shoe of this game is in play, although the device is there and nobody is changing it.

    False in older records: in them the key CHANGE SHOE had no effect then.
    """
    lacks = house.asks_for_cut and obstacle(house, state) == "shoe_missing"
    return lacks and "shoe" not in state.lost and not state.shoe.changing


def is_ready_at_once(house: House) -> bool:
    """True if the first shoe may come into play without a person: it is neither burnt from nor counted in."""
    return house.terms.burn not in BURNING and not house.terms.count_in


def is_changing(state: State) -> bool:
    """True if the shoe is being changed now."""
    return state.life in RESTING and state.shoe.changing


def shoe_step(house: House, state: State) -> ShoeStep | None:
    """Step of the shoe change that is due now; None if the shoe is not being changed."""
    shoe, terms = state.shoe, house.terms
    if not is_changing(state):
        return None
    if not shoe.new_cut and shoe.uncut is None:
        return "cut"
    if "shoe" in state.lost or (terms.burn in BURNING and not count_burnt(shoe)):
        return "load"
    if not _is_burnt_from(shoe, house):
        return "burn"
    return "count" if terms.count_in else "ready"


def shuffle_is_due(house: House, state: State) -> bool:
    """True if the deck for the next round is to be shuffled now."""
    return lacks_shuffled_deck(house, state) and state.life in RESTING and not state.shoe.changing


def shuffled(draft: Draft, event: e.NewDeck) -> None:
    """Record a new or freshly shuffled deck."""
    if draft.state.shoe.changing:
        draft.ignore(event, "shoe_missing")
    elif is_between_rounds(draft, event):
        id_ = _next_id(draft)
        draft.write(r.Shuffled(event.by, id_, _watchable_deck(draft, event.deck or draft.state.shoe.deck or id_)))


def change_shoe(draft: Draft, event: e.ChangeShoe) -> None:
    """Take the shoe away; cards that come before `shoe ready` raise no fault.

    Ignored are a count after the shoe's account was recorded, and a readout of a shoe that is being read out already.
    """
    shoe = draft.state.shoe
    is_late = event.reading if shoe.reading else event.left is not None
    if draft.house.asks_for_cut and shoe.changing and is_late:
        draft.ignore(event)
    elif is_between_rounds(draft, event):
        end_shoe(draft, event.left, reading=event.reading)
        draft.write(r.ShoeChange(event.by, draft.state.shoe.id or None, event.reading))


def end_shoe(draft: Draft, left: int | None, *, reading: bool) -> None:
    """Record the account of the old shoe: at once, or after its readout.

    `left`: cards counted in it; `reading`: the rest of it is being read out.
    """
    shoe = draft.state.shoe
    if shoe.id and (shoe.reading if shoe.changing else not reading):
        draft.write(account(draft.state, draft.shoe_deck, left, draft.waiting_card))


def cut_shoe(draft: Draft, event: e.CutShoe) -> None:
    """Record that the cards were cut, before or after loading the shoe."""
    if is_between_rounds(draft, event):
        draft.write(r.ShoeCut(event.by, draft.state.shoe.changing if draft.house.asks_for_cut else UNSET))


def skip_cut(draft: Draft, event: e.SkipCut) -> None:
    """Record why the cards of the new shoe are not cut.

    Ignored without a reason, if they are cut, or if the shoe is not being changed.
    """
    if not is_changing(draft.state) or draft.state.shoe.new_cut:
        draft.ignore(event)
    elif not event.because.strip():
        draft.ignore(event, "no_reason")
    else:
        draft.write(r.CutSkipped(event.by, event.because))


def put_in_play_by_key(draft: Draft, event: e.KeyPressed) -> None:
    """Put the full shoe in play by the dealer's key; ignored until the cards are cut or a reason is given."""
    if draft.house.asks_for_cut and shoe_step(draft.house, draft.state) == "cut":
        draft.ignore(event, "not_cut")
    else:
        shoe_ready(draft, e.LoadShoe())


def shoe_ready(draft: Draft, event: e.LoadShoe) -> None:
    """Put a full shoe in play; ignored if it is absent, not counted or not burnt as required.

    Without a shoe change before, it ends the shoe in play. Ignored if repeated for a shoe that has dealt nothing.
    """
    size = draft.house.deck.size
    reason = _not_ready(draft, event)
    if reason:
        draft.ignore(event, reason, full=size if reason == "not_full" else None)
    elif _is_repeated(draft, event):
        draft.ignore(event)
    elif is_between_rounds(draft, event):
        if draft.state.shoe.changing or _is_replaced(draft):
            end_shoe(draft, None, reading=False)
        id_ = event.id or _next_id(draft)
        counted = event.counted, event.receipt, event.witness
        draft.write(r.ShoeReady(event.by, id_, size, *counted, _watchable_deck(draft, id_), _reason_uncut(draft)))


def _is_replaced(draft: Draft) -> bool:
    """True if the shoe in play has dealt cards, and nobody has said that it is taken away."""
    shoe = draft.state.shoe
    return draft.house.asks_for_cut and bool(shoe.id and shoe.out) and not shoe.changing


def _is_repeated(draft: Draft, event: e.LoadShoe) -> bool:
    """True if SHOE READY is pressed again for a shoe that is in play and has dealt no card yet."""
    shoe, is_bare = draft.state.shoe, event.id is None and event.counted is None
    is_fresh = not shoe.changing and not shoe.out and is_loaded_for(shoe, draft.house, draft.house.deck)
    return draft.house.asks_for_cut and is_bare and is_fresh


def _reason_uncut(draft: Draft) -> str | UnsetType:
    """Reason why the new shoe was not cut, empty if none was given; UNSET if it was cut or replaces none in use."""
    shoe = draft.state.shoe
    if not draft.house.asks_for_cut or shoe.new_cut or not (shoe.changing or _is_replaced(draft)):
        return UNSET
    return shoe.uncut or ""


def _not_ready(draft: Draft, event: e.LoadShoe) -> str | None:
    shoe, terms = draft.state.shoe, draft.house.terms
    has_witness = event.witness is not None and not is_like(event.witness, event.by)
    counted = event.counted is not None and (event.receipt or has_witness)
    checks = (
        ("shoe" in draft.state.lost, "shoe_lost"),
        (event.counted not in (None, draft.house.deck.size), "not_full"),
        (terms.count_in and not counted, "not_counted"),
        (not _is_burnt_from(shoe, draft.house), "not_burnt"),
    )
    return next((reason for stands, reason in checks if stands), None)


def _is_burnt_from(shoe: Shoe, house: House) -> bool:
    """True if as many cards of the new shoe are burnt as the table requires.

    With "first_card": one card that everybody sees, then as many as it counts: an ace 1, tens and court cards 10 (BOB
    5.2-5.3). If the reader did not read the first card, the dealer, who sees it, counts: any number that a card may
    count is accepted.
    """
    policy, burnt = house.terms.burn, count_burnt(shoe)
    if policy == "first_card" and shoe.first_unread and house.burns_by_first_card_alone:
        return burnt in BURNT_UNREAD
    if policy == "first_card" and not shoe.seen:
        return burnt > 0  # in older records, after an unread card
    return policy == "free" or burnt == cards_to_burn(shoe, policy)


def count_burnt(shoe: Shoe) -> int:
    """Number of cards burnt from the new shoe so far."""
    return shoe.burnt if shoe.changing and not shoe.reading else 0


def cards_to_burn(shoe: Shoe, policy: str) -> int | None:
    """Number of cards to burn from a new shoe; None while the first card is not known."""
    if policy != "first_card":
        return int(policy == "one")
    first = next(iter(shoe.seen), None)
    return None if first is None else 1 + _COUNTS.get(first[0], 10)


BURNT_UNREAD = range(1 + 1, 1 + 10 + 1)  # cards: the first, and as many as an unread one may count
_COUNTS = {"A": 1, **{str(pips): pips for pips in range(2, 10)}}


def _watchable_deck(draft: Draft, deck: str) -> str | None:
    """Id of the deck if it can be watched over many rounds: single cards, shuffled every round. Else None."""
    cards = draft.house.deck
    return deck if cards.every_round and cards.copies == 1 else None


def is_between_rounds(draft: Draft, event: e.Event) -> bool:
    """True between two rounds; during a round, record the event as ignored and return False."""
    if draft.state.life in RESTING:
        return True
    draft.ignore(event)
    return False


def _next_id(draft: Draft) -> str:
    return str(draft.state.shoes + 1)
