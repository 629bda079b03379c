"""Pace of the people in a demo: they wait for what they see on the table.

Each wait for the table has a limit: a table that does not follow ends the demo instead of blocking it.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress

from msgspec import Struct

from ...core.codes import StageCode
from ...core.faults import due_of
from ...core.notation import due_text
from ...core.records import Record
from ...core.state import State
from ...rules.procedure import Step
from ...table.loop import Table


class StuckDemo(Exception):
    """Error: the table did not follow what the people at it did."""


class TableView(Struct, frozen=True):
    """State of a table as a dealer sees it."""

    seq: int  # number of the last record in this state
    life: StageCode
    laid: int  # number of cards dealt in this round, also those without a place
    due: Step | None
    faulted: bool  # True: a fault is open


class DemoPace(ABC):
    """View of a table, with waits and pauses in a time that runs `speed` times as fast.

    `patience`: longest wait for the table, in real seconds.
    """

    def __init__(self, speed: float, patience: float) -> None:
        self._speed, self._patience = speed, patience
        self.changed = asyncio.Event()

    @property
    @abstractmethod
    def sight(self) -> TableView:
        """Current state as the people at the table see it."""

    @abstractmethod
    def describe_state(self) -> str:
        """Describe the table's state in words."""

    async def pause(self, seconds: float) -> None:
        """Wait so many seconds of the demo's time."""
        await asyncio.sleep(seconds / self._speed)

    async def wait_until(self, holds: Callable[[], bool]) -> None:
        """Wait until `holds` is true. Raises StuckDemo after `patience` seconds."""
        try:
            async with asyncio.timeout(self._patience):
                await self.wait_without_limit(holds)
        except TimeoutError:
            raise StuckDemo(self.describe_state()) from None

    async def wait_at_most(self, seconds: float, holds: Callable[[], bool]) -> None:
        """Wait until `holds` is true, at most so many seconds of the demo's time."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds / self._speed):
                await self.wait_without_limit(holds)

    async def wait_without_limit(self, holds: Callable[[], bool]) -> None:
        """Wait without limit until `holds` is true."""
        while not holds():
            self.changed.clear()
            await self.changed.wait()


class TablePace(DemoPace):
    """Pace of people at a table that runs in this program."""

    def __init__(self, table: Table, speed: float, patience: float) -> None:
        super().__init__(speed, patience)
        self._table = table
        table.subscribe(self._wake)

    def _wake(self, _table: Table, _records: Sequence[Record]) -> None:
        self.changed.set()

    @property
    def state(self) -> State:
        """Complete state of the table."""
        return self._table.state

    @property
    def due(self) -> Step | None:
        """Next step that the table expects; None if there is none."""
        return self._table.due

    @property
    def sight(self) -> TableView:
        """Current state as the people at the table see it."""
        state = self.state
        return TableView(state.seq, state.life, len(state.round.draws), self.due, state.fault is not None)

    def describe_state(self) -> str:
        """Describe the table's state in words."""
        if self._table.halted:
            return f"the table is halted: {self._table.halted}"
        state = self.state
        fault = f" by {state.fault.code}" if state.fault else ""
        return f"round {state.round.number} stays {state.life}{fault}, expected: {due_text(due_of(state, self.due))}"
