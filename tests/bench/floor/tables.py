"""Tables that the benchmark's floor watches, several in each process, connected to the bus.

Each has a journal on disk and an emulated shoe on a pty, as in `tablectl run`.
"""

import asyncio
import gc
import multiprocessing
import random
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import structlog

from controller.config.bus import BusSection
from controller.core import events as e
from controller.core.records import Record
from controller.rules.procedure import Deal
from controller.station.device_events import ShoeEvents
from controller.table.clocks import SteadyClock
from controller.table.loop import Table
from drivers.emulators.bee_tek import EmulatedBeeTek
from drivers.emulators.pty_port import PtyPort
from drivers.own_port import OwnPort
from drivers.serial_link import SerialLink
from drivers.shoes.bee_tek import BeeTek
from tests.bus.tables import StudioTable

LEAST = 60  # cards that are left when the shoe is changed
OPEN = 2.0  # seconds from a fault to its ruling: time to paint it
BY = "1001"  # badge number of the person who rules


class TablePlace(NamedTuple):
    """Name of a table, the folder of its files, and its connection to the bus."""

    name: str
    folder: Path
    section: BusSection


class TimedFault(NamedTuple):
    """Fault made by the benchmark: the times of its card and of its record, in monotonic seconds."""

    table: str
    seq: int
    caused: float
    recorded: float


class PacedTable(StudioTable):
    """Table on the bus that deals at a given pace, or as fast as possible."""

    def __init__(self, place: TablePlace) -> None:
        place.folder.mkdir(parents=True)
        super().__init__(place.folder / "t.journal", place.section, place.name, clock=SteadyClock())
        self.faults: list[TimedFault] = []
        self._caused, self._turn = 0.0, asyncio.Lock()
        self._dice = random.Random(place.name)
        port = PtyPort(place.folder / "shoe")
        self.shoe = EmulatedBeeTek(port, decks=self.table.house.settings.decks, seed=self._dice.randrange(10**6))
        self.link = SerialLink(OwnPort(port.name), BeeTek(), ShoeEvents(self.table.take, place.name))
        self.table.subscribe(self._hear)

    async def __aenter__(self) -> "PacedTable":
        await super().__aenter__()
        self.shoe.plug()
        self.link.start()
        while not self.link.is_present:
            await asyncio.sleep(0.01)
        return self

    async def __aexit__(self, *what: object) -> None:
        await self.link.stop()
        self.shoe.unplug()
        await super().__aexit__(*what)

    def _hear(self, table: Table, records: Sequence[Record]) -> None:
        faulted = [record for record in records if record.kind == "faulted"]
        if faulted and self._caused:
            self.faults.append(TimedFault(table.state.table, faulted[0].seq, self._caused, time.monotonic()))
            self._caused = 0.0

    @property
    def seq(self) -> int:
        return self.table.state.seq

    async def deal(self, pace: float, ends: asyncio.Event) -> None:
        """Play with `pace` records a second on average, until `ends` is set."""
        await asyncio.sleep(self._dice.uniform(0, 2) / pace)
        while not ends.is_set():
            before = self.seq
            async with self._turn:
                if self.table.state.fault is None:
                    await self.step()
            await asyncio.sleep(max(1, self.seq - before) / pace * self._dice.uniform(0.5, 1.5))

    async def hurry(self, records: int) -> None:
        """Play until there are `records` more records, as fast as possible."""
        until = self.seq + records
        while self.seq < until:
            await self.step()
            await asyncio.sleep(0)

    async def step(self) -> None:
        """Do the next step of a round, or change the shoe before a new round."""
        state, take = self.table.state, self.table.take
        if isinstance(self.table.due, Deal):
            await self._draw()
        elif state.live:
            take(e.Close() if state.life == "betting" else e.KeyPressed("finish"))
        elif self.shoe.cards_left < LEAST or state.shoe.size - state.shoe.out < LEAST:
            self.shoe.change_shoe(seed=self._dice.randrange(10**6))
            take(e.ChangeShoe())
            take(e.LoadShoe())
        else:
            take(e.Open())

    async def _draw(self) -> None:
        before = self.seq
        self.shoe.draw()
        while self.seq == before:
            await asyncio.sleep(0.001)

    async def err(self) -> None:
        """Deal a card when none is due, and cancel the round OPEN seconds after that fault."""
        async with self._turn:
            while self.table.state.fault is None:  # the betting time may have ended just before: then the card was due
                await self._err()
        await asyncio.sleep(OPEN)
        self.table.take(e.Rule("cancel", BY, "the bench's"))
        assert self.table.state.fault is None

    async def _err(self) -> None:
        while isinstance(self.table.due, Deal) or not self.table.state.live:
            await self.step()
        self._caused = time.monotonic()
        await self._draw()


class OrderReceiver:
    """Receiver of the benchmark's orders for the tables of one process."""

    def __init__(self, tables: Sequence[PacedTable], orders: Connection) -> None:
        self._tables, self._orders = {table.table.state.table: table for table in tables}, orders
        self._ends = asyncio.Event()
        self._under_way = set[asyncio.Task[None]]()

    async def work(self) -> None:
        """Carry out orders until the order to end (None) is received."""
        while (order := await asyncio.to_thread(self._orders.recv)) is not None:
            what, *how = order
            self._orders.send(await getattr(self, what)(*how))
        await self.rest()

    async def play(self, pace: float) -> None:
        """Start to deal at each table."""
        self._ends.clear()
        for table in self._tables.values():
            self._starts(table.deal(pace, self._ends))

    async def err(self, name: str) -> None:
        self._starts(self._tables[name].err())

    def _starts(self, what) -> None:
        task = asyncio.create_task(what)
        self._under_way.add(task)

    async def rest(self) -> int:
        """Stop dealing, wait until all records are on the bus, and return the number of records."""
        self._ends.set()
        await asyncio.gather(*self._under_way)
        self._under_way.clear()
        await asyncio.gather(*(table.caught_up() for table in self._tables.values()))
        return await self.records()

    async def hurry(self, records: int) -> int:
        await asyncio.gather(*(table.hurry(records) for table in self._tables.values()))
        return await self.rest()

    async def records(self) -> int:
        return sum(table.seq for table in self._tables.values())

    async def faults(self) -> list[TimedFault]:
        return [fault for table in self._tables.values() for fault in table.faults]


async def _play(places: Sequence[TablePlace], orders: Connection) -> None:
    async with AsyncExitStack() as stack:
        tables = [await stack.enter_async_context(PacedTable(place)) for place in places]
        gc.collect()
        gc.freeze()  # as `tablectl run` does
        await OrderReceiver(tables, orders).work()


def process(places: Sequence[TablePlace], orders: Connection) -> None:
    """Run the tables of these places in one process."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    asyncio.run(_play(places, orders))


class Tables:
    """Context manager that starts the processes of all tables and sends them orders."""

    def __init__(self, places: Sequence[TablePlace], processes: int) -> None:
        of = multiprocessing.get_context("spawn")
        self.names = [place.name for place in places]
        self._ways, self.processes = [], []
        for number in range(processes):
            ours, theirs = of.Pipe()
            self._ways.append(ours)
            self.processes.append(of.Process(target=process, args=(places[number::processes], theirs), daemon=True))
        self._way_of = {place.name: self._ways[number % processes] for number, place in enumerate(places)}

    def __enter__(self) -> "Tables":
        for one in self.processes:
            one.start()
        self.order("rest")  # all tables have started when this is answered
        return self

    def __exit__(self, *_: object) -> None:
        for way in self._ways:
            with suppress(OSError):  # the process has ended
                way.send(None)
        for one in self.processes:
            one.join(30)
            one.kill()

    def order(self, what: str, *how: object) -> list:
        """Send the same order to all processes at once; return their answers."""
        for way in self._ways:
            way.send((what, *how))
        return [way.recv() for way in self._ways]

    def err(self, name: str) -> None:
        way = self._way_of[name]
        way.send(("err", name))
        way.recv()
