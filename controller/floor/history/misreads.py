"""Misread cards among the last hundred of each table, for its strip and its alarm."""

from collections import deque
from collections.abc import Iterator

from msgspec import Struct

from ...accounts.card_reads import KINDS, CardReads
from ...core.encoding import BadRecord
from ...reports.event_records import record_of
from ..storage.store import Store
from ..storage.table_events import TableEvent

LAST = 100  # cards of each table that are counted
RECORDS = 1000  # records of each epoch that are searched for the last cards when a floor starts


class _ReadCard(Struct):
    """Card that the reader reported."""

    is_misread: bool


class Reads:
    """Last cards of one table, from its events in order."""

    def __init__(self) -> None:
        self._account = CardReads()
        self._cards = deque[_ReadCard](maxlen=LAST)
        self._of_round: dict[int, _ReadCard] = {}

    @property
    def is_full(self) -> bool:
        """True if LAST cards have been counted."""
        return len(self._cards) == LAST

    @property
    def misread_count(self) -> int | None:
        """Number of misread cards among the last; None if there was no card."""
        return sum(card.is_misread for card in self._cards) if self._cards else None

    def take(self, body: bytes) -> None:
        """Add one event as shift managers get it. Events of a later version are not counted."""
        try:
            record = record_of(body)
        except BadRecord:
            return
        if record is None:
            return
        round_before = self._account.round
        change = self._account.take(record)
        if self._account.round != round_before:
            self._of_round = {}
        if change.read:
            card = _ReadCard(bool(change.unread))
            self._cards.append(card)
            if change.draw is not None:
                self._of_round[change.draw] = card
        elif change.draw in self._of_round:
            self._of_round[change.draw].is_misread = self._account.is_misread(change.draw)


def recent_events(store: Store) -> Iterator[TableEvent]:
    """Yield the events that count among the last RECORDS of each epoch, for a floor that starts. Raises FloorFailed."""
    for table, epoch, last in store.epochs():
        yield from (one for one in store.events(table, epoch, last - RECORDS) if one.kind in KINDS)
