"""Payment of the bets of a round that is over: at once, or a large book in slices.

The decision that ends a round (`settled`, `cancelled`) is one fact. What is owed then follows from the state alone:
nothing changes the book or the result any more. A book of more than `House.slice` bets is paid by the decisions after
it: the clock's limit is "now" as long as the table owes, each tick pays the next bets in the order in which they were
taken, and the last one closes the round. So a restart goes on by itself, and a replay decides the same.

In between cards, devices, bets and reports are decided as for any round that is over. What people do between rounds
waits (`waits`): the table's loop keeps it until all is paid, and a decision without a loop pays all first.

A ruling that ends a round pays at once: it is measured by all that it pays.
"""

from .. import events as e
from ..draft import Draft
from .bets import check_payable, refund_bets, settle_bets
from .checkpoints import checkpoint, suspect
from .devices import fault_cut_off

WAITING = (
    e.Open, e.Rule, e.NewDeck, e.ChangeShoe, e.CutShoe, e.LoadShoe, e.OpenTable, e.CloseTable, e.DealerOn, e.Leave,
    e.SetClock, e.Resettle,
)  # fmt: skip
WAITING_KEYS = frozenset({"open", "shuffled", "change", "cut", "ready", "leave"})


def waits(event: e.Event) -> bool:
    """True if this is decided only once the last round is paid."""
    return isinstance(event, WAITING) or (isinstance(event, e.Pressed) and event.key in WAITING_KEYS)


def in_slices(draft: Draft) -> bool:
    """True if the book of a round that ends now is paid by later decisions."""
    house = draft.house
    return house.pays_in_slices and not draft.pays_at_once and len(draft.state.round.bets) > house.slice


def check(draft: Draft) -> None:
    """See that the rule sheet pays every bet, before the fact that it has to. Raises SheetFailed."""
    if in_slices(draft):
        check_payable(draft)


def pay_out(draft: Draft) -> None:
    """Pay or refund the bets of the round that has just ended, and close the round; a large book later, in slices."""
    if in_slices(draft):
        suspect(draft)
        return
    _pay(draft, None)
    suspect(draft)
    _end(draft)


def pay_next(draft: Draft) -> None:
    """Pay the next slice; with the last one, close the round."""
    _pay(draft, draft.house.slice)
    if not draft.state.owes:
        _end(draft)


def pay_all(draft: Draft) -> None:
    """Pay all that is owed, each slice as the tick that would have paid it."""
    while draft.state.owes:
        draft.given = e.Input(e.Tick(), draft.at)
        pay_next(draft)


def tick(draft: Draft, _: e.Tick) -> None:
    """Time has passed: pay the next slice, unless a deadline ran out. That one's record has a tick of its own."""
    if draft.state.owes and not draft.records:
        pay_next(draft)


def _is_cancelled(draft: Draft) -> bool:
    state = draft.state
    return "cancelled" in (state.life, state.paused_from if state.life == "paused" else "")


def _pay(draft: Draft, most: int | None) -> None:
    if _is_cancelled(draft):
        refund_bets(draft, most)
    else:
        settle_bets(draft, most)


def _end(draft: Draft) -> None:
    checkpoint(draft)
    if draft.state.life == "cancelled":
        fault_cut_off(draft)  # which no end of a round takes back
