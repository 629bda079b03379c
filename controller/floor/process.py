"""Floor at work: connection to the bus, state of all tables, and the page, in one event loop.

the bus    status, beats, claims     -->  LiveTables           --> the page's stream
           events of all records     -->  FloorFeed, Store     --> numbers, search, reports
the page   acts                      -->  Shared, TableClient  --> the bus, the tables
           everything that was done  -->  Notes                --> the floor's own record
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Literal

import structlog

from ..bus.bus_client import AGAIN, failure_text
from ..bus.keys import credentials_in
from ..config.floor_file import FloorConfig
from ..config.mistakes import BadUsers
from ..config.people import PeopleFile, Person
from ..core.clock import DAY, SECOND, to_text
from ..core.coded_message import CodedMessage, coded
from ..journal.tasks import cancel_tasks
from ..table.clocks import STEP
from ..text.coded import render
from ..web.net.listening import NetListening
from .live.alarm_task import AlarmUpdater
from .live.calls import CallContext, CallSender
from .live.subscriptions import TableSubscriptions
from .live.trusted_keys import TrustedKeys
from .shared_state.documents import FloorWorker
from .site.application import FloorDoors
from .site.components import build_components
from .storage.failures import FloorFailed

FORGET = 3600.0  # seconds between two deletions of old events
COUNT = 5.0  # seconds between two counts of new events
ROLES = ("manager", "supervisor", "engineer", "auditor")


class Floor:
    """One floor and all its tasks. `store`: path of its events. Raises Unusable."""

    def __init__(self, config: FloorConfig, store: Path, people: PeopleFile, net: NetListening) -> None:
        key = credentials_in(Path(config.bus.credentials or ""))
        with ExitStack() as files:
            self.components = components = build_components(config, store, people, key, files)
            self.doors = FloorDoors(components, net, lambda: self.troubles)
            self._files = files.pop_all()
        bus, live_tables, shared, now = config.bus, components.live_tables, components.shared, components.clock.now
        self._live = TableSubscriptions(components.line, bus.studio, live_tables, components.seals, now)
        shared.documents.held, self._live.heard = self._live.last_message, self.doors.consoles.beat
        self._alarming = AlarmUpdater(live_tables, shared, self._note_alarm)
        name, tell = config.floor.name, components.notes.put
        self._trust = TrustedKeys(components.line, bus.studio, name, components.seals, self._live.judge_anew)
        context = CallContext(
            components.line, bus.studio, name, key.signer, components.seals.floors, config.alerts, tell
        )
        self._calling = CallSender(context, live_tables, shared, now, lambda: self._live.unheard_tables)
        self._workers: list[FloorWorker] = []
        self._tasks = list[asyncio.Task[None]]()
        self._log = structlog.get_logger().bind(floor=name)

    @property
    def troubles(self) -> list[CodedMessage | str]:
        """Current defects of the floor."""
        line, clock = self.components.line.trouble, self.components.clock
        issues = [
            line and coded("bus_trouble", reason=line),
            self.components.notes.trouble,
            self.components.feed.trouble,
            self._calling.twin.trouble,
            self._calling.trouble,
        ]
        if abs(clock.behind) >= STEP:
            issues.append(coded("floor_clock_set", seconds=clock.behind / SECOND))
        try:
            self.components.people.people()
        except BadUsers as error:
            issues.append(str(error))
        issues += [coded("bus_trouble", reason=one) for one in (*self._trust.troubles, *self.components.seals.troubles)]
        issues += [*self.components.store.byte_limits.troubles, *self.components.shared.documents.troubles]
        return list(filter(None, [*issues, *self.doors.lookout.messages]))

    def status_line(self) -> str:
        """Status line for the service supervisor: tables heard and defects."""
        live_tables = self.components.live_tables
        count = sum(live_tables.is_heard(table) for table in live_tables.tables)
        return "; ".join([f"{count} of {len(live_tables.tables)} tables heard", *map(render, self.troubles)])

    # ── start and stop ───────────────────────────────────────────────────────────────────────────────────────────

    def start(self) -> None:
        """Start all tasks and open the page."""
        components = self.components
        works = (
            components.notes.run, components.line.open, self._greeting, self._trust.run, self._live.run,
            self._alarming.run, components.feed.run, self._calling.run, self._look, self._count, self._forget,
        )  # fmt: skip
        self._tasks = [asyncio.create_task(self._keep_running(work), name=work.__qualname__) for work in works]
        components.notes.put("started")
        self.doors.start()

    async def stop(self) -> None:
        """Stop the page and all tasks; requests under way are finished."""
        await self.doors.stop()
        self.components.notes.put("stopped")
        await self.components.notes.finish()
        await cancel_tasks(self._tasks)
        await self.components.line.close()
        await asyncio.to_thread(self._files.close)

    async def _keep_running(self, work: Callable[[], Awaitable[None]]) -> None:
        """Run one task and restart it after an error, so that it ends no other task."""
        while True:
            try:
                return await work()
            except Exception as error:  # noqa: BLE001 - the task is started again: people depend on the others
                self._log.error("floor_failed", what=work.__qualname__, reason=failure_text(error), exc_info=error)
                await asyncio.sleep(AGAIN)

    async def _greeting(self) -> None:
        async def greet() -> bool:
            return True

        await self.components.line.greet_on_connect(greet)

    async def _note_alarm(self, kind: Literal["raised", "cleared"], key: str) -> None:
        self.components.notes.put(kind, key=key)

    async def _look(self) -> None:
        """Update the staff and the feed's backlog every AGAIN seconds, and slew the clock."""
        live_tables, clock = self.components.live_tables, self.components.clock
        while True:
            live_tables.set_staff(self._staff())
            live_tables.set_backlog(self.components.feed.behind)
            if abs(clock.behind) < STEP:
                clock.follow()
            await asyncio.sleep(AGAIN)

    async def _count(self) -> None:
        """Count new events every COUNT seconds, so that no request waits for a day of them."""
        while True:
            with suppress(FloorFailed):  # each request for figures reports the error itself
                await asyncio.to_thread(self.components.history.follow)
            await asyncio.sleep(COUNT)

    async def _forget(self) -> None:
        """Delete events older than `keep_days`, every FORGET seconds."""
        while True:
            before = to_text(self.components.clock.now() - self.components.config.floor.keep_days * DAY)
            with suppress(FloorFailed):  # the feed reports the error
                while await asyncio.to_thread(self.components.store.forget, before):
                    await asyncio.sleep(0)  # new events are stored between two deletions
            await asyncio.sleep(FORGET)

    def _staff(self) -> list[FloorWorker]:
        try:
            people = self.components.people.people()
        except BadUsers:  # `troubles` reports it; the list of people stays as it was
            return self._workers
        everybody = {} if people is None else people.by_id
        staff = ((number, one, _role(one)) for number, one in everybody.items() if not one.left)
        self._workers = [FloorWorker(number, one.name, role) for number, one, role in staff if role]
        return self._workers


def _role(person: Person) -> str:
    """First role of the person that counts at a floor; empty if none does."""
    return next((role for role in ROLES if role in person.roles), "")
