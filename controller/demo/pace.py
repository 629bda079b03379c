"""How the people of a demo go along with the table: they wait for what they see on it, and take their time.

Whoever waits has a limit. A table that does not follow ends the demo; it never makes it wait for ever.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress

from msgspec import Struct

from ..core.codes import Life
from ..core.faults import due_of
from ..core.notation import expected
from ..core.records import Record
from ..core.state import State
from ..rules.procedure import Step
from ..table.loop import Table


class StuckDemo(Exception):
    """The table did not follow what the people at it did."""


class Sight(Struct, frozen=True):
    """What a dealer sees of a table."""

    seq: int  # of the last record in it
    life: Life
    laid: int  # cards of this round, wherever they lie
    due: Step | None
    faulted: bool  # a fault is open


class Pace(ABC):
    """What is seen of a table, and a time that runs `speed` times as fast. `patience`: in real seconds."""

    def __init__(self, speed: float, patience: float) -> None:
        self._speed, self._patience = speed, patience
        self.changed = asyncio.Event()

    @property
    @abstractmethod
    def sight(self) -> Sight:
        """What it shows."""

    @abstractmethod
    def standing(self) -> str:
        """Where it stands, in words."""

    async def pause(self, seconds: float) -> None:
        """Take one's time."""
        await asyncio.sleep(seconds / self._speed)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait for the table. Raises StuckDemo after the patience."""
        try:
            async with asyncio.timeout(self._patience):
                await self.whenever(holds)
        except TimeoutError:
            raise StuckDemo(self.standing()) from None

    async def within(self, seconds: float, holds: Callable[[], bool]) -> None:
        """Wait for what need not come, so long at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds / self._speed):
                await self.whenever(holds)

    async def whenever(self, holds: Callable[[], bool]) -> None:
        """Wait for what need not come."""
        while not holds():
            self.changed.clear()
            await self.changed.wait()


class AtTable(Pace):
    """That of the people at a table of this program."""

    def __init__(self, table: Table, speed: float, patience: float) -> None:
        super().__init__(speed, patience)
        self._table = table
        table.subscribe(self._wake)

    def _wake(self, _table: Table, _records: Sequence[Record]) -> None:
        self.changed.set()

    @property
    def state(self) -> State:
        """All that the table knows."""
        return self._table.state

    @property
    def due(self) -> Step | None:
        """What it says must come next."""
        return self._table.due

    @property
    def sight(self) -> Sight:
        """What it shows."""
        state = self.state
        return Sight(state.seq, state.life, len(state.round.draws), self.due, state.fault is not None)

    def standing(self) -> str:
        """Where it stands, in words."""
        if self._table.halted:
            return f"the table is halted: {self._table.halted}"
        state = self.state
        fault = f" by {state.fault.code}" if state.fault else ""
        return f"round {state.round.number} stays {state.life}{fault}, expected: {expected(due_of(state, self.due))}"
