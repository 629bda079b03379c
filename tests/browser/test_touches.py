"""Number of touches of a ruling on the shift manager's page, at every fault of the catalogue.

A ruling takes three touches (ruling, reason, confirm), and the digits of the PIN if the sign-in has lapsed.
"""

from collections.abc import Iterator
from contextlib import closing

import msgspec
import pytest
from playwright.sync_api import Route

from controller.core.fault_catalogue import CATALOGUE
from controller.core.fault_matrix import matrix
from controller.games import GAMES
from controller.text.faults import Words
from controller.web.api.command_events import as_event
from controller.web.api.commands import Command
from controller.web.screens.manager import manager
from tests.browser.conditions import wait_until
from tests.browser.conftest import FULL_HD
from tests.browser.consoles import ANNA, SESSIONS, ConsolePage
from tests.browser.overlay_page import ORIGIN
from tests.browser.people import confirm_ruling, type_pin
from tests.browser.states import PageState
from tests.browser.table_process import PINS
from tests.core.bench import Bench
from tests.core.test_catalogue import RAISE
from tests.web.bench_screens import bench_look

FAMILIES = {row.code: row.game for row in reversed(list(matrix(GAMES)))}  # each fault's code with one of its games
COUNTED = """() => {
  if (!("touches" in globalThis)) {
    addEventListener("keydown", () => { touches += 1; }, true);
    // a touch that the page moved away under has no click, and is made again
    addEventListener("click", ({ detail }) => { touches += detail > 0; }, true);
  }
  globalThis.touches = 0;
}"""


class CommandedPage:
    """Shift manager's page at a bench table that carries out commands. `lapsed`: the sign-in has lapsed."""

    def __init__(self, console: ConsolePage, *, lapsed: bool) -> None:
        self.console, self.page, self.lapsed = console, console.page, lapsed
        self.table = Bench()
        self.page.route(f"{ORIGIN}/session*", self._session)
        self.page.route(f"{ORIGIN}/api/commands*", self._command)

    def stands(self, table: Bench) -> None:
        """Show this table on the page and count touches from now on."""
        self.table = table
        if self.lapsed:  # the last PIN has renewed the sign-in
            self.page.reload()
            wait_until(self.page, "window.stream !== undefined")
        self.console.stands(PageState(table, 9))
        self.page.evaluate(COUNTED)

    def rules(self, ruling: str) -> int:
        """Make a ruling by touches; return their number without the digits of the PIN."""
        self.page.locator(f".ruling[data-ruling={ruling}]").tap()
        digits = type_pin(self.page, ".rule") if self.lapsed else 0
        with self.page.expect_response("**/api/commands*"):
            confirm_ruling(self.page)
        assert [what.ruling for what in self.table.facts("ruled")] == [ruling]
        return int(self.page.evaluate("touches")) - digits

    def _session(self, route: Route) -> None:
        who, comes = SESSIONS["manager"], route.request.method == "POST"
        if comes:
            assert route.request.post_data_json == {"name": who["name"], "pin": PINS[who["name"]]}
        route.fulfill(json={"table": "table", "csrf": "word", **who, "lapsed": self.lapsed and not comes})

    def _command(self, route: Route) -> None:
        command = msgspec.convert(route.request.post_data_json, Command)
        self.table.do(as_event(ANNA, command, self.table.state))
        route.fulfill(json={"verdicts": [{"verdict": "done"}]})


@pytest.fixture(params=[False, True], ids=["signed in", "lapsed"])
def desk(browser, tmp_path, request) -> Iterator[CommandedPage]:
    with closing(browser.new_context(viewport=FULL_HD, has_touch=True, reduced_motion="reduce")) as context:
        yield CommandedPage(ConsolePage(context.new_page(), "manager", "en", tmp_path), lapsed=request.param)


def ready(table: Bench) -> str:
    """Return the first offered ruling that needs no further choice."""
    offered = manager(bench_look(table), Words("en")).fault.rulings
    return next(one.ruling for one in offered if all(getattr(one, need, None) is not None for need in one.needs))


@pytest.mark.proof
def test_every_catalogue_fault_takes_three_touches_besides_the_pin(desk):
    costs = {}
    for code, game in FAMILIES.items():
        desk.stands(RAISE[code](game))
        costs[code] = desk.rules(ready(desk.table))
    assert costs == dict.fromkeys(CATALOGUE, 3)
