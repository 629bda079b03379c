"""The pictures of a table, kept up to date.

A picture is composed once for each audience and language, however many look at it.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

import msgspec

from ...core.clock import to_text
from ...core.records import Record
from ...core.views import Audience
from ...table.loop import Table
from ...text.faults import Words
from .dealer import dealer
from .history import History
from .look import Fitted, Look
from .manager import manager
from .player import player

Composer: TypeAlias = Callable[[Look, Words], msgspec.Struct]
COMPOSERS: Mapping[Audience, Composer] = {"dealer": dealer, "player": player, "manager": manager}


class Picture(NamedTuple):
    """A composed screen, as it is sent."""

    seq: int  # of the last record in it
    language: str
    content: bytes


class Screens:
    """The pictures of one table. To be told of every change."""

    def __init__(self, table: Table, journal: Path, fitted: Fitted, version: str = "") -> None:
        self.fitted, self.version, self.closed = fitted, version, False
        self.news = asyncio.Event()  # set at the next change; after that there is another
        self._table = table
        self._history = History(table.house.game.name, every_round=table.house.deck.every_round)
        self._history.read(journal)
        self._kept: dict[tuple[Audience, str], Picture] = {}
        self._fresh: set[tuple[Audience, str]] = set()  # composed since the last change

    def hear(self, records: Sequence[Record]) -> None:
        """These are durable; none, when the table was halted or healed."""
        self._history.hear(records)
        self._wake()

    def close(self) -> None:
        """The end: whoever looks on is shown no more."""
        self.closed = True
        self._wake()

    def _wake(self) -> None:
        self._fresh.clear()
        self.news.set()
        self.news = asyncio.Event()

    @property
    def now(self) -> str:
        """The table's time."""
        return to_text(self._table.now())

    @property
    def look(self) -> Look:
        """What there is to be seen."""
        table, history = self._table, self._history
        return Look(
            table.state,
            table.due,
            table.house,
            table.halted,
            history.results,
            history.notice,
            self.fitted,
            history.voids,
            history.cut,
        )

    def picture(self, role: Audience, language: str) -> Picture:
        """The newest. The same as before, where this audience has nothing new to see."""
        key = role, language
        if key not in self._fresh:
            content = msgspec.json.encode(COMPOSERS[role](self.look, Words(language)))
            before = self._kept.get(key)
            if before is None or before.content != content:
                self._kept[key] = Picture(self._table.state.seq, language, content)
            self._fresh.add(key)
        return self._kept[key]
