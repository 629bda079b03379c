"""State is the fold of records: `apply` takes a state and one record to the next state.

The one rule: it looks at nothing but the record. No rule sheet, clock or config is asked, so that an old record folds
to the same state for ever.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from .. import records as r
from ..clock import Time
from ..state import State
from . import faults, rounds, table


class BrokenFold(Exception):
    """A record that does not follow from those before it."""


def fold(state: State, records: Iterable[r.Record]) -> State:
    """The state after these records."""
    for record in records:
        state = apply(state, record)
    return state


def state_before(first: r.Record) -> State:
    """The state to go on from where this is the first record at hand: a checkpoint has it, else nothing is known."""
    if isinstance(first.what, r.Checkpoint):
        return msgspec.json.decode(first.what.state, type=State)
    return State(seq=first.seq - 1)


def apply(state: State, record: r.Record) -> State:
    """The state after one more record. Raises BrokenFold if its number is not the next one."""
    if record.seq != state.seq + 1:
        raise BrokenFold(f"record {record.seq} came after record {state.seq}")
    after = _FOLDS[type(record.what)](state, record.what, record)
    since = _dealing_since(state, after, record)
    return replace(after, table=record.table, seq=record.seq, at=record.at, dealing_since=since)


def _dealing_since(before: State, after: State, record: r.Record) -> Time | None:
    """From when the next card is waited for."""
    if after.life != "dealing":
        return None
    new = before.life != "dealing" or isinstance(record.what, r.Dealt | r.Revealed)
    return record.at if new else before.dealing_since


def _nothing(state: State, _what: object, _: r.Record) -> State:
    return state


_NOTHING = (
    r.ShoeCut, r.ShoeEnded, r.BetRefused, r.DecisionRefused, r.Disputed, r.Checkpoint, r.RulingRefused, r.StartRefused,
    r.StartsRefused, r.Ignored, r.TelegramsMissing, r.Disagreed, r.ClockSet, r.SignedIn, r.SignInsRefused,
    r.HandedOver,
)  # fmt: skip
_FOLDS: Mapping[type, Callable[[State, Any, r.Record], State]] = {
    **dict.fromkeys(_NOTHING, _nothing),
    **table.FOLDS,
    **rounds.FOLDS,
    **faults.FOLDS,
}
