"""Reading the round that is to be settled anew, off the table's loop."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from ...core import events as e
from ...core.decide.resettling import WorkedOut, worked_out
from ...core.position import Position
from ...games import GAMES
from ...journal import JournalError, with_past
from ...table.loop import Table

T = TypeVar("T")


class EarlierRoundReader:
    """Reads rounds that are over from a table's journal. `looking`: limits how many are read at once."""

    def __init__(self, table: Table, journal: Path, looking: asyncio.Semaphore) -> None:
        self._table, self._journal, self._looking = table, journal, looking

    async def read(self, event: e.Resettle) -> e.Resettle:
        """The event with its round; without one if the round is not over, or its records are not at hand."""
        return await self._aside(event, lambda read: read)

    async def work_out(self, event: e.Resettle) -> tuple[e.Resettle, WorkedOut | None]:
        """The event with its round, and the result of its corrections, for the table to take."""
        house, at = self._table.house, self._table.now()
        return await self._aside(event, lambda read: (read, worked_out(house, Position(GAMES), read, at)))

    async def _aside(self, event: e.Resettle, then: Callable[[e.Resettle], T]) -> T:
        """Read the event's round in a thread, and do something with it there."""
        async with self._looking:
            about = self._journal, self._table.house, GAMES, self._table.state.revisions

            def read() -> T:
                try:
                    found = with_past(*about, event)
                except JournalError:
                    found = event
                return then(found)

            return await asyncio.to_thread(read)
