"""Whether a record is still the one that somebody outside remembers.

It is a pure function of the record and of what is remembered, so that an anchor file and the bus are compared in the
same way.
"""

from typing import NamedTuple

from msgspec import UNSET

from .mark import Mark
from .state import State


class Contradiction(NamedTuple):
    """How a record is not the one that is remembered."""

    first: int  # the record from which on
    says: str


def went_on(state: State, mark: Mark) -> int | None:
    """After which of its records this one goes on elsewhere, in another epoch, by what is remembered."""
    return None if mark.past is UNSET else mark.past.get(state.identity.epoch)


def last_of(state: State, epoch: str) -> int | None:
    """The last record of an epoch that counts; null, where this record has none of it."""
    if epoch == state.identity.epoch:
        return state.seq
    return next((loss.stands for loss in state.losses if loss.epoch == epoch), None)


def contradiction(state: State, mark: Mark, here: str | None, where: str) -> Contradiction | None:
    """None where the record is the one remembered, or somebody has accepted what is lost of it.

    `here`: the hash of the record with that number, hex; null: it is not at hand. `where`: who remembers, in words.
    """
    if not state.seq:
        return Contradiction(1, f"no record is begun here, {where} remembers {mark.seq} of table {mark.table or '-'}")
    accepted = [loss for loss in state.losses if mark == loss.lost or mark.epoch == loss.epoch]
    if any(mark == loss.lost or (loss.lost is None and mark.seq > loss.stands) for loss in accepted):
        return None
    if (stands := went_on(state, mark)) is not None and not accepted:
        theirs = f"epoch {mark.epoch[:8]} of table {mark.table or '-'}"
        return Contradiction(stands + 1, f"after record {stands} it went on elsewhere: {where} remembers {theirs}")
    if mark.epoch != state.identity.epoch and not accepted:
        ours = f"epoch {state.identity.epoch[:8]} of table {state.table}"
        theirs = f"epoch {mark.epoch[:8]} of table {mark.table or '-'}"
        return Contradiction(1, f"this is another record, {ours}; {where} remembers {theirs}")
    last = min([state.seq, *(loss.stands for loss in accepted)])
    if mark.seq > last:
        missing = f"record {mark.seq} is" if mark.seq == last + 1 else f"records {last + 1} to {mark.seq} are"
        return Contradiction(last + 1, f"{missing} missing, which {where} remembers")
    if here is None:
        return Contradiction(mark.seq, f"record {mark.seq}, which {where} remembers, is not at hand")
    if here != mark.hash:
        changed = f"from record {mark.seq} on, if not before, this is not what was recorded"
        return Contradiction(mark.seq, f"{changed}: {where} remembers another")
    return None
