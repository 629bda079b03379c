"""Reading the round that is to be settled anew, off the table's loop."""

import asyncio
from pathlib import Path

from ...core import events as e
from ...games import GAMES
from ...journal import JournalError, with_past
from ...table.loop import Table


class EarlierRoundReader:
    """Reads rounds that are over from a table's journal. `looking`: limits how many are read at once."""

    def __init__(self, table: Table, journal: Path, looking: asyncio.Semaphore) -> None:
        self._table, self._journal, self._looking = table, journal, looking

    async def read(self, event: e.Resettle) -> e.Resettle:
        """The event with its round; without one if the round is not over, or its records are not at hand."""
        async with self._looking:
            about = self._journal, self._table.house, GAMES, self._table.state.revisions
            try:
                return await asyncio.to_thread(with_past, *about, event)
            except JournalError:
                return event
