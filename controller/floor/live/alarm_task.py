"""Task that keeps the alarms shared by all floors in line with the facts that this floor sees."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Literal

from ..shared_state.state import Shared
from .live_tables import LiveTables

AGAIN = 1.0  # seconds until alarms are judged without news: one that is over and acknowledged is dropped later
GATHER = 0.05  # seconds within which all news become one change

News = Callable[[Literal["raised", "cleared"], str], Awaitable[None]]


class AlarmUpdater:
    """Updater of the shared alarms.

    `tell`: records an alarm that this floor was the first to raise or clear, by its key.
    """

    def __init__(self, live_tables: LiveTables, shared: Shared, tell: News) -> None:
        self._live_tables, self._shared, self._tell = live_tables, shared, tell

    async def run(self) -> None:
        """Update the shared alarms after each change until cancelled."""
        while True:
            news = self._live_tables.news
            if self._live_tables.has_alarm_changes:
                await self._update()
                await asyncio.sleep(GATHER)
                continue
            try:
                async with asyncio.timeout(AGAIN):
                    await news.wait()
            except TimeoutError:
                continue

    async def _update(self) -> None:
        done = await self._shared.update_alarms(lambda: self._live_tables.view)
        if done is None:
            await asyncio.sleep(AGAIN)
            return
        for key in done.raised:
            await self._tell("raised", key)
        for key in done.cleared:
            await self._tell("cleared", key)
