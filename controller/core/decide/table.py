"""The table around the rounds: open or closed, its clock, and the meaning of the panel's keys.

None of it disturbs a live round.
"""

from collections.abc import Callable, Mapping
from typing import Literal

from .. import events as e
from .. import records as r
from ..clock import from_text, to_text
from ..draft import Draft
from ..house import House
from ..state import State
from .cases import is_new_case, no_case_reason, open_case
from .dealers import leave
from .openings import open_round
from .reports import is_new_report, report
from .rounds import close_by_key, finish
from .shoe_change import (
    change_is_due,
    change_shoe,
    cut_shoe,
    is_between_rounds,
    is_changing,
    put_in_play_by_key,
    shoe_step,
    shuffle_is_due,
    shuffled,
)


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
        draft.ignore(event, "no_card_lies" if draft.state.live else no_case_reason(draft.house, draft.state, event))


def card_exposed(draft: Draft, event: e.KeyPressed) -> None:
    """Report a seen face-down card. With a decision open or to come, the round cannot just be resumed."""
    if not report(draft, event) and not open_case(draft, event):
        draft.ignore(event, "none_face_down" if draft.state.live else no_case_reason(draft.house, draft.state, event))


def takes_report(house: House, state: State, key: Literal["dropped", "exposed"]) -> bool:
    """True if this key has an effect now: it raises a fault, waits in a pause, or opens a case about the last round."""
    event = e.KeyPressed(key)
    return is_new_report(state, event) if state.live else is_new_case(house, state, event)


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
    "ready": put_in_play_by_key,
    "leave": lambda draft, _: leave(draft, e.Leave()),
}


def _cut_is_due(house: House, state: State) -> bool:
    """True if the key CUT has an effect now; in older records it had one throughout a change of the shoe."""
    return shoe_step(house, state) == "cut" if house.asks_for_cut else is_changing(state)


def _shuffle_is_due(house: House, state: State) -> bool:
    """True if the key SHUFFLED has an effect now; in older records it made any shoe a full one."""
    return shuffle_is_due(house, state) or not house.spares_shoe_in_play


_DUE: Mapping[str, Callable[[House, State], bool]] = {  # else a key pressed by mistake would take the shoe away
    "shuffled": _shuffle_is_due,
    "change": change_is_due,
    "cut": _cut_is_due,
    "ready": lambda _, state: is_changing(state),
}


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

    Time may go back here and nowhere else: this record and all later ones are dated by the new time.
    """
    if is_between_rounds(draft, event):
        before, draft.at = draft.at, from_text(event.to)
        draft.write(r.ClockSet(to_text(before), event.to))
