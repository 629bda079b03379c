"""The table around the rounds: open or closed, its shoe, and the meaning of the panel's keys.

None of it disturbs a live round.
"""

from collections.abc import Callable, Mapping

from .. import events as e
from .. import records as r
from ..clock import from_text, to_text
from ..deck_account import account
from ..draft import Draft
from ..house import House
from ..life import RESTING
from ..persons import is_like
from ..shoe import Shoe
from ..state import State
from .cases import open_case
from .dealers import leave
from .openings import obstacle, open_round
from .reports import report
from .rounds import close_by_key, finish


def pressed(draft: Draft, event: e.KeyPressed) -> None:
    """Handle a key of the panel; ignored if the key has no effect now."""
    key, is_due = _KEYS.get(event.key), _DUE.get(event.key)
    if key is None or (is_due is not None and not is_due(draft.house, draft.state)):
        draft.ignore(event)
    else:
        key(draft, event)


def card_dropped(draft: Draft, event: e.KeyPressed) -> None:
    """Report a dropped card: the last one, unless the shift manager names another."""
    if not report(draft, event) and not open_case(draft, event):
        draft.ignore(event, "no_card_lies" if draft.state.live else None)


def card_exposed(draft: Draft, event: e.KeyPressed) -> None:
    """Report a seen face-down card. With a decision open or to come the round is spoilt."""
    if not report(draft, event) and not open_case(draft, event):
        draft.ignore(event, "none_face_down" if draft.state.live else None)


def manager_called(draft: Draft, event: e.KeyPressed) -> None:
    """Handle CALL MANAGER: the table pauses; about a round that is over it opens a case too."""
    report(draft, event)
    open_case(draft, event)


_KEYS: Mapping[str, Callable[[Draft, e.KeyPressed], object]] = {
    "open": lambda draft, _: open_round(draft, e.Open()),
    "close": close_by_key,
    "finish": finish,
    "manager": manager_called,
    "dropped": card_dropped,
    "exposed": card_exposed,
    "shuffled": lambda draft, _: shuffled(draft, e.NewDeck()),
    "change": lambda draft, _: change_shoe(draft, e.ChangeShoe()),
    "cut": lambda draft, _: cut_shoe(draft, e.CutShoe()),
    "ready": lambda draft, _: shoe_ready(draft, e.LoadShoe()),
    "leave": lambda draft, _: leave(draft, e.Leave()),
}


def change_is_due(house: House, state: State) -> bool:
    """True if the shoe must be changed before another round starts."""
    return obstacle(house, state) in ("cut_card_out", "shoe_low", "deck_suspect")


def is_changing(state: State) -> bool:
    """True if the shoe is being changed now."""
    return state.life in RESTING and state.shoe.changing


_DUE: Mapping[str, Callable[[House, State], bool]] = {  # a finger that slips takes no shoe away
    "change": change_is_due,
    "cut": lambda _, state: is_changing(state),
    "ready": lambda _, state: is_changing(state),
}


def shuffled(draft: Draft, event: e.NewDeck) -> None:
    """Record a new or freshly shuffled deck."""
    if draft.state.shoe.changing:
        draft.ignore(event, "shoe_missing")
    elif _between_rounds(draft, event):
        id_ = _next_id(draft)
        draft.write(r.Shuffled(event.by, id_, _watched(draft, event.deck or draft.state.shoe.deck or id_)))


def change_shoe(draft: Draft, event: e.ChangeShoe) -> None:
    """Take the shoe away; cards that come before `shoe ready` raise no fault."""
    if _between_rounds(draft, event):
        end_shoe(draft, event.left, reading=event.reading)
        draft.write(r.ShoeChange(event.by, draft.state.shoe.id or None, event.reading))


def end_shoe(draft: Draft, left: int | None, *, reading: bool) -> None:
    """Record the account of the old shoe once all is known of it.

    `left`: cards counted in it; `reading`: the rest of it is being read out.
    """
    shoe = draft.state.shoe
    if shoe.id and (shoe.reading if shoe.changing else not reading):
        draft.write(account(draft.state, draft.house.deck, left))


def cut_shoe(draft: Draft, event: e.CutShoe) -> None:
    """Record that the cards were cut, before or after loading the shoe."""
    if _between_rounds(draft, event):
        draft.write(r.ShoeCut(event.by))


def shoe_ready(draft: Draft, event: e.LoadShoe) -> None:
    """Put a full shoe in play; ignored if it is absent, not counted or not burnt as required."""
    size = draft.house.deck.size
    reason = _not_ready(draft, event)
    if reason:
        draft.ignore(event, reason, full=size if reason == "not_full" else None)
    elif _between_rounds(draft, event):
        if draft.state.shoe.changing:
            end_shoe(draft, None, reading=False)
        id_ = event.id or _next_id(draft)
        draft.write(r.ShoeReady(event.by, id_, size, event.counted, event.receipt, event.witness, _watched(draft, id_)))


def _not_ready(draft: Draft, event: e.LoadShoe) -> str | None:
    shoe, terms = draft.state.shoe, draft.house.terms
    seen = event.witness is not None and not is_like(event.witness, event.by)
    counted = event.counted is not None and (event.receipt or seen)
    checks = (
        ("shoe" in draft.state.lost, "shoe_lost"),
        (event.counted not in (None, draft.house.deck.size), "not_full"),
        (terms.count_in and not counted, "not_counted"),
        (not _is_burnt_from(shoe, terms.burn), "not_burnt"),
    )
    return next((reason for stands, reason in checks if stands), None)


def _is_burnt_from(shoe: Shoe, policy: str) -> bool:
    """True if as many cards of the new shoe are burnt as the table requires.

    With "first_card": one that is seen, and then as many as it counts, an ace 1 and tens and court cards 10 (BOB
    5.2-5.3).
    """
    burnt = shoe.burnt if shoe.changing and not shoe.reading else 0
    if policy == "first_card" and not shoe.seen:
        return burnt > 0  # it was not read, and nobody knows what it counts
    return policy == "free" or burnt == burn_wanted(shoe, policy)


def burn_wanted(shoe: Shoe, policy: str) -> int | None:
    """Number of cards to burn from a new shoe; None while the first card is not known."""
    if policy != "first_card":
        return int(policy == "one")
    first = next(iter(shoe.seen), None)
    return None if first is None else 1 + _COUNTS.get(first[0], 10)


_COUNTS = {"A": 1, **{str(pips): pips for pips in range(2, 10)}}


def _watched(draft: Draft, deck: str) -> str | None:
    """Id of the deck if it can be watched over many rounds: single cards, shuffled every round. Else None."""
    cards = draft.house.deck
    return deck if cards.every_round and cards.copies == 1 else None


def open_table(draft: Draft, event: e.OpenTable) -> None:
    """Open the table for play; ignored if it is open."""
    if draft.state.open:
        draft.ignore(event, "open_already")
    else:
        draft.write(r.TableOpened(event.by))


def close_table(draft: Draft, event: e.CloseTable) -> None:
    """Close the table: no further round starts, a live one is played to its end."""
    if draft.state.open:
        draft.write(r.TableClosed(event.by))
    else:
        draft.ignore(event, "closed_already")


def set_clock(draft: Draft, event: e.SetClock) -> None:
    """Adopt the PC's new time between rounds; never within one, whose limits stay what they are.

    Time may go back here and nowhere else: this record and what follows are dated by the new time.
    """
    if _between_rounds(draft, event):
        before, draft.at = draft.at, from_text(event.to)
        draft.write(r.ClockSet(to_text(before), event.to))


def _between_rounds(draft: Draft, event: e.Event) -> bool:
    if draft.state.life in RESTING:
        return True
    draft.ignore(event)
    return False


def _next_id(draft: Draft) -> str:
    return str(draft.state.shoes + 1)
