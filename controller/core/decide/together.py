"""Several inputs that stand or fall together: all of them are accepted, or none is and each is refused.

They are tried one after the other, on the side. Where the table refuses one, nothing of it all is done; what is
recorded instead are inputs that say so, and that are refused whenever they are decided on again.
"""

from collections.abc import Sequence
from typing import NamedTuple, cast

from .. import events as e
from .. import records as r
from ..draft import Draft
from .bets import refuse_bet

NOT_ALL = "not_all"  # why those are refused that nothing stood in the way of


class Part(NamedTuple):
    """One input, and where it came from."""

    event: e.Event
    origin: e.Origin | None = None


def refuse(draft: Draft, event: e.NotAll) -> None:
    """What was sent with it, or it itself, cannot be."""
    match event.said:
        case e.PlaceBet() as bet:
            refuse_bet(draft, bet, event.why or NOT_ALL)
        case e.Choose(who=who, decision=decision):
            draft.write(r.DecisionRefused(who, decision, event.why or NOT_ALL))
        case e.Open():
            draft.write(r.StartRefused(event.why or NOT_ALL))
        case said:
            draft.ignore(said, event.why)


def refusal(records: Sequence[r.Record]) -> r.Refusal | None:
    """What in these says that nothing came of their input."""
    return next((record.what for record in records if isinstance(record.what, r.Refusal)), None)


def refused(parts: Sequence[Part], wrong: int, why: r.Refusal) -> list[Part]:
    """What is recorded of these where the one with this number cannot be."""
    reasons = [why.reason if number == wrong else NOT_ALL for number in range(len(parts))]
    return [
        Part(e.NotAll(cast("e.Sent", part.event), reason), part.origin)
        for part, reason in zip(parts, reasons, strict=True)
    ]
