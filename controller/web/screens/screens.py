"""Cache of the current screens of a table.

A screen is composed once per audience and language, for any number of viewers.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec

from ...core.clock import to_text
from ...core.decide import has_doubles, ruling_limit
from ...core.persons import dealers_of
from ...core.records import Record
from ...core.views import Audience
from ...table.loop import Table
from ...text.faults import Words
from .dealer import dealer
from .history import LatestResults
from .manager import manager
from .player import player
from .table_snapshot import Equipment, TableSnapshot

Composer: TypeAlias = Callable[[TableSnapshot, Words], msgspec.Struct]
COMPOSERS: Mapping[Audience, Composer] = {"dealer": dealer, "player": player, "manager": manager}


class SentScreen(NamedTuple):
    """Composed screen in the form in which it is sent."""

    seq: int  # number of the last record in the screen
    language: str
    content: bytes


class Screens:
    """Screens of one table. `hear` must be called after every change."""

    def __init__(self, table: Table, journal: Path, equipment: Equipment, version: str = "") -> None:
        self.equipment, self.version, self.closed = equipment, version, False
        self.news = asyncio.Event()  # set at the next change, and replaced by a new event
        self._table = table
        self._history = LatestResults(table.house.game.name, every_round=table.house.deck.every_round)
        self._history.read(journal)
        self._sent: dict[tuple[Audience, str], SentScreen] = {}
        self._fresh: set[tuple[Audience, str]] = set()  # composed since the last change

    def hear(self, records: Sequence[Record]) -> None:
        """Called with committed records, or with none if the table was halted or healed; wakes the screens."""
        self._history.hear(records, self._table.state)
        self._wake()

    def close(self) -> None:
        """End the streams of screens."""
        self.closed = True
        self._wake()

    def _wake(self) -> None:
        self._fresh.clear()
        self.news.set()
        self.news = asyncio.Event()

    @property
    def now(self) -> str:
        """The table's current time, as text."""
        return to_text(self._table.now())

    @property
    def snapshot(self) -> TableSnapshot:
        """Snapshot of everything that a screen is composed from."""
        table, history = self._table, self._history
        return TableSnapshot(
            table.state,
            table.due,
            table.house,
            table.halted,
            history.results,
            history.notices,
            self.equipment,
            history.voids,
            history.ended,
            table.halted_at,
            table.ask(ruling_limit),
            table.ask(has_doubles),
        )

    @property
    def dealers(self) -> tuple[str, ...]:
        """Names and ids of those who deal or dealt the round."""
        return dealers_of(self._table.state)

    def newest(self, role: Audience, language: str) -> SentScreen:
        """Return the newest screen; the same object as before if nothing has changed for this audience."""
        key = role, language
        if key not in self._fresh:
            content = msgspec.json.encode(COMPOSERS[role](self.snapshot, Words(language)))
            before = self._sent.get(key)
            if before is None or before.content != content:
                self._sent[key] = SentScreen(self._table.state.seq, language, content)
            self._fresh.add(key)
        return self._sent[key]
