"""Rules on face-down cards: before they are turned over, nothing visible and no payment may depend on them."""

import random

from ...rules.procedure import Reveal
from .broken import Finding
from .paths import Path, stakes, with_other_hidden


def keeps_what_is_hidden(path: Path) -> Finding | None:
    """Check that face-down cards change nothing visible before they are turned over."""
    other = with_other_hidden(path, random.Random(len(path.answers)))
    if other is None:
        return None
    for step, other_step in zip((*path.steps, None), (*other.steps, None), strict=False):
        if isinstance(step, Reveal) or isinstance(other_step, Reveal):
            return None
        if step != other_step:
            return (
                f"expected the next step to be the same whatever lies face down, it was {step} and {other_step}",
                "decide on a face-down card only after `yield from reveal(hand)`",
            )
    if path.outcome is None or other.outcome is None or path.outcome.record() == other.outcome.record():
        return None
    return (
        "expected an outcome that does not depend on cards which were never turned over, it does",
        "leave such cards out of the outcome, or name the field in its `kept`",
    )


def check_hidden_payouts(path: Path) -> Finding | None:
    """Check that cards which stay face down pay nothing and cost nothing."""
    other = with_other_hidden(path, random.Random(len(path.answers)))
    if other is None or path.outcome is None or other.outcome is None or any(_reveals(one) for one in (path, other)):
        return None
    for stake in stakes(path):
        payout, other_payout = path.game.pay(path.outcome, stake), path.game.pay(other.outcome, stake)
        if payout != other_payout:
            return (
                f"expected the same return of {stake.market} whatever lies face down, got {payout} and {other_payout}",
                "have pay use only cards that were turned over: nobody has seen the others",
            )
    return None


def _reveals(path: Path) -> bool:
    return any(isinstance(step, Reveal) for step in path.steps)
