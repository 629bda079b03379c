"""How the people of a demo go along with the table: they wait for what they see on it, and take their time.

Whoever waits has a limit. A table that does not follow ends the demo; it never makes it wait for ever.
"""

import asyncio
from collections.abc import Callable, Sequence

from ..core.faults import due_of
from ..core.notation import expected
from ..core.records import Record
from ..core.state import State
from ..rules.procedure import Step
from ..table.loop import Table


class StuckDemo(Exception):
    """The table did not follow what the people at it did."""


class Pace:
    """What is seen of the table, and a time that runs `speed` times as fast. `patience`: in real seconds."""

    def __init__(self, table: Table, speed: float, patience: float) -> None:
        self._table, self._speed, self._patience = table, speed, patience
        self._changed = asyncio.Event()
        table.subscribe(self._wake)

    def _wake(self, _table: Table, _records: Sequence[Record]) -> None:
        self._changed.set()

    @property
    def state(self) -> State:
        """What the table shows."""
        return self._table.state

    @property
    def due(self) -> Step | None:
        """What it says must come next."""
        return self._table.due

    async def pause(self, seconds: float) -> None:
        """Take one's time."""
        await asyncio.sleep(seconds / self._speed)

    async def until(self, holds: Callable[[State], bool]) -> None:
        """Wait for the table. Raises StuckDemo after the patience."""
        try:
            async with asyncio.timeout(self._patience):
                await self.whenever(holds)
        except TimeoutError:
            raise StuckDemo(self._standing()) from None

    async def whenever(self, holds: Callable[[State], bool]) -> None:
        """Wait for what need not come."""
        while not holds(self.state):
            self._changed.clear()
            await self._changed.wait()

    def _standing(self) -> str:
        if self._table.halted:
            return f"the table is halted: {self._table.halted}"
        state = self.state
        fault = f" by {state.fault.code}" if state.fault else ""
        return f"round {state.round.number} stays {state.life}{fault}, expected: {expected(due_of(state, self.due))}"
