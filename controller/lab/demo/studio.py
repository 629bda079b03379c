"""Whole studio on this PC: a bus on a real server, each table in its own program, and a floor."""

import asyncio
import shutil
import sys
import time
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ...bus.bus_client import BusFailed
from ...bus.streams import Retention, make_streams
from .plan import Plan
from .programs import Fallen, Program, SupervisedProgram
from .studio_folder import OneTable, StudioFolder

NO_SERVER = "the bus needs nats-server, which is not installed here: pip install 'tablectl[demo]'"
STANDS = 30.0  # seconds for the bus server to start
ATTEND = 90.0  # seconds for which a fault waits for a person at the floor
EVERY = range(6, 13)  # rounds between two errors at a table, so that the floor has a fault in about every round
OFTEN = 3  # rounds between two errors if the user asked for errors
KEPT = Retention("main", events_gb=0.5)
THE_FLOOR = "import sys; from controller.cli import main; sys.exit(main(['floor', 'run', sys.argv[1]]))"


class StudioLine(Struct, frozen=True):
    """Line of output of the studio demo: name of the program or table, and its text."""

    who: str
    what: str


def server_program() -> str:
    """Path of nats-server, beside this Python or on PATH. Raises Fallen."""
    program = shutil.which("nats-server", path=str(Path(sys.executable).parent)) or shutil.which("nats-server")
    if program is None:
        raise Fallen(NO_SERVER)
    return program


class StudioDemo:
    """Demo of a whole studio. `tell`: called with each line of output.

    When `run` has ended, nothing remains but the files in the folder.
    """

    def __init__(self, plan: Plan, place: StudioFolder, floor_port: int, tell: Callable[[StudioLine], object]) -> None:
        """Write users and configs and prepare every program. Raises BadConfig, BadUsers, Fallen."""
        self.plan, self.place, self.floor_port, self._tell = plan, place, floor_port, tell
        place.add_people()
        self.pages: dict[str, str] = {}  # by table: URL of its own pages
        self.server = self._supervise("bus", server_program(), "-c", str(place.server_config), "-l", self._log("bus"))
        floor = str(place.add_floor(floor_port))
        self.floor = self._supervise("floor", sys.executable, "-P", "-c", THE_FLOOR, floor)
        self.tables = [self._table(number, table) for number, table in enumerate(place.tables, start=1)]

    def _supervise(self, name: str, *command: str, given: bytes = b"") -> SupervisedProgram:
        program = Program(name, command, Path(self._log(name)), given)
        return SupervisedProgram(program, partial(self._hear, name), lambda what: self._tell(StudioLine(name, what)))

    def _log(self, name: str) -> str:
        return str(self.place.folder / f"{name}.log")

    def _table(self, number: int, table: OneTable) -> SupervisedProgram:
        plan = plan_of(self.plan, number, len(self.place.tables), table.game)
        config = str(self.place.add_table(table, plan.betting_seconds, plan.decision_seconds))
        command = (sys.executable, "-P", "-m", "controller.lab.demo.one_of_many", config)
        return self._supervise(table.name, *command, given=msgspec.json.encode(plan))

    def _hear(self, name: str, line: str) -> None:
        if line.startswith(("http://", "https://")):
            self.pages[name] = line
        else:
            self._tell(StudioLine(name, line))

    async def run(self, ready: Callable[[], object]) -> None:
        """Run until all tables have dealt their rounds, or until cancelled. Raises Unusable.

        `ready`: called once everything has started.
        """
        keeping = [asyncio.create_task(self.server.keep())]
        try:
            await self._wait_for_bus(keeping[0])
            tables = [asyncio.create_task(table.keep()) for table in self.tables]
            keeping += [*tables, asyncio.create_task(self.floor.keep())]
            await _or_fallen(keeping, self._wait_until_ready())
            ready()
            await _or_fallen(keeping, asyncio.wait(tables))
        finally:
            await self._end(keeping)

    async def _wait_for_bus(self, server: "asyncio.Task[None]") -> None:
        """Create the streams as soon as the bus answers. Raises BusFailed, Fallen."""
        until = time.monotonic() + STANDS
        while True:
            try:
                await make_streams(self.place.admins, KEPT, self.place.studio)
            except BusFailed:
                if server.done():
                    server.result()
                if time.monotonic() > until:
                    raise
                await asyncio.sleep(0.1)
            else:
                self.server.stands.set()
                return

    async def _wait_until_ready(self) -> None:
        for table in self.tables:
            await table.stands.wait()
        while not await _answers(self.floor_port):
            await asyncio.sleep(0.1)
        self.floor.stands.set()

    async def _end(self, keeping: "list[asyncio.Task[None]]") -> None:
        """End all programs, the bus last: the tables leave their heads there."""
        for task in keeping:
            task.cancel()
        await asyncio.wait(keeping)
        await asyncio.gather(self.floor.end(), *(table.end() for table in self.tables))
        await self.server.end()


async def _answers(port: int) -> bool:
    """True if a program listens on this port."""
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except OSError:
        return False
    writer.close()
    return True


async def _or_fallen(keeping: "list[asyncio.Task[None]]", waiting: Coroutine[Any, Any, object]) -> None:
    """Await `waiting` while the programs run. Raises Fallen if one of them keeps crashing."""
    come = asyncio.create_task(waiting)
    standing: set[asyncio.Task[Any]] = {come, *keeping}
    try:
        while not come.done():
            ended, standing = await asyncio.wait(standing, return_when=asyncio.FIRST_COMPLETED)
            for one in ended:
                one.result()
    finally:
        come.cancel()


def plan_of(plan: Plan, number: int, tables: int, game: str) -> Plan:
    """Return the plan of one table among several.

    No two plans are the same; errors come at one table after another.
    """
    every = OFTEN if plan.faults else max(EVERY.start, min(tables, EVERY.stop - 1))
    seed = None if plan.seed is None else plan.seed + number
    first = (number - 1) % every + 1
    return replace(plan, game=game, seed=seed, faults=True, every=every, first=first, attend=ATTEND)


def urls(show: StudioDemo) -> Iterator[tuple[str, str, str]]:
    """Yield each table's name, game, and URL of its own pages."""
    for table in show.place.tables:
        yield table.name, table.game, show.pages.get(table.name, "")
