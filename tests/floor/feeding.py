"""Feed of events from the bus into a floor's store, in this process or in its own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import msgspec
import structlog
from nats.aio.client import Client

from controller.bus.bus_client import FAILED, BusClient, options
from controller.bus.keys import credentials_in, new_seed
from controller.bus.permissions import inbox_of
from controller.bus.seals import Seals
from controller.config.bus import BusLine
from controller.floor.storage.feed import FloorFeed
from controller.floor.storage.store import Store
from controller.floor.storage.table_events import TableEvent, Unanswered
from controller.journal.tasks import cancel_tasks, run_together
from tests.bus.tables import ask


class Everybody(dict[str, str]):
    """Roster of tables that has every table."""

    def __contains__(self, _: object) -> bool:
        return True


def everybody() -> Seals:
    """Return seals that trust every table."""
    seals = Seals(new_seed(), {}, {})
    seals.tables = Everybody()
    return seals


class Feeding:
    """Feed of a floor with its line to the bus. `heard`: events announced as new; `seals`: trusted keys."""

    def __init__(self, store: Store, section: BusLine) -> None:
        self.seals = everybody()
        credentials = credentials_in(Path(section.credentials or ""))
        self.store, self.line = store, BusClient(options(section, credentials, inbox_of("floor", "main")))
        self.heard = list[TableEvent]()
        self.feed = FloorFeed(self.line, "main", self.seals, store, self._ask, self.heard.extend)

    async def _ask(self, table: str, epoch: str, after: int) -> list[bytes]:
        return await ask_events(self.line.client, table, epoch, after)

    async def run(self) -> None:
        await run_together(self.line.open(), self.feed.run())


async def ask_events(client: Client, table: str, epoch: str, after: int) -> list[bytes]:
    """Ask a table for its events after a number. Raises Unanswered."""
    try:
        answer = await ask(client, f"/api/v1/events?role=manager&after={after}&epoch={epoch}", table=table)
    except FAILED as error:
        raise Unanswered(str(error)) from None
    return [msgspec.json.encode(event) for event in answer.body] if answer.status == 200 else []


@asynccontextmanager
async def feeding(path: Path, section: BusLine) -> AsyncIterator[Feeding]:
    """Run a feed into the store at `path` while the context lasts."""
    with closing(Store(path)) as store:
        one = Feeding(store, section)
        task = asyncio.create_task(one.run())
        try:
            yield one
            assert not task.done(), task.exception()
        finally:
            await cancel_tasks([task])
            await one.line.close()


async def feed(path: Path, section: BusLine) -> None:
    async with feeding(path, section):
        await asyncio.Event().wait()


def run(path: Path, section: BusLine) -> None:
    """Run a feed until the process is killed, and log critical messages alone."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    asyncio.run(feed(path, section))
