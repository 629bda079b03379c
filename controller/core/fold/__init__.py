"""State of a table computed from its records: `apply` for one more record, `fold` for many.

Invariant: the new state depends only on the state before and the record. No rule sheet, clock or config is read, so a
record gives the same state in every later version of the program.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

import msgspec
from msgspec.structs import replace

from .. import records as r
from ..clock import Time
from ..state import State
from . import faults, resettlements, rounds, table

# made once: two threads that make a decoder at the same time crash the process
_decode_state = msgspec.json.Decoder(State).decode


class BrokenFold(Exception):
    """Raised for a record whose sequence number is not the next one."""


def fold(state: State, records: Iterable[r.Record]) -> State:
    """Apply records in order; return the state after the last.

    Raises BrokenFold if a sequence number is missing.
    """
    for returns, run in groupby(records, key=_is_return):
        if returns:
            state = _apply_returns(state, list(run))
        else:
            for record in run:
                state = apply(state, record)
    return state


def _is_return(record: r.Record) -> bool:
    return isinstance(record.what, r.Paid | r.Refunded)


def _apply_returns(state: State, records: Sequence[r.Record]) -> State:
    """Apply consecutive `paid` or `refunded` records, with one change of the book.

    The state is the same as after one by one.
    """
    *others, last = records
    for seq, record in enumerate(others, state.seq + 1):
        _check_follows(record, seq)
    gone = [record.what.bet for record in others if isinstance(record.what, r.Paid | r.Refunded)]
    bets = state.round.bets.without_all(gone)
    return apply(replace(state, seq=state.seq + len(others), round=replace(state.round, bets=bets)), last)


def state_before(first: r.Record) -> State:
    """Return the state to begin a fold with if `first` is the first record available.

    A checkpoint contains that state. Any other record gives an empty state, with the sequence number before it.
    """
    if isinstance(first.what, r.Checkpoint):
        return _decode_state(first.what.state)
    return State(seq=first.seq - 1)


def apply(state: State, record: r.Record) -> State:
    """Return the state after one more record.

    Raises BrokenFold if its sequence number is not the next one.
    """
    _check_follows(record, state.seq + 1)
    after = _FOLDS[type(record.what)](state, record.what, record)
    since = _dealing_since(state, after, record)
    return replace(after, table=record.table, seq=record.seq, at=record.at, dealing_since=since)


def _check_follows(record: r.Record, seq: int) -> None:
    if record.seq != seq:
        raise BrokenFold(f"{record.seq} after {seq - 1}")


def _dealing_since(before: State, after: State, record: r.Record) -> Time | None:
    """Return the time since when the dealer is expected to deal the next card; None if none is due."""
    if after.life != "dealing":
        return None
    new = before.life != "dealing" or isinstance(record.what, r.Dealt | r.PlaceRevealed)
    return record.at if new else before.dealing_since


def _keep_state(state: State, _what: object, _: r.Record) -> State:
    return state


_NOTHING = (
    r.ShoeEnded, r.BetRefused, r.DecisionRefused, r.Disputed, r.Checkpoint, r.RulingRefused, r.StartRefused,
    r.StartsRefused, r.TelegramsMissing, r.Disagreed, r.ClockSet, r.SignedIn, r.SignInsRefused,
    r.HandedOver, r.ResettleRefused,
)  # fmt: skip
_FOLDS: Mapping[type, Callable[[State, Any, r.Record], State]] = {
    **dict.fromkeys(_NOTHING, _keep_state),
    **table.FOLDS,
    **rounds.FOLDS,
    **faults.FOLDS,
    **resettlements.FOLDS,
}
