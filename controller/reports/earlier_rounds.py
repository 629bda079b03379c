"""Check of resettlements in a replay: the round in the input must be the recorded one.

The input of a resettlement contains its round, after its latest resettlement if there was one. It is compared with the
round that the replay has decided at that revision. Only hashes of the latest rounds are kept.
"""

import hashlib
from collections.abc import Sequence

from ..core import records as r
from ..core.decide.past_rounds import after_revision
from ..core.events import Resettle
from ..core.fold import fold
from ..core.house import House
from ..core.past_round import PastRound, RoundEnd, decode_past, encode_past, plain_past
from ..core.position import Position
from ..core.state import State

MOST = 50_000  # latest rounds with stored hashes


class EarlierRounds:
    """Hashes of the latest rounds of a replay."""

    def __init__(self) -> None:
        self._hashes: dict[int, dict[int, bytes]] = {}  # by round and revision
        self._end: RoundEnd | None = None

    def differs(self, event: Resettle) -> bool:
        """True if the round in the event differs from the recorded one; False if that round is not known here.

        Also False without a round: the table found none, and refused the resettlement.
        """
        past = decode_past(event.past)
        hashes = None if past is None else self._hashes.get(event.round)
        if past is None or hashes is None:
            return False
        if past.revision in hashes:
            return hashes[past.revision] != _hash(event.past)
        return past.revision > max(hashes) or min(hashes) == 0  # else it is older than the files that are replayed

    def take(self, house: House, position: Position, before: State, records: Sequence[r.Record]) -> None:
        """Add the records of one decision to the hash of its round. `before`: state before the decision."""
        for place, record in enumerate(records):
            past: PastRound | None = None
            if isinstance(record.what, r.Settled | r.Cancelled):
                self._end = RoundEnd(fold(before, records[:place]), record)
            elif isinstance(record.what, r.Resettled):
                past = after_revision(house, position, record)
            elif self._end is not None and (past := self._end.take(record.what)) is not None:
                self._end = None
            if past is not None:
                self._keep(past)

    def _keep(self, past: PastRound) -> None:
        number = past.state.round.number
        hashes = self._hashes.pop(number, {})
        self._hashes[number] = hashes | {past.revision: _hash(encode_past(past))}
        if len(self._hashes) > MOST:
            self._hashes.pop(next(iter(self._hashes)))


def _hash(past: str) -> bytes:
    return hashlib.sha256(plain_past(past)).digest()
