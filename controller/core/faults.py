"""The catalogue of faults: what can break the procedure, and what the shift manager may rule then.

The one rule: a fault code exists only here, in the order in which codes are tried.
"""

from ..procedure import Ask, Bets, Deal, Reveal, Step
from .life import LIVE
from .state import State

RULINGS: dict[str, tuple[str, ...]] = {
    "card_before_close": ("burn", "cancel"),
    "extra_card": ("burn", "carry", "correct", "cancel"),
    "unread_card": ("rescan", "enter", "burn", "cancel"),
    "foreign_card": ("burn", "correct", "cancel"),
    "duplicate_card": ("correct", "cancel"),
    "wrong_place": ("move", "burn", "correct", "cancel"),
    "missing_card": ("deal", "correct", "cancel"),
    "result_mismatch": ("resume", "correct", "cancel"),
    "shoe_error": ("resume", "enter", "burn", "cancel"),
    "device_lost": ("resume", "enter", "cancel"),
    "dealer_call": ("resume", "correct", "cancel"),
    "restarted": ("resume", "enter", "correct", "cancel"),
    "replay_failed": ("cancel",),
    "journal_failed": ("resume", "cancel"),
}

# with no round on, or after its settlement, nothing can be corrected or voided any more
_AT_REST = {"extra_card": ("burn", "carry"), "dealer_call": ("resume",), "journal_failed": ("resume",)}


def rulings(state: State, code: str, *, carry: bool) -> tuple[str, ...]:
    """The rulings that make sense for a fault raised now. `carry`: the table lets a card open the next round."""
    allowed = RULINGS[code] if state.live else _AT_REST.get(code, RULINGS[code])
    return tuple(ruling for ruling in allowed if ruling != "carry" or carry)


def expectation(state: State, due: Step | None) -> str:
    """What should have come, in the words of the record."""
    match due:
        case Deal(to=place):
            return f"card to {place}"
        case Ask(who=who):
            return f"decision of {', '.join(who)}"
        case Reveal(place=place):
            return f"reveal of {place}"
        case Bets():
            return "no more bets"
    life = state.paused_from if state.life == "paused" else state.life
    return "finish" if life in LIVE else "no card"
