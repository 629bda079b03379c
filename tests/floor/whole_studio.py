"""Whole studio: a cluster on a disk of its own, and tables and a floor as processes, one table apart.

Every process is ended at the end, also after an error.
"""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from tests.bus.cluster import Cluster
from tests.floor.dealing import Sitting, dealt_of
from tests.floor.isolated_program import forward_sockets
from tests.floor.studio_parts import DealingProcess, FloorProcess, IsolatedDealingProcess, MemoryDisk


class Shape(NamedTuple):
    """Size of a studio. `pause`: least seconds of a round; `cut`: seconds for which a table is cut off.

    `behind`: events that the tables record while the floor is away.
    """

    tables: int
    rounds: int
    pause: float
    cut: float
    behind: int


FULL = Shape(20, 2000, 0.8, 60, 6000)
SHORT = Shape(6, 300, 0.6, 12, 800)


class WholeStudio:
    """Studio at work. `async with at_work()` starts servers, tables and the floor."""

    def __init__(self, folder: Path, shape: Shape) -> None:
        self.shape, self.figures = shape, dict[str, object]()
        self.folder, self._began = folder, time.monotonic()
        self.again = set[tuple[str, str, int]]()  # events sent twice: subject, epoch, number
        names = tuple(f"t{number}" for number in range(1, shape.tables + 1))
        who = {"tables": names, "floors": ("main",), "platforms": ("game",)}
        self.cluster = Cluster(folder / "bus", who, tls=True)
        self.floor = FloorProcess(folder / "floor", self.cluster)
        *others, last = (self._sitting(name) for name in names)
        ports = tuple(server.port for server in self.cluster.servers)
        self.apart = IsolatedDealingProcess(last, folder, ports)
        self.seats: list[DealingProcess] = [*map(DealingProcess, others), self.apart]

    def _sitting(self, name: str) -> Sitting:
        journal = self.folder / name / "t.journal"
        rounds = self.shape.rounds // self.shape.tables
        return Sitting(name, str(journal), self.cluster.section(name), rounds, self.shape.pause)

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator["WholeStudio"]:
        async with AsyncExitStack() as stack:
            self.disk = MemoryDisk(self.folder / "bus" / "stores")
            stack.callback(self.disk.end)
            for server in self.cluster.servers:
                server.mounted = self.disk.program
            await stack.enter_async_context(self._servers())
            ports = [server.port for server in self.cluster.servers]
            await stack.enter_async_context(forward_sockets(self.folder, ports))
            stack.callback(self.floor.end, signal.SIGKILL)
            for seat in self.seats:
                stack.callback(seat.kill)
            self.floor.start()
            for seat in self.seats:
                seat.start()
            yield self

    @asynccontextmanager
    async def _servers(self) -> AsyncIterator[None]:
        await asyncio.to_thread(self.cluster.__enter__)
        try:
            yield
        finally:
            self.cluster.kill()

    # ── state ────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def some(self) -> int:
        """Number of events to wait for between two failures."""
        return self.shape.behind // 10

    @property
    def events(self) -> int:
        """Number of events in all journals."""
        return sum(seat.seq for seat in self.seats)

    def say(self, what: str) -> None:
        """Print what happens, with the time and the number of events."""
        print(f"{time.monotonic() - self._began:6.1f} s  {self.events:6d} events  {what}", flush=True)

    async def pass_by(self, events: int) -> None:
        """Wait for this many more events, or until the tables have dealt all rounds."""
        goal = self.events + events
        await self.come(lambda: self.events >= goal or self.over or self.has_dealt)

    async def come(self, holds: Callable[[], object]) -> None:
        """Wait until the condition is true."""
        while not holds():
            await asyncio.sleep(0.05)

    @property
    def has_dealt(self) -> bool:
        """True if all tables have dealt all rounds. Without a working bus their processes do not end."""
        return all(dealt_of(seat.path).exists() for seat in self.seats)

    @property
    def over(self) -> bool:
        """True if all tables have dealt and sent everything and their processes have ended."""
        codes = [seat.ended for seat in self.seats]
        assert not any(codes), codes
        return None not in codes
