"""Payment of the bets of a round that is over: at once, or a large book in slices.

The decision that ends a round (`settled`, `cancelled`) is one fact. What is owed then follows from the state alone:
nothing changes the book or the result any more. A book of more than `House.slice` bets is paid by the decisions after
it: the clock's limit is "now" as long as the table owes, each tick pays the next bets in the order in which they were
taken, and the last one closes the round. So payment continues after a restart, and a replay decides the same.

In between, cards, devices, bets and reports are decided as for any round that is over. What people do between rounds
waits (`waits`): the table's loop keeps it until all is paid, and a decision without a loop pays all first.

A ruling that ends a round pays at once, since the ruling is measured by all that it pays.
"""

from collections.abc import Collection, Mapping
from itertools import islice

from msgspec import UNSET

from ...rules.procedure import Outcome
from .. import events as e
from .. import records as r
from ..book import Bet
from ..draft import Draft
from ..returns import Returned, check_payable, returns_by_bet
from .checkpoints import checkpoint, suspect
from .devices import fault_cut_off

WAITING = (
    e.Open, e.Rule, e.NewDeck, e.ChangeShoe, e.CutShoe, e.SkipCut, e.LoadShoe, e.OpenTable, e.CloseTable, e.DealerOn,
    e.Leave, e.SetClock, e.Resettle,
)  # fmt: skip
WAITING_KEYS = frozenset({"open", "shuffled", "change", "cut", "ready", "leave"})


def waits(event: e.Event) -> bool:
    """True if this event is decided only once the last round is paid."""
    return isinstance(event, WAITING) or (isinstance(event, e.KeyPressed) and event.key in WAITING_KEYS)


def is_paid_in_slices(draft: Draft) -> bool:
    """True if the book of a round that ends now is paid by later decisions."""
    house = draft.house
    return house.pays_in_slices and not draft.pays_at_once and len(draft.state.round.bets) > house.slice


def check(draft: Draft) -> None:
    """Check before the settlement that the rule sheet can pay a book of several slices. Raises SheetFailed."""
    if is_paid_in_slices(draft):
        round_ = draft.state.round
        check_payable(draft.position.game(round_), outcome_of(draft), round_.bets.values())


def pay_out(draft: Draft) -> None:
    """Pay or refund the bets of the ended round and close it; a large book later, in slices."""
    if is_paid_in_slices(draft):
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


def _is_cancelled(draft: Draft) -> bool:
    return draft.state.stage == "cancelled"


def _pay(draft: Draft, most: int | None) -> None:
    if _is_cancelled(draft):
        _refund(draft, most)
    else:
        _settle(draft, most)


def _settle(draft: Draft, most: int | None) -> None:
    """Pay the first bets of the book by the rule sheet and under the ceilings. `most`: how many; None: all."""
    round_ = draft.state.round
    bets = list(islice(round_.bets.values(), most))
    returns = draft.position.returns_of_owed(draft.state) if round_.owed else _sheet_returns(draft, bets)
    draft.write_returns(_payment(bet, returns[bet.id], draft.currency) for bet in bets)


def _sheet_returns(draft: Draft, bets: Collection[Bet]) -> Mapping[str, Returned]:
    round_ = draft.state.round
    return returns_by_bet(draft.position.game(round_), round_, outcome_of(draft), bets, draft.currency)


def _payment(bet: Bet, returned: Returned, currency: str) -> r.Paid:
    return r.Paid(
        bet.player, str(bet.spot), bet.id, bet.stake, returned.amount, currency, capped=returned.capped or UNSET
    )


def outcome_of(draft: Draft) -> Outcome:
    """Outcome of the round, which is complete."""
    outcome = draft.position.outcome(draft.state)
    assert outcome is not None  # noqa: S101 - only a complete round is settled and paid
    return outcome


def _refund(draft: Draft, most: int | None) -> None:
    """Return stakes of a void round to all players who took part (ERROR HANDLING). `most`: how many; None: all."""
    bets, currency = islice(draft.state.round.bets.values(), most), draft.currency
    draft.write_returns(r.Refunded(bet.player, str(bet.spot), bet.id, bet.stake, currency) for bet in bets)


def _end(draft: Draft) -> None:
    checkpoint(draft)
    if draft.state.life == "cancelled":
        fault_cut_off(draft)  # a device stays cut off beyond the end of a round
