"""Floor on a real bus with real tables, in this process, and its visitors over HTTP."""

import asyncio
import http.client
import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

from controller.config.floor_file import FloorConfig, FloorSection, FloorWebSection
from controller.config.people import PeopleFile
from controller.core import events as e
from controller.floor.live.live_tables import LiveTables
from controller.floor.process import Floor
from controller.web.net import listening
from tests.bus.rig import BusServer
from tests.bus.tables import StudioTable
from tests.patience import PATIENCE, until
from tests.web.net import Answer, BrowserPerson
from tests.web.staff import PINS, registry_content

SUPERVISOR, MANAGER, ENGINEER, AUDITOR, OTHER = "102", "103", "104", "105", "106"


class OneFloor:
    """Floor with all its parts, as `tablectl floor` runs it."""

    def __init__(self, folder: Path, server: BusServer, name: str = "main", **about: Any) -> None:
        web = FloorWebSection(listen="127.0.0.1:0", **about.pop("web", {}))
        self.config = FloorConfig(FloorSection(name, **about), server.floor_section(name), web)
        self.people = staff(folder)
        self.net = listening.listen(web, folder / f"{name}.users")
        assert self.net.socket is not None
        self.port = self.net.socket.getsockname()[1]
        self.store = folder / f"{name}.floor"
        try:
            self.floor = Floor(self.config, self.store, self.people, self.net)
        except BaseException:
            self.net.close()
            raise

    @property
    def hall(self) -> LiveTables:
        return self.floor.components.live_tables

    async def __aenter__(self) -> "OneFloor":
        self.floor.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.floor.stop()
        self.net.close()

    async def knows(self, *tables: str) -> None:
        """Wait until the floor hears these tables."""
        await until(lambda: all(self.hall.is_heard(table) for table in tables))

    async def signed_in(self, number: str = MANAGER) -> "FloorVisitor":
        """Return a visitor who is signed in with this badge number."""
        person = FloorVisitor(self)
        answer = await person.sign_in(number, PINS[number])
        assert answer.status == 200, answer
        return person

    def recorded(self, *kinds: str) -> list[dict[str, Any]]:
        """Return the entries of these kinds in the floor's own record."""
        return [one for one in notes(self.floor) if one["kind"] in kinds]


class FloorVisitor(BrowserPerson):
    """Person with a browser at the floor's page."""

    def __init__(self, floor: OneFloor) -> None:
        super().__init__(floor)  # a BrowserPerson needs only the port of it
        self._floor = floor

    async def raw(self, method: str, target: str, content: bytes) -> Answer:
        """Send any bytes to the floor; return its answer."""
        return await asyncio.to_thread(self._raw, method, target, content)

    def _raw(self, method: str, target: str, content: bytes) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self._floor.port, timeout=PATIENCE)
        try:
            connection.request(method, target, content, {"content-type": "application/json", **self._kept()})
            response = connection.getresponse()
            return Answer(response.status, json.loads(response.read()), dict(response.getheaders()))
        finally:
            connection.close()

    async def act(self, act: str, lang: str = "en", **what: object) -> Answer:
        """Do an act at the floor, such as `claim`; return the answer."""
        return await self.ask("POST", f"/api/floor/acts?lang={lang}", {"act": act, **what})

    async def command(self, table: str, *commands: object, lang: str = "en") -> Answer:
        """Send commands to a table through the floor; return the answer."""
        return await self.ask("POST", f"/tables/{table}/api/commands?role=manager&lang={lang}", list(commands))

    async def now(self, lang: str = "en") -> Any:
        """Return the picture that the floor's page shows now."""
        answer = await self.ask("GET", f"/api/floor/now?lang={lang}")
        assert answer.status == 200, answer
        return answer.body

    @asynccontextmanager
    async def stream(self, target: str) -> AsyncIterator["FloorStream"]:
        """Open an event stream of the floor."""
        connection = http.client.HTTPConnection("127.0.0.1", self._floor.port, timeout=PATIENCE)
        try:
            yield await asyncio.to_thread(FloorStream, connection, target, self._kept())
        finally:
            connection.close()


class FloorStream:
    """Event stream of the floor, event by event."""

    def __init__(self, connection: http.client.HTTPConnection, target: str, headers: dict[str, str]) -> None:
        connection.request("GET", target, headers=headers)
        self.socket = connection.sock
        self.answer = connection.getresponse()
        self.status = self.answer.status

    async def next(self, kind: str = "") -> tuple[str, Any]:
        """Return name and data of the next event, or of the next of this `kind`."""
        while True:
            event, data = await asyncio.to_thread(self._next)
            if kind in ("", event):
                return event, data

    def _next(self) -> tuple[str, Any]:
        event = data = ""
        for line in iter(self.answer.readline, b""):
            name, _, value = line.decode().rstrip("\n").partition(": ")
            event, data = (value, data) if name == "event" else (event, value) if name == "data" else (event, data)
            if not line.strip() and data:
                return event, json.loads(data)
        raise EOFError


def staff(folder: Path) -> PeopleFile:
    """Return the studio's registry of people; write it if it does not exist."""
    file = PeopleFile(folder / "people.toml", needed=True)
    if not file.path.exists():
        file.path.write_bytes(registry_content())
    return file


def a_table(folder: Path, server: BusServer, name: str = "t1") -> StudioTable:
    """Return a table on the bus, with a folder of its own."""
    (folder / name).mkdir(exist_ok=True)
    return StudioTable(folder / name / "t.journal", server.section(name), name, staff(folder))


def paused(table: StudioTable) -> int:
    """Pause a round by a card while bets are open; return the fault's number."""
    for event in (e.Open(), e.CardOut("5H")):
        table.table.take(event)
    assert table.table.state.fault is not None
    return table.table.state.fault.seq


@asynccontextmanager
async def studio(
    folder: Path, server: BusServer, *floors: str, tables: tuple[str, ...] = ("t1",), **about: Any
) -> AsyncIterator[Any]:
    """Run floors and tables of a studio; yield the floors, then the tables, once the floors hear them."""
    async with AsyncExitStack() as stack:
        studio_tables = [await stack.enter_async_context(a_table(folder, server, name)) for name in tables]
        up = [await stack.enter_async_context(OneFloor(folder, server, name, **about)) for name in floors or ("main",)]
        for floor in up:
            await floor.knows(*tables)
        yield (*up, *studio_tables)


def notes(floor: Floor) -> list[dict[str, Any]]:
    """Return all entries of the floor's own record."""
    return [entry.fields for entry in floor.components.record.read()]
