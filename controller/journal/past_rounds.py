"""Reading a round that is over from the journal and the archives beside it, to settle it anew."""

from collections.abc import Mapping
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from ..core import events as e
from ..core.decide.past_rounds import TELL_DECIDING, after_revision, house_since
from ..core.house import House
from ..core.past_round import PastRound, encode_past, read_past
from ..core.position import Position
from ..core.records import Record
from ..core.state import Revision
from ..rules.game import Game
from .reader import reach, read
from .rounds import opening_seq, read_backwards


def with_past(
    path: Path, house: House, games: Mapping[str, Game], revisions: Mapping[int, Revision], event: e.Resettle
) -> e.Resettle:
    """Return the event with its past round from the records; without one if it cannot be read.

    It cannot be read while the round is live, or if its records are missing. `revisions`: latest revisions known to the
    table, by round. Raises JournalError.
    """
    revision = revisions.get(event.round)
    if revision is None:
        past = _read_settled_round(path, event.round)
    else:
        last = next(iter(read_backwards(path, revision.seq, TELL_DECIDING)), None)
        past = after_revision(house_since(house, last), Position(games), record_at(path, revision.seq))
    return replace(event, past=encode_past(past))


def record_at(path: Path, seq: int) -> Record:
    """Return the record with this number, with its input. Raises JournalError."""
    return next(islice(read(path, seq - 1), 1))


def _read_settled_round(path: Path, number: int) -> PastRound | None:
    opened = opening_seq(path, number)
    if opened is None:
        return None
    before = next(iter(read_backwards(path, opened, ["checkpoint"])), None)
    return read_past(read(path, reach(path) if before is None else before.seq - 1), number)
