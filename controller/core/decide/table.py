"""The table around the rounds: open and closed, who deals, which shoe; and what the panel's keys mean.

None of it disturbs a round that is on.
"""

from collections.abc import Callable, Mapping

from .. import events as e
from .. import records as r
from ..contamination import decided, touched
from ..draft import Draft
from ..fitting import decisions_to_come
from ..life import RESTING
from ..persons import id_of
from .rounds import close_bets, finish, open_round


def pressed(draft: Draft, event: e.Pressed) -> None:
    """A key of the panel."""
    key = _KEYS.get(event.key)
    if key is None:
        draft.ignore(event)
    else:
        key(draft, event)


def call_manager(draft: Draft, event: e.Pressed) -> None:
    """CALL MANAGER: the dealer stops the round themselves."""
    if draft.state.life == "paused":
        draft.ignore(event)
    else:
        draft.fault("dealer_call", event)


def card_dropped(draft: Draft, event: e.Pressed) -> None:
    """The dealer reports a card off the table: the one that came last, unless the shift manager names another."""
    placed = [draw.number for draw in draft.state.round.draws if draw.fate == "placed"]
    if draft.running and placed:
        last = draft.state.round.draws[placed[-1] - 1]
        draft.fault("card_dropped", event, draw=last.number, touched=touched(draft.position, draft.state, last))
    else:
        draft.ignore(event, "no_card_lies" if draft.running else None)


def card_exposed(draft: Draft, event: e.Pressed) -> None:
    """The dealer reports that a face-down card was seen: with a decision open or to come the round is spoilt."""
    round_ = draft.state.round
    hidden = [draw.number for draw in round_.draws if draw.hidden and draw.fate == "placed"]
    if draft.running and hidden:
        spoilt = ["resume"] if decisions_to_come(draft) else []
        seen = decided(draft.position, round_, hidden, by_anybody=True)
        draft.fault("hidden_card_exposed", event, without=spoilt, touched=seen)
    else:
        draft.ignore(event, "none_face_down" if draft.running else None)


_KEYS: Mapping[str, Callable[[Draft, e.Pressed], None]] = {
    "open": lambda draft, _: open_round(draft, e.Open()),
    "close": lambda draft, _: close_bets(draft, e.Close()),
    "finish": finish,
    "manager": call_manager,
    "dropped": card_dropped,
    "exposed": card_exposed,
    "shuffled": lambda draft, _: shuffled(draft, e.NewDeck()),
}


def shuffled(draft: Draft, event: e.NewDeck) -> None:
    """A new or freshly shuffled deck is confirmed."""
    if draft.state.shoe.changing:
        draft.ignore(event, "shoe_missing")
    elif _between_rounds(draft, event):
        draft.write(r.Shuffled(event.by, _next_id(draft)))


def change_shoe(draft: Draft, event: e.ChangeShoe) -> None:
    """The shoe is taken away; cards from here to `shoe ready` fault nothing."""
    if _between_rounds(draft, event):
        draft.write(r.ShoeChange(event.by, draft.state.shoe.id or None))


def cut_shoe(draft: Draft, event: e.CutShoe) -> None:
    """The cards are cut, before or after the shoe is loaded with them."""
    if _between_rounds(draft, event):
        draft.write(r.ShoeCut(event.by))


def shoe_ready(draft: Draft, event: e.LoadShoe) -> None:
    """A full shoe is in place. One that was counted and is not full, or is not plugged in, does not come into play."""
    size = draft.house.deck.size
    if "shoe" in draft.state.lost:
        draft.ignore(event, "shoe_lost")
    elif event.counted not in (None, size):
        draft.ignore(event, "not_full", full=size)
    elif _between_rounds(draft, event):
        draft.write(r.ShoeReady(event.by, event.id or _next_id(draft), size, event.counted))


def open_table(draft: Draft, event: e.OpenTable) -> None:
    """The table opens for play."""
    if draft.state.open:
        draft.ignore(event, "open_already")
    else:
        draft.write(r.TableOpened(event.by))


def close_table(draft: Draft, event: e.CloseTable) -> None:
    """No further round starts; one that is on is played to its end."""
    if draft.state.open:
        draft.write(r.TableClosed(event.by))
    else:
        draft.ignore(event, "closed_already")


def dealer_on(draft: Draft, event: e.DealerOn) -> None:
    """Somebody else deals, from the next round on; or nobody."""
    if _between_rounds(draft, event):
        draft.write(r.DealerChanged(event.dealer, id_of(event.dealer), draft.state.dealer, event.by))


def _between_rounds(draft: Draft, event: e.Event) -> bool:
    if draft.state.life in RESTING:
        return True
    draft.ignore(event)
    return False


def _next_id(draft: Draft) -> str:
    return str(draft.state.shoes + 1)
