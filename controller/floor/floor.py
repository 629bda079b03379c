"""A floor at work: the line to the bus, what is known of all tables, and the page, in one loop.

the bus    status, beats, claims   -->  Hall    --> the page's stream
           events of all records   -->  Store   --> numbers, search, reports
the page   acts                    -->  Shared, Ask --> the bus, the tables
           everything that was done -->  Notes   --> the floor's own record
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import structlog
from starlette.routing import BaseRoute

from ..bus.keys import credentials_in
from ..bus.line import AGAIN, Line, options, words_of
from ..bus.permissions import inbox_of
from ..config.floor_file import FloorConfig
from ..config.mistakes import BadUsers
from ..config.people import PeopleFile, Person
from ..core.clock import SECOND, Time
from ..web.access.attempts import Attempts
from ..web.access.desk import Desk
from ..web.access.persons import Persons
from ..web.access.users import UsersFile
from ..web.api.labels import Labels
from ..web.net.admission import LIMITS, Admission, Limit
from ..web.net.files import Pages
from ..web.net.lookout import Lookout
from ..web.net.server import WebServer
from ..web.site import NetListening, Site
from .acts import Acts
from .ask import Ask
from .consoles import Consoles
from .documents import Who
from .gateway import Gateway
from .hall import Hall
from .live import Live
from .notes import Notes
from .pages import MANNER, PAGES
from .record import FloorRecord
from .routes import FloorRoutes
from .shared import Shared

LOOKING = 0.1  # seconds from one look at what is held to the next
ROLES = ("manager", "supervisor", "engineer", "auditor")
PLACES = {**LIMITS, "manager": Limit(320, 32)}  # of two hundred tables' people each has streams of their own


class Floor:
    """One floor. `store`: the path of what it keeps. Raises Unusable."""

    def __init__(self, config: FloorConfig, store: Path, people: PeopleFile, net: NetListening) -> None:
        bus, self.name, self._config, self._people = config.bus, config.floor.name, config, people
        credentials = credentials_in(Path(bus.credentials or ""))
        self.line = Line(options(bus, credentials, inbox_of("floor", self.name)))
        self.hall = Hall(self.name, config.floor.at_most, clock)
        self.record = FloorRecord(store.with_name(f"{store.name}.record"), clock)
        self.notes = Notes(self.record.append)
        self.ask = Ask(self.line, bus.studio, credentials.signer, self._epoch)
        self.live = Live(self.line, bus.studio, self.hall, clock)
        self.shared = Shared(self.line, bus.studio, self.name, clock, self.hall.of)
        self.desk = Desk(self.name, self.notes.hear, Persons(UsersFile(net.users), people), Attempts(time.monotonic))
        self.site = Site(f"floor {self.name}", net, self.desk, MANNER)
        self.lookout = Lookout(net.watched)
        pages = Pages(net.theme, PAGES)
        self.consoles = Consoles(self.line, self.ask, bus.studio, pages.version)
        self._floor = FloorRoutes(self.hall, self.site.sign_on, pages.version, config.web.language)
        self.admission = Admission(PLACES)
        app = self.site.app(self._routes(pages, config.web.language), self.admission)
        assert net.socket is not None  # noqa: S101 - the config has a place to listen at
        encrypted = None if net.certificate is None else net.certificate.context
        self._server = WebServer(app, net.socket, encrypted)
        self._known: list[Who] = []
        self._tasks = list[asyncio.Task[None]]()
        self._log = structlog.get_logger().bind(floor=self.name)

    def _routes(self, pages: Pages, language: str) -> list[BaseRoute]:
        sign_on = self.site.sign_on
        at_most = self._config.floor.at_most
        acts = Acts(self.hall, self.shared, self.ask, sign_on, self.notes, self._people, at_most)
        gateway = Gateway(self.ask, self.consoles, sign_on, self.hall.owner, self.notes)
        return [
            *self._floor.routes,
            *acts.routes,
            *gateway.routes(pages, self.site.front, Labels(language)),
            *pages.routes,
        ]

    def _epoch(self, table: str) -> str | None:
        status = self.hall.of(table)
        return None if status is None else status.epoch

    @property
    def troubles(self) -> list[str]:
        """What is wrong, in a line each."""
        found = [self.line.trouble and f"bus: {self.line.trouble}", self.notes.trouble, *self.lookout.told]
        try:
            self._people.people()
        except BadUsers as error:
            found.append(str(error))
        return list(filter(None, found))

    def standing(self) -> str:
        """Where it stands, in a line for an engineer."""
        heard = sum(self.hall.hears(table) for table in self.hall.tables)
        return "; ".join([f"{heard} of {len(self.hall.tables)} tables heard", *self.troubles])

    # ── its life ─────────────────────────────────────────────────────────────────────────────────────────────────

    def start(self) -> None:
        """From here on it is open."""
        works = (self.line.open, self._greeting, self.live.run, self._settle, self._people_change, self.notes.run)
        self._tasks = [asyncio.create_task(self._for_ever(work), name=work.__name__) for work in works]
        self.notes.put("started")
        self.lookout.start()
        self._server.start()

    async def stop(self) -> None:
        """End the streams, let what is under way come to its end."""
        self.lookout.stop()
        self.desk.stop()
        self.consoles.close()
        self._floor.close()
        await self._server.stop()
        self.notes.put("stopped")
        await self.notes.finish()
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self.line.close()
        self.record.close()

    async def _for_ever(self, work: Callable[[], Awaitable[None]]) -> None:
        """What goes wrong in one part ends no other."""
        while True:
            try:
                return await work()
            except Exception as error:  # noqa: BLE001 - it is begun anew: people depend on the others
                self._log.error("floor_failed", what=work.__name__, reason=words_of(error), exc_info=error)
                await asyncio.sleep(AGAIN)

    async def _greeting(self) -> None:
        await self.line.each_time(self._greet)

    async def _greet(self) -> bool:
        return True

    async def _settle(self) -> None:
        """What is held is brought in line with what is seen."""
        while True:
            news = self.hall.news
            if self.hall.unsettled:
                done = await self.shared.settle(lambda: self.hall.view)
                for key in done.raised if done else ():
                    self.notes.put("raised", key=key)
                for key in done.cleared if done else ():
                    self.notes.put("cleared", key=key)
                await asyncio.sleep(LOOKING)
            else:
                await news.wait()

    async def _people_change(self) -> None:
        """Who may have tables, as the registry has them."""
        while True:
            self.hall.staff(self._staff())
            await asyncio.sleep(AGAIN)

    def _staff(self) -> list[Who]:
        try:
            people = self._people.people()
        except BadUsers:  # told by `troubles`; nobody has left by that
            return self._known
        everybody = {} if people is None else people.by_id
        found = ((number, one, _role(one)) for number, one in everybody.items() if not one.left)
        self._known = [Who(number, one.name, role) for number, one, role in found if role]
        return self._known


def _role(person: Person) -> str:
    """The first of those that matter at a floor; empty: none does."""
    return next((role for role in ROLES if role in person.roles), "")


def clock() -> Time:
    """The floor's time."""
    return round(time.time() * SECOND)
