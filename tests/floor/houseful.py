"""A studio as it stands: a cluster on a disk of its own, tables and a floor as processes, one of them apart.

Whatever happens, every process of it is ended.
"""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from tests.bus.cluster import Cluster
from tests.floor.apart import reachable
from tests.floor.dealing import Sitting, dealt_of
from tests.floor.seats import Disk, FloorProcess, Seat, SeatApart


class Shape(NamedTuple):
    """`pause`: seconds a round takes at least; `cut`: for which a table is cut off; `behind`: events that pass while
    the floor is away."""

    tables: int
    rounds: int
    pause: float
    cut: float
    behind: int


FULL = Shape(20, 2000, 0.8, 60, 6000)
SHORT = Shape(6, 300, 0.6, 12, 800)


class Houseful:
    """Used with `async with`: servers, tables and a floor are at work."""

    def __init__(self, folder: Path, shape: Shape) -> None:
        self.shape, self.figures = shape, dict[str, object]()
        self.folder, self._began = folder, time.monotonic()
        self.again = set[tuple[str, str, int]]()  # what was sent twice: subject, epoch, number
        names = tuple(f"t{number}" for number in range(1, shape.tables + 1))
        who = {"tables": names, "floors": ("main",), "platforms": ("game",)}
        self.cluster = Cluster(folder / "bus", who, tls=True)
        self.floor = FloorProcess(folder / "floor", self.cluster)
        *others, last = (self._sitting(name) for name in names)
        ports = tuple(server.port for server in self.cluster.servers)
        self.apart = SeatApart(last, folder, ports)
        self.seats: list[Seat] = [*map(Seat, others), self.apart]

    def _sitting(self, name: str) -> Sitting:
        journal = self.folder / name / "t.journal"
        rounds = self.shape.rounds // self.shape.tables
        return Sitting(name, str(journal), self.cluster.section(name), rounds, self.shape.pause)

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator["Houseful"]:
        async with AsyncExitStack() as stack:
            self.disk = Disk(self.folder / "bus" / "stores")
            stack.callback(self.disk.end)
            for server in self.cluster.servers:
                server.mounted = self.disk.program
            await stack.enter_async_context(self._servers())
            ports = [server.port for server in self.cluster.servers]
            await stack.enter_async_context(reachable(self.folder, ports))
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

    # ── what there is ────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def some(self) -> int:
        """Events that pass between two things that break."""
        return self.shape.behind // 10

    @property
    def events(self) -> int:
        """Number of events in all journals."""
        return sum(seat.seq for seat in self.seats)

    def say(self, what: str) -> None:
        print(f"{time.monotonic() - self._began:6.1f} s  {self.events:6d} events  {what}", flush=True)

    async def pass_by(self, events: int) -> None:
        """So many more, or the tables have dealt all."""
        goal = self.events + events
        await self.come(lambda: self.events >= goal or self.over or self.has_dealt)

    async def come(self, holds: Callable[[], object]) -> None:
        while not holds():
            await asyncio.sleep(0.05)

    @property
    def has_dealt(self) -> bool:
        """Whether all tables have dealt all; while the bus takes nothing, none of them ends."""
        return all(dealt_of(seat.path).exists() for seat in self.seats)

    @property
    def over(self) -> bool:
        """Whether all have dealt all."""
        codes = [seat.ended for seat in self.seats]
        assert not any(codes), codes
        return None not in codes
