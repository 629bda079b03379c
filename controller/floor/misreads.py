"""How many of a table's last hundred cards its reader had wrong: not read, or ruled to be another card."""

from collections import deque
from collections.abc import Iterator
from typing import Any, Literal

import msgspec
from msgspec import Struct

from .store import Store
from .told import Told

LAST = 100  # cards
RECORDS = 1000  # among which they are
KINDS = frozenset({"dealt", "drawn", "ruled"})

Draw = tuple[int, int]  # of a round, its number there


class _Event(Struct):
    """What matters here, of events of these kinds."""

    kind: Literal["dealt", "drawn", "ruled"]
    round: int = 0
    draw: int = 0
    card: str | None = None
    hidden: bool = False
    source: str = "reader"
    ruling: str = ""
    before: dict[str, Any] = {}


_event = msgspec.json.Decoder(_Event).decode


class Reads:
    """Follows the events of one table."""

    def __init__(self) -> None:
        self._cards = deque[Draw](maxlen=LAST)
        self._wrong = deque[Draw](maxlen=LAST)

    @property
    def known(self) -> bool:
        """Whether there are as many cards as are counted."""
        return len(self._cards) == LAST

    @property
    def wrong(self) -> int | None:
        """So many of them; null: there was no card."""
        return sum(draw in self._wrong for draw in self._cards) if self._cards else None

    def take(self, body: bytes) -> None:
        """One more event of these kinds, as a shift manager is told it."""
        try:
            event = _event(body)
        except msgspec.MsgspecError:
            return  # of a later version's: it is not counted
        if event.kind == "ruled":
            if event.ruling == "correct" and isinstance(draw := event.before.get("draw"), int):
                self._is_wrong((event.round, draw))
        elif event.source == "reader" and (card := (event.round, event.draw)) not in self._cards:
            self._cards.append(card)
            if event.kind == "drawn" and event.card is None and not event.hidden:
                self._is_wrong(card)

    def _is_wrong(self, card: Draw) -> None:
        if card not in self._wrong:
            self._wrong.append(card)


def recent(store: Store) -> Iterator[Told]:
    """What of last came of each table, for a floor that starts. Raises FloorFailed."""
    for table, epoch, last in store.epochs():
        yield from (one for one in store.events(table, epoch, last - RECORDS) if one.kind in KINDS)
