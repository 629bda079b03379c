"""What a record counts for in money."""

from collections.abc import Callable, Mapping
from typing import Any

from ..core import records as r

MOVES: Mapping[type, Callable[[Any], Mapping[str, int]]] = {
    r.BetAccepted: lambda what: {"staked": what.stake},
    r.Decided: lambda what: {"staked": what.stake or 0},
    r.BetWithdrawn: lambda what: {"withdrawn": what.stake},
    r.Refunded: lambda what: {"refunds": 1, "refunded": what.stake},
    r.Resettled: lambda what: {"adjusted": sum(one.difference for one in what.movements)},
    r.Paid: lambda what: {
        "pay_outs": int(what.returned > 0),
        "paid_out": what.returned,
        "above_ceilings": what.above_ceilings,
    },
}


def money_of(what: r.What) -> Mapping[str, int]:
    """What a record counts for in money, if in any: in minor units."""
    counts = MOVES.get(type(what))
    return {} if counts is None else counts(what)
