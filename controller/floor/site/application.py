"""Web access to a floor: sign-in and all routes."""

import time
from collections.abc import Callable, Sequence

from starlette.routing import BaseRoute

from ...core.coded_message import CodedMessage
from ...web.access.attempts import Attempts
from ...web.access.credential_checker import CredentialChecker
from ...web.access.persons import Persons
from ...web.access.users import UsersFile
from ...web.access.wrong_pins import WrongPins
from ...web.api.labels import Labels
from ...web.net.admission import LIMITS, Admission, PlaceLimit
from ...web.net.files import Pages
from ...web.net.latency import Latency
from ...web.net.listening import NetListening
from ...web.net.lookout import Lookout
from ...web.net.server import WebServer
from ...web.site import Site
from ..consoles.gateway import Gateway
from ..consoles.screens import Consoles
from .acts import Acts
from .components import FloorComponents
from .hand_over import HandOvers
from .history_routes import HistoryRoutes
from .monitoring import FloorMonitoring
from .page_routes import FloorRoutes
from .page_settings import PAGES, SITE_SETTINGS

FEW = PlaceLimit(4, 4)  # places for callers that have nothing to do at a floor
PLACES = {
    **LIMITS,
    "manager": PlaceLimit(160, 32),
    "server": FEW,
    "dealer": FEW,
    "local": FEW,
}  # together fewer places than CONNECTIONS


class FloorDoors:
    """Web server of one floor on one address. `troubles`: returns the defects to display."""

    def __init__(
        self, components: FloorComponents, net: NetListening, troubles: Callable[[], Sequence[CodedMessage | str]]
    ) -> None:
        config, self._components = components.config, components
        name = config.floor.name
        persons = Persons(UsersFile(net.users), components.people)
        attempts = Attempts(time.monotonic, WrongPins(net.users, time.time))
        self.checker = CredentialChecker(name, components.notes.hear, persons, attempts)
        self.site = Site(f"floor {name}", net, self.checker, SITE_SETTINGS)
        self.lookout, self.admission = Lookout({**net.watched, "sign_in": attempts.persons}), Admission(PLACES)
        pages = Pages(net.theme, PAGES)
        about = {"version": pages.version, "zone": config.shifts.zone}
        self.consoles = Consoles(components.line, components.table_client, config.bus.studio, about)
        self.floor = FloorRoutes(components.live_tables, pages.version, config.web.language, config.shifts.zone)
        self.watch = FloorMonitoring(components, self.admission, troubles)
        app = self.site.app(self._routes(pages), self.admission)
        assert net.socket is not None  # noqa: S101 - the config has a place to listen at
        encrypted = None if net.certificate is None else net.certificate.context
        self._server = WebServer(Latency(name).wrap(app), net.socket, encrypted)

    def _routes(self, pages: Pages) -> list[BaseRoute]:
        """Routes of the floor; those of the tables come last, as they match any path below a table."""
        components = self._components
        acts, table_client, clock = Acts(components), components.table_client, components.clock.now
        name, language = components.config.floor.name, components.config.web.language
        handing = HandOvers(
            name,
            components.live_tables,
            components.history,
            self.checker,
            components.record.read,
            components.notes,
            clock,
        )
        history = HistoryRoutes(name, components.history, handing, table_client, clock, language)
        acts.hand_over = handing
        labels = Labels(language)
        gateway = Gateway(
            table_client, self.consoles, components.live_tables.owner, components.shared, components.notes, self.checker
        )
        return [
            *self.floor.routes,
            *acts.routes,
            *history.routes,
            *self.watch.routes,
            *pages.routes,
            *labels.routes,
            *gateway.routes(pages, self.site.front, labels),
        ]

    def start(self) -> None:
        """Start to accept connections."""
        self.lookout.start()
        self._server.start()

    async def stop(self) -> None:
        """End the streams and wait for requests under way."""
        self.lookout.stop()
        self.checker.stop()
        self.consoles.close()
        self.floor.close()
        await self._server.stop()
