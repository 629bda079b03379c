"""Rulings on offer for the open fault, and rulings that are allowed but not possible now.

Invariant: this one check decides which rulings are offered, listed as not possible now, or refused for that reason. It
looks at no card's value, so nothing can be learnt from it about a face-down card.
"""

from collections.abc import Callable, Mapping

from ..rules.procedure import Deal, Step
from . import events as e
from .fault_catalogue import CATALOGUE
from .open_fault import Fault
from .state import Draw, Round, State

MOST_EXTENSIONS = 3
NEEDS: Mapping[str, tuple[str, ...]] = {  # inputs of each ruling; the others have none
    "enter": ("card",),
    "correct": ("draw", "card"),
    "move": ("draw", "place"),
    "burn": ("draw",),
    "void": ("draw",),
    "carry": ("draw", "seen"),
    "void_hand": ("place",),
}


def hindrances(state: State, due: Step | None, fault: Fault, *, after_slides: bool) -> dict[str, str]:
    """Rulings that this fault allows but that are not possible now, each with its reason code."""
    why = {one: hindrance(state, due, fault, one, after_slides=after_slides) for one in fault.rulings}
    return {ruling: reason for ruling, reason in why.items() if reason}


def possible_rulings(state: State, due: Step | None) -> tuple[str, ...]:
    """Rulings that can be made on the open fault now, in the order of the catalogue."""
    return tuple(ruling for ruling, reason in prospects(state, due).items() if reason is None)


def blocked_rulings(state: State, due: Step | None) -> dict[str, str]:
    """Rulings that the open fault allows but that are not possible now, each with its reason code."""
    return {ruling: reason for ruling, reason in prospects(state, due).items() if reason is not None}


def prospects(state: State, due: Step | None) -> dict[str, str | None]:
    """Rulings that the open fault allows, in the order of the catalogue; each with the reason code why not now."""
    fault = state.fault
    if fault is None:
        return {}
    entry, allowed = CATALOGUE[fault.code], fault.allowed_rulings
    rulings = (ruling for ruling in (*entry.rulings, *entry.at_rest) if ruling in allowed)
    return {ruling: hindrance(state, due, fault, ruling) for ruling in rulings}


def hindrance(state: State, due: Step | None, fault: Fault, ruling: str, *, after_slides: bool = True) -> str | None:
    """Reason code why this ruling cannot succeed now, with any arguments; None if it can be made.

    `after_slides`: see `House.enters_after_slides`.
    """
    if ruling == "enter" and not after_slides and fault.draw and slides(state, fault.draw):
        return "does_not_fit"
    if ruling in ("burn", "void", "carry"):
        return None if any(may_name(ruling, draw, state) for draw in state.round.draws) else "bad_draw"
    look = _HINDRANCES.get(ruling)
    return look(state, due, fault) if look else None


def may_name(ruling: str, draw: Draw, state: State) -> bool:
    """True if the ruling can apply to this draw.

    Cards of a settled round stay on the table. Of a carried card nobody can say that it never existed.
    """
    may_go = draw.fate == "loose" or (state.live and draw.fate == "placed")
    match ruling:
        case "burn":
            return may_go
        case "void":
            return may_go and draw.source != "carried"
        case "carry":
            return draw.fate == "loose" and draw.card is not None
        case "correct":
            return draw.lies and draw.card is not None
        case "move":
            return draw.lies
    return False


def may_extend(state: State) -> bool:
    """True if a shift manager may ask for more time: MOST_EXTENSIONS times in a round."""
    return (
        state.fault is not None and "cancel" in state.fault.allowed_rulings and state.round.extended < MOST_EXTENSIONS
    )


def second_reading(state: State, unread: int) -> Draw | None:
    """Draw of the card that was slid again after the unread draw; None if there is none."""
    return next((draw for draw in state.loose_draws if draw.number > unread and draw.card), None)


def slides(state: State, unread: int) -> list[Draw]:
    """Further unread draws after the unread draw with this number: the same card, slid again."""
    return [draw for draw in state.loose_draws if draw.number > unread and draw.card is None]


def _resume(state: State, _: Step | None, fault: Fault) -> str | None:
    still_lost = isinstance(fault.came, e.LostDevice) and fault.came.device in state.lost
    return "device_still_lost" if still_lost else None


def _enter(state: State, due: Step | None, fault: Fault) -> str | None:
    """Hindrance of `enter`: a card that was read is not entered; use its reading or burn it first."""
    unread = _fault_draw(state, fault)
    slid = [] if unread is None or unread.card else slides(state, unread.number)
    others = [draw for draw in state.loose_draws if draw.number != fault.draw and draw not in slid]
    elsewhere = unread is not None and isinstance(due, Deal) and unread.place not in (None, due.to)
    return "does_not_fit" if not isinstance(due, Deal) or others or elsewhere else None


def _rescan(state: State, _: Step | None, fault: Fault) -> str | None:
    return None if second_reading(state, fault.draw or 0) else "does_not_fit"


def _correct(state: State, _: Step | None, fault: Fault) -> str | None:
    """Hindrance of `correct`: an unread card has no reading to correct; enter it or put it away first."""
    about = _fault_draw(state, fault)
    draws = state.round.draws if about is None or not about.lies else [about]
    return None if any(may_name("correct", draw, state) for draw in draws) else "bad_draw"


def _void_hand(state: State, _: Step | None, __: Fault) -> str | None:
    return None if state.live and seats_in_play(state.round) else "does_not_fit"


def seats_in_play(round_: Round) -> list[str]:
    """Seats of the round that are not void; empty in a game without seats."""
    return [seat for seat in (round_.joined.seats if round_.joined else ()) if seat not in round_.void]


def _fault_draw(state: State, fault: Fault) -> Draw | None:
    """Draw that the fault is about; None if it is about none."""
    return None if fault.draw is None else state.round.draws[fault.draw - 1]


_HINDRANCES: Mapping[str, Callable[[State, Step | None, Fault], str | None]] = {
    "resume": _resume,
    "enter": _enter,
    "rescan": _rescan,
    "correct": _correct,
    "void_hand": _void_hand,
}
