"""What becomes of what a wrong card has touched, by the shift manager's choice or as the table does it.

The one rule: nothing of it stands silently. Bets at odds that such a card gave go back, or stand at the lower of both
odds; who decided on it is asked anew, and the cards that followed from such a decision, which all have seen, are burnt.
"""

from fractions import Fraction

from msgspec import Struct

from ...rules.cards import Card
from .. import events as e
from .. import records as r
from ..came import ByRuling
from ..contamination import touched
from ..draft import Draft
from ..state import Draw
from ..touched import Choice, Price, Touched, choices
from .bets import give_back
from .redrive import drive_again, rewind
from .rounds import void


class Plan(Struct, frozen=True):
    """What a ruling has touched, and what becomes of it; nothing, where nothing was."""

    touched: Touched = Touched()
    choice: Choice | None = None


def planned(draft: Draft, event: e.Rule, draw: Draw, card: Card | None = None) -> Plan | None:
    """What becomes of what hangs on a draw that is really this card, or lies elsewhere; None: that is no choice."""
    found = touched(draft.position, draft.state, draw, card)
    offered = choices(found, draft.state.round.terms.wrong_odds, may_stand=card is not None)
    if not offered and event.touched != "cancel":  # there is nothing to choose about
        return Plan(found)
    choice = event.touched or offered[0]
    return Plan(found, choice) if choice in offered else None


def amend(draft: Draft, event: e.Rule, plan: Plan) -> bool:
    """Carry out the plan and drive again. Whether the round can go on: what is to stand must fit, a void one ends."""
    if plan.choice == "cancel":
        void(draft, ByRuling(event.because))
        return True
    for price in plan.touched.odds:
        _reprice(draft, price, lower=plan.choice == "stand")
    if plan.choice == "anew":
        _ask_anew(draft, plan.touched)
    drive_again(draft)
    withdrawn = any(isinstance(record.what, r.Rewound) and record.what.decisions for record in draft.records)
    return plan.choice != "stand" or not withdrawn


def _reprice(draft: Draft, price: Price, *, lower: bool) -> None:
    for name in price.bets:
        bet = draft.state.round.bets[name]
        if price.right is None or not lower:
            give_back(draft, bet)
        elif Fraction(price.right) < Fraction(price.was):
            about = (bet.id, bet.player, str(bet.spot), bet.stake)
            draft.write(r.BetRepriced(*about, price.was, price.right, draft.currency))


def _ask_anew(draft: Draft, found: Touched) -> None:
    rewind(draft, found.answers)
    for number in found.cards:
        draw = draft.state.round.draws[number - 1]
        draft.write(r.Burnt(number, draw.card, draw.hidden))
