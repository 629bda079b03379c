"""Floor on the bus with its live tables and shared documents alone: without pages, store and record."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple

import msgspec
from nats.aio.client import Client
from nats.js.errors import NoStreamResponseError

from controller.bus.bus_client import BusClient, options
from controller.bus.keys import credentials_in
from controller.bus.names import TableNames
from controller.bus.permissions import inbox_of
from controller.bus.seals import Seals
from controller.bus.status import Status
from controller.floor.live.alarm_task import AlarmUpdater
from controller.floor.live.live_tables import LiveTables
from controller.floor.live.subscriptions import TableSubscriptions
from controller.floor.shared_state.state import Shared
from controller.journal.tasks import cancel_tasks
from controller.table.clocks import Clock, SteadyClock
from tests.bus.rig import StudioKeys
from tests.patience import LOOKS, PAUSE, NeverHappened


class FloorViewer(NamedTuple):
    """Viewer of a floor. `all`: may act at all tables, otherwise only at the tables they own."""

    id: str = "7"
    name: str = "Anna Pop"
    all: bool = True

    def acts_at(self, owner: str | None) -> bool:
        return self.all or owner == self.id


class SharedTableKeys(dict[str, str]):
    """Public keys of tables; a table without a key of its own has that of t1."""

    def get(self, name: str, default: object = None) -> str:
        return super().get(name) or self["t1"]

    def __contains__(self, name: object) -> bool:
        return True


async def publish_statuses(bus: StudioKeys, client: Client, *statuses: Status) -> None:
    """Publish these statuses as their tables do."""
    for status in statuses:
        await publish_raw(bus, client, status.table, msgspec.json.encode(status))


async def publish_raw(bus: StudioKeys, client: Client, table: str, body: bytes) -> None:
    """Publish any bytes as a table's status, signed by that table."""
    seals = bus.seals("tables", table if table in bus.studio.names("tables") else "t1")
    subject = TableNames("main", table).status

    async def is_stored() -> bool:
        with suppress(NoStreamResponseError):  # no leader has been chosen yet
            await client.jetstream().publish(subject, body, headers=seals.seal(subject, body))
            return True
        return False

    for _ in range(LOOKS):
        if await is_stored():
            return
        await asyncio.sleep(PAUSE)
    raise NeverHappened(f"no stream has taken {subject}")


class BareFloor:
    """Floor without pages. `told`: its alarms as they were raised and cleared."""

    def __init__(self, bus: StudioKeys, name: str, clock: Clock | None = None, **section: Any) -> None:
        self.bus, credentials = bus, credentials_in(bus.seed("floors", name))
        self.line = BusClient(options(bus.floor_section(name, **section), credentials, inbox_of("floor", name)))
        clock, floors = clock or SteadyClock(), bus.studio.keys("floors")
        seals = Seals(credentials.signer, {}, floors)
        seals.tables = SharedTableKeys(bus.studio.keys("tables"))
        self.hall = LiveTables(name, 6, clock.now)
        self.seals = seals
        self.live = TableSubscriptions(self.line, "main", self.hall, seals, clock.now)
        self.shared = Shared(self.line, "main", name, seals, clock.now, self.hall.status_of)
        self.shared.documents.held = self.live.last_message
        self.told: list[tuple[str, str]] = []
        self._tasks: list[asyncio.Task[None]] = []

    async def tell(self, kind: str, key: str) -> None:
        self.told.append((kind, key))

    async def __aenter__(self) -> "BareFloor":
        works = self.line.open(), self.live.run(), AlarmUpdater(self.hall, self.shared, self.tell).run()
        self._tasks = [asyncio.create_task(work) for work in works]
        return self

    async def __aexit__(self, *_: object) -> None:
        await cancel_tasks(self._tasks)
        await self.line.close()

    def strip(self, table: str = "t1", language: str = "en"):
        """Return the strip of a table, None if the floor does not know the table."""
        picture = self.hall.picture(FloorViewer(), language)
        return next((strip for strip in picture.strips if strip.table == table), None)


@asynccontextmanager
async def run_bare_floor(bus: StudioKeys, name: str = "main", clock: Clock | None = None) -> AsyncIterator[BareFloor]:
    """Run a floor without pages while the context lasts."""
    async with BareFloor(bus, name, clock) as floor:
        yield floor
