"""Past round of a resettlement, read from the table's records.

The caller chooses the source: records in memory, or a journal with its archives.
"""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from .. import events as e
from .. import records as r
from ..draft import Draft
from ..house import House
from ..past_round import PastBet, PastRound, decode_past, encode_past, read_past
from ..position import Position
from ..state import State
from .resettlements import try_corrections


def after_revision(house: House, position: Position, record: r.Record) -> PastRound | None:
    """Round after a resettlement, from its record with the input; None if the record is another.

    Its amounts are those of the record. Where this program cannot drive the corrections again, the cards stay as before
    them, and the round can only be made void.
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
        resettlement = next((record for record in records if record.seq == revision.seq), None)
        past = None if resettlement is None else after_revision(house, position, resettlement)
    return replace(event, past=encode_past(past))


def _since_checkpoint(records: Sequence[r.Record], number: int) -> Iterable[r.Record]:
    """Records from the last checkpoint before the round was opened."""
    first = 0
    for place, record in enumerate(records):
        if isinstance(record.what, r.Checkpoint):
            first = place
        elif isinstance(record.what, r.Opened) and record.round == number:
            return records[first:]
    return ()
