"""Money of players that a record moves.

Staked, withdrawn, returned by a result and refunded are counted when they are done, and never change. A resettlement
adds the differences of its bets: to the time when it was done (`adjusted`) and to the time at which its round ended
(`revised`, the day that the money belongs to). Within one round both are equal.
"""

from collections.abc import Callable, Mapping
from typing import Any

from ..core import records as r
from ..core.clock import from_text
from ..core.records import Record
from .entry import FigureEntry

Moved = Mapping[str, int]  # amount by figure


def _resettled(what: r.Resettled) -> Moved:
    credit = sum(max(0, one.difference) for one in what.movements)
    adjusted = sum(one.difference for one in what.movements)
    return {"adjusted": adjusted, "given_later": credit, "taken_back": credit - adjusted}


_MOVES: Mapping[type, Callable[[Any], Moved]] = {
    r.BetAccepted: lambda what: {"bets": 1, "staked": what.stake},
    r.BetRefused: lambda _: {"bets_refused": 1},
    r.Decided: lambda what: {} if what.stake is None else {"staked": what.stake},
    r.BetWithdrawn: lambda what: {"withdrawn": what.stake},
    r.Refunded: lambda what: {"refunds": 1, "refunded": what.stake},
    r.Paid: lambda what: {
        "settled_stakes": what.stake,
        "pay_outs": int(what.returned > 0),
        "paid_out": what.returned,
        "above_ceilings": what.above_ceilings,
    },
    r.Resettled: _resettled,
}
HOUSE_KEEPS = ("withdrawn", "paid_out", "refunded", "adjusted")  # what is taken from the stakes
COUNTED = frozenset(_MOVES)  # types of the records that move money


def money_of(record: Record) -> list[FigureEntry]:
    """Entries of the money that a record moves, each also by currency."""
    what = record.what
    moves = _MOVES.get(type(what))
    if moves is None:
        return []
    also = (("currency", getattr(what, "currency", None) or ""),)
    entries = [FigureEntry(name, amount, also) for name, amount in moves(what).items()]
    if isinstance(what, r.Resettled):
        entries.append(FigureEntry("revised", entries[0].amount, also, belongs=(from_text(what.ended), record.dealer)))
    return entries


def amount_kept(figures: Mapping[str, int]) -> int:
    """Amount that the house keeps, in minor units; below zero where it has lost."""
    return figures["staked"] - sum(figures[name] for name in HOUSE_KEEPS)
