"""Past round of a resettlement, read from the table's records.

The caller chooses the source: records in memory, or a journal with its archives.
"""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from .. import events as e
from .. import records as r
from ..draft import Draft
from ..fold import state_before
from ..house import House
from ..past_round import PastBet, PastRound, decode_past, encode_past, read_past
from ..position import Position
from ..records.journal import NAMING
from ..state import State
from .resettlements import try_corrections

TELL_DECIDING = ("checkpoint", "configured")  # kinds of records that tell how the later ones are decided


def house_since(house: House, last: r.Record | None) -> House:
    """House as it decided after a record `configured` or `checkpoint`, the last before a resettlement."""
    match last:
        case r.Record(what=r.Configured(deciding=deciding)):
            return replace(house, deciding=deciding)
        case r.Record(what=r.Checkpoint()):
            return replace(house, deciding=NAMING if state_before(last).keeps_revisions else NAMING - 1)
    return house


def after_revision(house: House, position: Position, record: r.Record) -> PastRound | None:
    """Round after a resettlement, from its record with the input; None if the record is another.

    `house`: as it decided on that record. The amounts are those of the record. Where this program cannot drive the
    corrections again, the cards stay as before them, and the round can only be made void.
    """
    match record:
        case r.Record(what=r.Resettled(now=outcome) as what, input=e.Input(event=e.Resettle() as event)):
            past = decode_past(event.past)
        case _:
            return None
    if past is None:
        return None
    after = try_corrections(Draft(house, position, State(), record.at), event, past).past
    movements = what.whole_record.movements
    amounts = {one.bet: one.was + one.difference for one in movements}
    capped = {one.bet: one.capped or () for one in movements}
    bets = tuple(PastBet(one.bet, amounts[one.bet.id], one.gone, capped[one.bet.id]) for one in after.bets)
    return replace(after, bets=bets, outcome=outcome, revision=what.revision)


def with_past(house: House, position: Position, state: State, event: e.Event, records: Sequence[r.Record]) -> e.Event:
    """Return the event; a resettlement without its round gets it from these records.

    `records`: all of the table from a checkpoint, or from the beginning of its journal.
    """
    if not isinstance(event, e.Resettle) or event.past:
        return event
    revision = state.revisions.get(event.round)
    if revision is None:
        past = read_past(_since_checkpoint(records, event.round), event.round)
    else:
        place = next((place for place, record in enumerate(records) if record.seq == revision.seq), None)
        past = None if place is None else after_revision(_house_at(house, records[:place]), position, records[place])
    return replace(event, past=encode_past(past))


def _house_at(house: House, before: Sequence[r.Record]) -> House:
    return house_since(house, next((record for record in reversed(before) if record.kind in TELL_DECIDING), None))


def _since_checkpoint(records: Sequence[r.Record], number: int) -> Iterable[r.Record]:
    """Records from the last checkpoint before the round was opened."""
    first = 0
    for place, record in enumerate(records):
        if isinstance(record.what, r.Checkpoint):
            first = place
        elif isinstance(record.what, r.Opened) and record.round == number:
            return records[first:]
    return ()
