"""Doors of a running table: its API and pages, on its Unix socket and on the network.

All doors share one feed of the record and one index of answered commands. Reports use few threads, because the table
needs threads too.
"""

import asyncio
import socket
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from starlette.applications import Starlette
from starlette.routing import BaseRoute
from starlette.types import ASGIApp

from ..config.paths import users_of
from ..config.people import PeopleFile
from ..config.web import ServerSection
from ..core.records import Record
from ..journal import opening_seq, reach, read
from ..outputs.custody_status import CustodyStatus
from ..outputs.metrics import Metrics
from ..outputs.web_metrics import Backlog, WebState
from ..station.device_figures import HealthBook, TableDevices
from ..table.loop import Table
from .access.attempts import Attempts
from .access.badge_door import BadgeDoor
from .access.credential_checker import CredentialChecker
from .access.dealers import DealerDoor
from .access.hand_over import HandOverDoor
from .access.local import LocalSignOn
from .access.persons import Persons
from .access.second_person import SecondDoor
from .access.users import UsersFile
from .access.viewer_key import ViewerKey
from .access.visitors import socket_visitor
from .access.wrong_pins import WrongPins
from .api.answered_commands import AnsweredCommands
from .api.api import Api
from .api.callers import SignOn, identify_callers
from .api.devices import DeviceRoutes, KnownDevices
from .api.documents import Documents
from .api.earlier_round_reader import EarlierRoundReader
from .api.intake import Intake
from .api.labels import Labels
from .api.monitoring import TableMonitoring
from .api.past_tables import PastTables
from .api.previews import Previews
from .api.problems import PROBLEMS
from .api.record_feed import RecordFeed
from .api.round_history import TableRounds
from .api.round_pages import RoundPages
from .api.screen_stream import ScreenRoutes
from .api.server_line import ServerLine
from .api.shift_reports import ShiftReports
from .net.admission import Admission
from .net.certificate import Certificate
from .net.entrance import CONNECTIONS
from .net.files import Pages
from .net.latency import Latency
from .net.listening import NetListening
from .net.lookout import Lookout
from .net.server import WebServer
from .net.sockets import Listening
from .screens.screens import Screens
from .screens.table_snapshot import Equipment
from .site import Site

LOOKERS = 2  # lookups in the record that run at a time
NOTHING = Equipment()
NO_GEAR = TableDevices()
UNSERVED = ServerSection()


def _checker(table: Table, users: Path, people: PeopleFile | None) -> tuple[CredentialChecker, BadgeDoor]:
    attempts = Attempts(time.monotonic, WrongPins(users, time.time))
    checker = CredentialChecker(table.house.table, table.take, Persons(UsersFile(users), people), attempts)
    return checker, BadgeDoor(table, checker, time.monotonic)


def _pages(net: NetListening | None) -> Pages:
    return Pages() if net is None else Pages(net.theme, overlay=net.overlay)


class TableDoors:
    """Web servers of a table. Create them before the table starts, so that they hear every record.

    `backlog`: returns the records that the bus does not have yet, for a table on a bus.
    """

    backlog: Callable[[], Backlog] | None = None
    site: Site | None = None

    def __init__(
        self,
        table: Table,
        journal: Path,
        local: Listening | None,
        net: NetListening | None = None,
        equipment: Equipment = NOTHING,
        gear: TableDevices = NO_GEAR,
        metrics: Metrics | None = None,
        custody: CustodyStatus | None = None,
        people: PeopleFile | None = None,
        server: ServerSection = UNSERVED,
    ) -> None:
        self._journal, self._feed = journal, RecordFeed(journal, table.journal.head.seq)
        self._line, self._looking = ServerLine(table, server), asyncio.Semaphore(LOOKERS)
        self._earlier = (earlier := EarlierRoundReader(table, journal, self._looking)).read
        self._intake = Intake(table, self._feed, _read_answers(journal, table.state.round.number), earlier.work_out)
        self._screens = Screens(table, journal, equipment, (pages := _pages(net)).version)
        self._devices = KnownDevices(table, gear, HealthBook(journal, table.house.table))
        self.viewers = ViewerKey(None if net is None else net.users, table.house.game.seats).viewers
        self._servers, self.admission, self._latency = list[WebServer](), Admission(), Latency(table.house.table)
        self.checker, self.badges = _checker(table, users_of(journal) if net is None else net.users, people)
        self.lookout = Lookout({"sign_in": self.checker.attempts.persons, **(net.watched if net else {}), **gear.asked})
        self._routes = self._routes_of(table, TableMonitoring(table, self._feed, metrics, self.web_state, custody))
        self._app = Starlette(routes=self._routes, exception_handlers=PROBLEMS)
        table.subscribe(self._hear, self._intake.count)
        if local is not None:
            self._at_the_socket(local.socket)
        if net is not None and net.socket is not None:
            self.site = self._serve_network(table, net, net.socket, pages)

    def _serve_network(self, table: Table, net: NetListening, listening: socket.socket, pages: Pages) -> Site:
        site = Site(table.house.table, net, self.checker)
        app = site.app([*self._routes, *pages.routes], self.admission)
        self._serve(app, listening, net.certificate)
        return site

    def _at_the_socket(self, listening: socket.socket) -> None:
        admitted = self.admission.guard(self._app, socket_visitor)
        self._serve(identify_callers(admitted, LocalSignOn(self.checker.persons)), listening)

    def door_app(self, sign_on: SignOn) -> ASGIApp:
        """Application for one more door with few visitors, without admission limits."""
        return identify_callers(self._app, sign_on)

    def _serve(self, app: ASGIApp, listening: socket.socket, certificate: Certificate | None = None) -> None:
        encrypted = None if certificate is None else certificate.context
        self._servers.append(WebServer(self._latency.wrap(app), listening, encrypted))

    def _routes_of(self, table: Table, watch: TableMonitoring) -> list[BaseRoute]:
        """Routes that all doors share."""
        equipment = self._screens.equipment
        handlers = (
            Api(table, self._feed, self._intake, self.viewers, self._line),
            Documents(table),
            ScreenRoutes(self._screens),
            Previews(table, self._looking, self._earlier),
            TableRounds(table, self._journal, equipment.shifts.time_zone, self._looking),
            RoundPages(table, self._journal, equipment, self._looking),
            PastTables(table, self._looking, self._earlier),
            DeviceRoutes(self._devices),
            DealerDoor(table, self.checker),
            SecondDoor(self._intake, self.checker),
            HandOverDoor(table, self._journal, equipment.shifts, self.checker),
            ShiftReports(self._journal, equipment.shifts, equipment.language, self._looking),
            watch,
            Labels(equipment.language),
        )
        return [route for one in handlers for route in one.routes]

    def web_state(self) -> WebState:
        """Connections, places and defects of all doors, for the metrics."""
        places = {kind: each.figures for kind, each in self.admission.classes.items()}
        servers = self._servers
        connections, limit = sum(len(server.connections) for server in servers), len(servers) * CONNECTIONS
        backlog = None if self.backlog is None else self.backlog()
        return WebState(connections, limit, places, self.lookout.troubles, self._latency.histogram, backlog)

    def _hear(self, _: Table, records: Sequence[Record]) -> None:
        if records:
            self._feed.hear(records)
        self._intake.hear(records)
        self._screens.hear(records)

    def start(self) -> None:
        """Start to accept connections at all doors."""
        self.lookout.start()
        self._line.start()
        for server in self._servers:
            server.start()

    async def stop(self) -> None:
        """End the streams and wait for requests under way."""
        self.lookout.stop()
        self._line.stop()
        await self.badges.stop()
        self.checker.stop()
        self._feed.close()
        self._screens.close()
        for server in self._servers:
            await server.stop()


def _read_answers(journal: Path, live: int) -> AnsweredCommands:
    """Answered commands, read from the records of this round and the one before."""
    places = (opening_seq(journal, number) for number in (live - 1, live))
    first = next((place for place in places if place is not None), 1)
    return AnsweredCommands(read(journal, max(reach(journal), first - 1)))
