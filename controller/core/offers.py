"""What may be ruled on a fault now, and what its entry in the catalogue allows but nothing could come of now.

The one rule: this one look decides what is offered, what is listed as not possible now, and what is refused for that
reason. It looks at no card's value: nothing can be learnt from it of a card that lies face down.
"""

from collections.abc import Callable, Mapping

from ..rules.procedure import Deal, Step
from . import events as e
from .fault_catalogue import CATALOGUE
from .state import Draw, Fault, Round, State

MOST_EXTENSIONS = 3


def offered(state: State, due: Step | None) -> tuple[str, ...]:
    """What can be ruled on the open fault now, in the order of the catalogue."""
    return tuple(ruling for ruling, reason in _looked_at(state, due) if reason is None)


def not_now(state: State, due: Step | None) -> dict[str, str]:
    """What the open fault allows and cannot be ruled now, each with its reason."""
    return {ruling: reason for ruling, reason in _looked_at(state, due) if reason is not None}


def _looked_at(state: State, due: Step | None) -> list[tuple[str, str | None]]:
    fault = state.fault
    if fault is None:
        return []
    entry = CATALOGUE[fault.code]
    known = dict.fromkeys([*entry.rulings, *entry.at_rest])
    return [(ruling, hindrance(state, due, fault, ruling)) for ruling in known if ruling in fault.allowed]


def hindrance(state: State, due: Step | None, fault: Fault, ruling: str) -> str | None:
    """Why nothing could come of a ruling on this fault now, whatever is said with it; None: it can be made."""
    look = _HINDRANCES.get(ruling)
    return look(state, due, fault) if look else None


def may_go(state: State, draw: Draw) -> bool:
    """Whether a draw can be put away: the cards of a settled round stay as they lie."""
    return draw.fate == "loose" or (state.live and draw.fate == "placed")


def may_extend(state: State) -> bool:
    """Whether a shift manager may have more time before the clock cancels the round: three times in a round."""
    return state.fault is not None and "cancel" in state.fault.allowed and state.round.extended < MOST_EXTENSIONS


def second_reading(state: State, unread: int) -> Draw | None:
    """The card that was slid again."""
    return next((draw for draw in state.loose if draw.number > unread and draw.card), None)


def _resume(state: State, _: Step | None, fault: Fault) -> str | None:
    still_lost = isinstance(fault.came, e.LostDevice) and fault.came.device in state.lost
    return "device_still_lost" if still_lost else None


def _enter(state: State, due: Step | None, fault: Fault) -> str | None:
    """A card that was read is not entered: its reading is taken, or it is burnt first."""
    unread = _drawn(state, fault)
    others = [draw for draw in state.loose if draw.number != fault.draw]
    elsewhere = unread is not None and isinstance(due, Deal) and unread.place not in (None, due.to)
    return "does_not_fit" if not isinstance(due, Deal) or others or elsewhere else None


def _rescan(state: State, _: Step | None, fault: Fault) -> str | None:
    return None if second_reading(state, fault.draw or 0) else "does_not_fit"


def _correct(state: State, _: Step | None, fault: Fault) -> str | None:
    """A card that was not read is entered or put away first: there is no reading to correct."""
    about = _drawn(state, fault)
    draws = state.round.draws if about is None or about.fate not in ("placed", "loose") else [about]
    read = any(draw.fate in ("placed", "loose") and draw.card for draw in draws)
    return None if read else "bad_draw"


def _put_away(state: State, _: Step | None, __: Fault) -> str | None:
    return None if any(may_go(state, draw) for draw in state.round.draws) else "bad_draw"


def may_be_void(state: State, draw: Draw) -> bool:
    """Whether there may have been no such card: one that the round before left over was there."""
    return may_go(state, draw) and draw.source != "carried"


def _void(state: State, _: Step | None, __: Fault) -> str | None:
    return None if any(may_be_void(state, draw) for draw in state.round.draws) else "bad_draw"


def _void_hand(state: State, _: Step | None, __: Fault) -> str | None:
    return None if state.live and hands_in_play(state.round) else "does_not_fit"


def hands_in_play(round_: Round) -> list[str]:
    """The hands that decide for themselves and are not void."""
    return [seat for seat in (round_.joined.seats if round_.joined else ()) if seat not in round_.void]


def _carry(state: State, _: Step | None, __: Fault) -> str | None:
    return None if any(draw.card for draw in state.loose) else "bad_draw"


def _drawn(state: State, fault: Fault) -> Draw | None:
    """The draw that the fault is about."""
    return None if fault.draw is None else state.round.draws[fault.draw - 1]


_HINDRANCES: Mapping[str, Callable[[State, Step | None, Fault], str | None]] = {
    "resume": _resume,
    "enter": _enter,
    "rescan": _rescan,
    "correct": _correct,
    "burn": _put_away,
    "void": _void,
    "carry": _carry,
    "void_hand": _void_hand,
}
