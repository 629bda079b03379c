"""Earlier rounds in a replay: whether a round that was settled anew is the one that was recorded.

The input of a resettlement brings its round along. Here that is compared with what the replay has decided itself. Of
each round only a hash is kept, of the latest ones.
"""

import hashlib
from collections.abc import Sequence

from ..core import records as r
from ..core.decide.earlier import after_revision
from ..core.events import Resettle
from ..core.fold import fold
from ..core.house import House
from ..core.past_round import PastRound, RoundEnd, encoded_past, plain_past
from ..core.position import Position
from ..core.state import State

MOST = 50_000  # rounds


class EarlierRounds:
    """Hashes of the latest rounds of a replay."""

    def __init__(self) -> None:
        self._known: dict[int, bytes] = {}
        self._end: RoundEnd | None = None

    def differs(self, event: Resettle) -> bool:
        """True if the event brings another round along than the recorded one.

        One that is not known cannot differ.
        """
        known = self._known.get(event.round)
        return known is not None and known != _hash(event.past)

    def take(self, house: House, position: Position, before: State, records: Sequence[r.Record]) -> None:
        """Take the records of one decision. `before`: the state that it was made on."""
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
        self._known.pop(number, None)
        self._known[number] = _hash(encoded_past(past))
        if len(self._known) > MOST:
            self._known.pop(next(iter(self._known)))


def _hash(past: str) -> bytes:
    return hashlib.sha256(plain_past(past)).digest()
