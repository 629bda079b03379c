"""The doors of a running table: what is asked of it and shown of it, on its Unix socket and on the network.

Whichever door somebody comes through, they meet the same table: one feed of its record, and one memory of
which commands have been answered. What shift managers look up there takes few threads: the table needs some as well.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path

from starlette.applications import Starlette
from starlette.routing import BaseRoute

from ..core.records import Record
from ..journal import reach, read
from ..outputs.keeping import Custody
from ..outputs.metrics import Metrics
from ..station.device_figures import Gear, HealthBook
from ..table.loop import Table
from .access.local import LocalSignOn
from .access.viewer_key import ViewerKey
from .api.answered import KEPT, Answered
from .api.api import Api
from .api.devices import DeviceRoutes, Workshop
from .api.labels import Labels
from .api.previews import Previews
from .api.problems import PROBLEMS
from .api.record_feed import Feed
from .api.request_parameters import SignOn
from .api.round_history import Past
from .api.screen_stream import ScreenRoutes
from .api.watch import Watch
from .net.files import Pages
from .net.lookout import Lookout
from .net.server import WebServer
from .net.sockets import Listening
from .screens.look import Fitted
from .screens.screens import Screens
from .site import NetListening, Site

LOOKERS = 2  # who look something up, at a time
NOTHING = Fitted()
NO_GEAR = Gear()


class Doors:
    """To be made before the table starts: they hear every record from there on."""

    def __init__(
        self,
        table: Table,
        journal: Path,
        local: Listening | None,
        net: NetListening | None = None,
        fitted: Fitted = NOTHING,
        gear: Gear = NO_GEAR,
        metrics: Metrics | None = None,
        custody: Custody | None = None,
    ) -> None:
        self._journal, self._feed = journal, Feed(journal, head := table.journal.head.seq)
        self._answered = Answered(read(journal, max(reach(journal), head - KEPT)))
        pages = Pages()
        self._screens = Screens(table, journal, fitted, pages.version)
        self._workshop = Workshop(table, gear, HealthBook(journal, table.house.table))
        self._looking = asyncio.Semaphore(LOOKERS)
        self.viewers = ViewerKey(None if net is None else net.users, seated=bool(table.house.game.seats)).viewers
        self._servers: list[WebServer] = []
        self.site: Site | None = None
        self.lookout = Lookout({} if net is None else net.watched)
        self._watch = Watch(table, self._feed, metrics, self._connections, self.lookout, custody)
        table.subscribe(self._hear)
        if local is not None:
            here = Starlette(routes=self._routes(table, LocalSignOn()), exception_handlers=PROBLEMS)
            self._servers.append(WebServer(here, local.socket))
        if net is not None and net.socket is not None:
            self.site = Site(table.house.table, net)
            app = self.site.app([*self._routes(table, self.site.sign_on), *pages.routes])
            self._servers.append(WebServer(app, net.socket, net.certificate.context if net.certificate else None))

    def _routes(self, table: Table, sign_on: SignOn) -> list[BaseRoute]:
        """What there is behind both doors."""
        behind = (
            Api(table, self._feed, self._answered, sign_on, self.viewers),
            ScreenRoutes(self._screens, sign_on),
            Previews(table, sign_on, self._looking),
            Past(self._journal, sign_on, self._looking),
            DeviceRoutes(self._workshop, sign_on),
            self._watch,
            Labels(self._screens.fitted.language),
        )
        return [route for one in behind for route in one.routes]

    def _connections(self) -> int:
        return sum(server.connections for server in self._servers)

    def _hear(self, _: Table, records: Sequence[Record]) -> None:
        if records:
            self._feed.hear(records)
        for record in records:
            self._answered.hear(record)
        self._screens.hear(records)

    def start(self) -> None:
        """From here on they are open."""
        self.lookout.start()
        for server in self._servers:
            server.start()

    async def stop(self) -> None:
        """End the streams, let what is under way come to its end."""
        self.lookout.stop()
        self._feed.close()
        self._screens.close()
        for server in self._servers:
            await server.stop()
