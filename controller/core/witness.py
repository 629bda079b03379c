"""Comparison of a record with remembered heads, and the choice of the epoch in force.

Pure functions of the record and the remembered heads, so that an anchor file and the bus are compared in the same way.
`newest_head` finds the epoch in force, which is the latest one among a table's heads. An epoch is later than each epoch
in its past. If two epochs have a common past and do not name each other, the later one has more epochs in its past; if
both have as many, it is the one that began later (the name of an epoch ends with its time). Without a common epoch, the
head that was stored last is in force.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from msgspec import UNSET

from .coded_message import CodedMessage, coded
from .mark import Mark
from .state import Loss, State

WHEN = 12  # hex digits at the end of an epoch's name: the time when it began


class Contradiction(NamedTuple):
    """Contradiction between a record and the head of it that is remembered elsewhere."""

    first: int  # first record that is contradicted
    message: CodedMessage
    elsewhere: bool = False  # True: another record of the table counts, so another PC may be dealing


def past_of(losses: Iterable[Loss]) -> dict[str, int]:
    """Last counting record of each earlier epoch; 0 if none of its own counts."""
    own, others = dict[str, int](), dict[str, int]()
    for loss in losses:
        own[loss.epoch] = loss.stands
        if loss.lost is not None:
            others |= dict.fromkeys((loss.lost.epoch, *_past_heads(loss.lost)), 0)
    return {**others, **own}


def _past_heads(mark: Mark) -> Mapping[str, int]:
    return {} if mark.past is UNSET else mark.past


def _rank(epoch: str, past: Mapping[str, int]) -> tuple[int, str, str]:
    return len(past), epoch[-WHEN:], epoch


def newest_head(heads: Iterable[Mark]) -> Mark | None:
    """Newest head of the epoch in force. `heads`: of one table, in the order they were stored."""
    all_heads = list(heads)
    ended = {epoch for head in all_heads for epoch in _past_heads(head)}
    newest: Mark | None = None
    for head in all_heads:
        if head.epoch not in ended and (newest is None or _replaces(head, newest)):
            newest = head
    return newest


def _replaces(head: Mark, before: Mark) -> bool:
    if head.epoch == before.epoch:
        return head.seq >= before.seq
    if not {head.epoch, *_past_heads(head)} & {before.epoch, *_past_heads(before)}:
        return True
    return _rank(head.epoch, _past_heads(head)) > _rank(before.epoch, _past_heads(before))


def opponent(state: State, heads: Sequence[Mark]) -> Mark | None:
    """Head that a record has to agree with: that of the epoch in force.

    For a record of a later epoch, the newest head of its own epochs.
    """
    last, epochs = newest_head(heads), (state.identity.epoch, *(loss.epoch for loss in reversed(state.losses)))
    past = past_of(state.losses)
    if not state.seq or last is None or (last.epoch not in (*epochs, *past) and not _outranks(state, past, last)):
        return last
    groups = ([head for head in heads if head.epoch == epoch] for epoch in (*epochs, *past))
    return next((max(group, key=lambda head: head.seq) for group in groups if group), None)


def _outranks(state: State, past: Mapping[str, int], mark: Mark) -> bool:
    """True if this record is of a later epoch than a head with a common epoch.

    False while a loss is accepted without a comparison, see `_is_compared`.
    """
    epoch = state.identity.epoch
    is_related = bool({epoch, *past} & {mark.epoch, *_past_heads(mark)})
    if not is_related or epoch in _past_heads(mark) or not _is_compared(state):
        return False
    return _rank(epoch, past) > _rank(mark.epoch, _past_heads(mark))


def _is_compared(state: State) -> bool:
    """False if a person continued the record without a comparison and none was made since."""
    return not {"witness", "anchor"} & {*state.doubts}


def _split(past: Mapping[str, int], mark: Mark) -> int | None:
    """Last record that this past and a remembered head have in common; None: unknown."""
    both = [
        min(stands, _past_heads(mark).get(epoch, stands))
        for epoch, stands in past.items()
        if epoch in _past_heads(mark)
    ]
    return max(both, default=None)


def last_before_continuation(state: State, mark: Mark) -> int | None:
    """Last record of this epoch before another epoch continues it; None if none does."""
    return None if mark.past is UNSET else mark.past.get(state.identity.epoch)


def last_of(state: State, epoch: str) -> int | None:
    """Last counting record of an epoch; None: unknown.

    Also of an epoch beside this record's own that was given up.
    """
    last = _last_seq_of(state, epoch)
    return _last_common_record(state, epoch) if last is None else last


def _last_seq_of(state: State, epoch: str) -> int | None:
    if epoch == state.identity.epoch:
        return state.seq
    return next((loss.stands for loss in state.losses if loss.epoch == epoch), None)


def _last_common_record(state: State, epoch: str) -> int | None:
    """Last common record with an epoch that was given up; None: unknown."""
    lost = [loss.lost for loss in state.losses if loss.lost is not None]
    splits = [_split(past_of(state.losses), mark) for mark in lost if epoch in (mark.epoch, *_past_heads(mark))]
    return next((split for split in splits if split is not None), None)


def first_contradiction(state: State, mark: Mark) -> int | None:
    """First record that another record of the same epoch contradicts; None if none does.

    It happens if an older copy of a journal is started without the bus: it writes under the same epoch.
    """
    last = _last_seq_of(state, mark.epoch)
    return state.unheard if last is not None and 0 < state.unheard <= min(last, mark.seq) else None


def contradiction(state: State, mark: Mark, here: str | None, where: CodedMessage) -> Contradiction | None:
    """Compare the record with a head that is remembered elsewhere; None if they agree or the loss was accepted.

    `here`: hash in hex of the own record with that number; None: not available. `where`: where the head is stored.
    """
    if not state.seq:
        return Contradiction(1, coded("record_not_begun", where=where, seq=mark.seq, table=mark.table or "-"))
    accepted = [loss for loss in state.losses if mark == loss.lost or mark.epoch == loss.epoch]
    if any(mark == loss.lost or _is_unasked(state, loss, mark) for loss in accepted):
        return None
    if (stands := last_before_continuation(state, mark)) is not None and not accepted:
        stands = max(stands, _split(past_of(state.losses), mark) or 0)
        table = mark.table or "-"
        message = coded("record_elsewhere", stands=stands, where=where, epoch=mark.epoch[:8], table=table)
        return Contradiction(stands + 1, message, elsewhere=True)
    if mark.epoch != state.identity.epoch and not accepted:
        return _contradiction_of_another(state, mark, where)
    stands = min([state.seq, *(loss.stands for loss in accepted)])
    return _contradiction_in_epoch(state, mark, here, where, stands)


def _contradiction_in_epoch(
    state: State, mark: Mark, here: str | None, where: CodedMessage, last: int
) -> Contradiction | None:
    """Return the contradiction between a record and a head of one of its epochs; None if they agree.

    `last`: the last record of the epoch that counts.
    """
    if (alone := first_contradiction(state, mark)) is not None and here != mark.hash and (here or mark.seq > state.seq):
        return Contradiction(alone, coded("older_copy", seq=alone, where=where))
    if mark.seq == last + 1:
        return Contradiction(mark.seq, coded("record_missing", seq=mark.seq, where=where))
    if mark.seq > last:
        return Contradiction(last + 1, coded("records_missing", first=last + 1, last=mark.seq, where=where))
    if here is None:
        return Contradiction(mark.seq, coded("record_not_at_hand", seq=mark.seq, where=where))
    if here != mark.hash:
        return Contradiction(mark.seq, coded("record_changed", seq=mark.seq, where=where))
    return None


def _is_unasked(state: State, loss: Loss, mark: Mark) -> bool:
    """True if a loss was accepted without naming the last lost record, and this head is beyond it.

    After such a takeover the journal is compared with the bus first.
    """
    return loss.lost is None and mark.seq > loss.stands and "witness" not in state.doubts


def _contradiction_of_another(state: State, mark: Mark, where: CodedMessage) -> Contradiction | None:
    """Return the contradiction between a record and a head of an epoch that the record does not name.

    Returns None if the record is of a later epoch.
    """
    past = past_of(state.losses)
    if _outranks(state, past, mark):
        return None
    ours, theirs, their = state.identity.epoch[:8], mark.epoch[:8], mark.table or "-"
    if (split := _split(past, mark)) is not None:
        message = coded("later_epoch", ours=ours, where=where, theirs=theirs, their=their)
        return Contradiction(split + 1, message, elsewhere=True)
    message = coded("another_record", ours=ours, our=state.table, where=where, theirs=theirs, their=their)
    return Contradiction(1, message, elsewhere=True)
