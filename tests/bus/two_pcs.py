"""Two PCs of one table on a real bus, each with a journal and a line that can be cut."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from controller.cli.bus_import import BusWitness, check_with_bus
from controller.config.bus import BusSection
from controller.config.table_file import Config, check
from controller.core import events as e
from controller.journal import is_there, recover_state
from controller.journal.shipping import Shipping
from controller.station.standby import ship_beside
from controller.station.takeover import TakeoverResult, take_over
from controller.station.takeover_anchor import TakeoverDecision
from controller.text.coded import render
from tests.bus.rig import BusServer
from tests.bus.tables import ROUND, StudioTable
from tests.bus.test_witness import config, run_command
from tests.floor.isolated_program import bridge
from tests.patience import NeverHappened, turns, until


class Wire:
    """Line to the server that can be cut, as a context manager."""

    def __init__(self, server: BusServer) -> None:
        self.server, self.port = server, 0
        self.lines = dict[asyncio.Task[None], asyncio.StreamWriter]()
        self._is_whole = True

    async def __aenter__(self) -> "Wire":
        carry = bridge(lambda: asyncio.open_connection("127.0.0.1", self.server.port))

        async def line(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            if not self._is_whole:
                writer.transport.abort()
                return
            task = asyncio.current_task()
            self.lines[task] = writer
            try:
                await carry(reader, writer)
            finally:
                del self.lines[task]

        self._listener = await asyncio.start_server(line, "127.0.0.1", 0)
        self.port = self._listener.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._listener.close()
        self.cut()
        await turns()  # for a connection that was accepted just before
        if self.lines:  # if the loop cancelled a task at its end, asyncio's callback would raise
            await asyncio.wait([*self.lines])

    def cut(self) -> None:
        self._is_whole = False
        for line in self.lines.values():
            line.transport.abort()

    def join(self) -> None:
        self._is_whole = True

    @property
    def section(self) -> BusSection:
        return self.server.section(servers=(f"nats://127.0.0.1:{self.port}",))


class PC:
    """PC of a table, with a journal and a wire to the bus of its own."""

    def __init__(self, folder: Path, wire: Wire) -> None:
        folder.mkdir()
        self.folder, self.wire, self.path = folder, wire, folder / "t.journal"
        self.table: StudioTable | None = None
        self._stack = AsyncExitStack()

    async def start(self) -> StudioTable:
        self.table = await self._stack.enter_async_context(StudioTable(self.path, self.wire.section))
        return self.table

    async def run(self) -> StudioTable:
        """Start as `tablectl run` does: compare the record with the bus first, if the bus is reached."""
        unheard = None
        if is_there(self.path):
            unheard = await check_with_bus(self.settings, self.folder / "c", self.path, recover_state(self.path))
        table = await self.start()
        if unheard is not None:
            table.table.take(unheard)
        return table

    async def accept_loss(self) -> str:
        """Accept the loss as a person at this PC does; return what the command prints."""
        file = config(self.wire.server, self.folder)
        accept = ["journal", "accept-loss", str(self.path), "--witness", str(file), "--by", "Ana", "--because", "disk"]
        return await asyncio.to_thread(run_command, accept, 0)

    async def is_told(self) -> None:
        """Wait until the bus agrees with the record and has all of it."""
        try:
            await until(lambda: self.table.bus.trouble is None)
        except NeverHappened as never:
            raise AssertionError(render(self.table.bus.trouble)) from never
        await self.table.caught_up()

    async def deals(self) -> None:
        """Play one round and wait until the bus has all of it."""
        await until(lambda: self.table.bus.trouble is None)
        assert self.opens()
        await self.table.caught_up()

    async def ends(self, parts: Path | None = None) -> None:
        """Stop once the bus has every record, then ship the record to `parts` if given."""
        await self.is_told()
        await self.stop()
        if parts is not None:
            await self.ship(parts)

    async def stop(self) -> None:
        self.table = None
        await self._stack.aclose()

    async def ship(self, folder: Path) -> None:
        """Ship record and users to a folder."""
        folder.mkdir(exist_ok=True)

        def step() -> None:
            ship_beside(self.path, self.path.with_suffix(".users"), folder)
            with Shipping(self.path, folder) as shipping:
                shipping.step()

        await asyncio.to_thread(step)

    @property
    def looks(self) -> int:
        """Number of comparisons of the record with the heads since the start."""
        return self.table.bus._work._comparison.looks

    async def take(self, parts: Path, because: str = "x", **decided: bool) -> TakeoverResult:
        """Take the table over from the shipped `parts`."""
        settings = self.settings
        decision = TakeoverDecision("eva", because, old_pc_is_off=True, **decided)
        return await asyncio.to_thread(take_over, settings, self.path, parts, decision, BusWitness(settings))

    @property
    def settings(self) -> Config:
        sections = {"game": {"name": "baccarat"}, "table": {"name": "t1"}}
        return msgspec.structs.replace(check(sections), bus=self.wire.section)

    def opens(self) -> bool:
        """Open a round and play it to its end; return False if the table does not open it."""
        table = self.table.table
        if table.state.shoe.out > 20:  # the shoe has eight of each card
            table.take(e.ChangeShoe())
            table.take(e.LoadShoe())
        table.take(e.Open())
        if not table.state.live:
            return False
        for event in ROUND[1:]:
            table.take(event)
        return True

    @property
    def doubts(self) -> dict[str, int]:
        return self.table.table.state.doubts


P = TypeVar("P", bound=PC)


@asynccontextmanager
async def run_two_pcs(server: BusServer, folder: Path, kind: type[P] = PC) -> AsyncIterator[tuple[P, P]]:
    """Yield two PCs, each with a line to the server of its own; stop both at the end."""
    async with Wire(server) as one, Wire(server) as two:
        pcs = kind(folder / "pc1", one), kind(folder / "pc2", two)
        try:
            yield pcs
        finally:
            for pc in pcs:
                with suppress(Exception):
                    await pc.stop()


@asynccontextmanager
async def take_over_by_two(server: BusServer, folder: Path) -> AsyncIterator[tuple[PC, PC]]:
    """Have two standby PCs take over one table, one of them without the bus; accept that one's loss.

    Yields the PC that was given up and the PC that continues. Both took over rounds 1 and 2; each has its own round 3.
    """
    async with run_two_pcs(server, folder) as (old, new), Wire(server) as wire:
        third = PC(folder / "pc3", wire)
        await old.run()
        await old.is_told()
        old.table.play(2)
        await old.ends(folder / "parts")
        wire.cut()
        await third.take(folder / "parts")
        await new.take(folder / "parts")
        await new.run()
        await new.deals()
        wire.join()
        await third.accept_loss()
        await until(lambda: new.doubts)
        await third.run()
        await third.deals()
        try:
            yield new, third
        finally:
            await third.stop()
