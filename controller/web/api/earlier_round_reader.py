"""Reader of rounds that are to be settled anew, in threads beside the table's event loop."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from ...core import events as e
from ...core.decide.resettlements import ComputedResettlement, work_out_event
from ...core.position import Position
from ...games import GAMES
from ...journal import JournalError, with_past
from ...table.loop import Table

T = TypeVar("T")


class EarlierRoundReader:
    """Reader of past rounds in a table's journal. `looking`: limits how many are read at once."""

    def __init__(self, table: Table, journal: Path, looking: asyncio.Semaphore) -> None:
        self._table, self._journal, self._looking = table, journal, looking

    async def read(self, event: e.Resettle) -> e.Resettle:
        """Return the event with its round added; unchanged if the round is live or its records are missing."""
        return await self._read_in_thread(event, lambda read: read)

    async def work_out(self, event: e.Resettle) -> tuple[e.Resettle, ComputedResettlement | None]:
        """Return the event with its round added, and the computed result of its corrections."""
        house, at = self._table.house, self._table.now()
        return await self._read_in_thread(event, lambda read: (read, work_out_event(house, Position(GAMES), read, at)))

    async def _read_in_thread(self, event: e.Resettle, then: Callable[[e.Resettle], T]) -> T:
        """Read the event's round in a thread, and call `then` with the completed event in that thread."""
        async with self._looking:
            about = self._journal, self._table.house, GAMES, self._table.state.revisions

            def read() -> T:
                try:
                    full_event = with_past(*about, event)
                except JournalError:
                    full_event = event
                return then(full_event)

            return await asyncio.to_thread(read)
