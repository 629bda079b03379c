"""Overlay in a browser, which shows a bench table.

The page is the one that a table serves. The test replaces its event stream: so every game can be shown in every state,
at any time of the table, without waiting.
"""

import json
import mimetypes
from functools import cache
from typing import Any

import msgspec
from playwright.sync_api import Page, Route

from controller.config.overlay import IN_A_ROW, OverlaySection
from controller.config.theme import Theme
from controller.core.clock import SECOND, to_text
from controller.text.faults import Words
from controller.web.net.files import FOLDER, page_content
from controller.web.net.theme import theme_files
from controller.web.screens.player import player
from tests.browser.conditions import wait_until
from tests.core.bench import Bench
from tests.web.bench_screens import bench_look

ORIGIN = "http://127.0.0.1:1"
STREAM = """
window.EventSource = class {
  constructor() { window.stream = this; this.readyState = 1; }
  addEventListener(kind, hear) { this[kind] = hear; }
  close() {}
};
window.EventSource.CLOSED = 2;
window.tell = (kind, told) => window.stream[kind]({ data: told });
window.shows = ([told, stale]) => { window.tell("screen", told); if (stale) window.stream.error({}); };
"""
# A browser without a screen denies notifications; "default" means that the page may still ask, as on a screen.
ASKABLE = "Object.defineProperty(Notification, 'permission', { value: 'default' });"
VIDEO = """
radial-gradient(60% 45% at 50% 30%, #d9c7a8 0, #8d7a62 40%, transparent 70%),
  radial-gradient(70% 60% at 50% 78%, #2f7d57 0, #1e5a3e 60%, transparent 72%),
  linear-gradient(100deg, #3b2f2a, #b9a58c 35%, #e9e1d4 52%, #7b6a5a 70%, #2a2420)
"""


def lay_background(page: Page, video: str = VIDEO) -> None:
    """Lay a background with the colours of a video under the page."""
    page.evaluate("video => { document.documentElement.style.background = video }", video.strip())


def _file(name: str, theme: Theme | None, overlay: OverlaySection) -> bytes:
    if name == "overlay":
        return page_content("overlay")
    themed = dict(theme_files(theme, overlay))
    return themed[name] if name in themed else (FOLDER / name).read_bytes()


@cache
def table_after(game: str, script: str) -> Bench:
    """Return a bench table after this script; its dealer confirms results."""
    table = Bench(game, confirm="dealer", carry=True)
    table.says(script)
    return table


class OverlayPage:
    """Browser page that shows the overlay, with a stream that the test controls."""

    def __init__(
        self, page: Page, query: str = "", theme: Theme | None = None, overlay: OverlaySection = IN_A_ROW
    ) -> None:
        self.page, self._theme, self._overlay = page, theme, overlay
        page.add_init_script(STREAM)
        page.route(f"{ORIGIN}/**", self._answer)
        page.goto(f"{ORIGIN}/overlay{query}")
        wait_until(page, "window.stream !== undefined")

    def _answer(self, route: Route) -> None:
        name = route.request.url.removeprefix(ORIGIN).partition("?")[0].rpartition("/")[2]
        route.fulfill(
            body=_file(name, self._theme, self._overlay), content_type=mimetypes.guess_type(name)[0] or "text/html"
        )

    def show(self, table: Bench, language: str = "en", after: float = 0, version: str = "") -> None:
        """Show the table as players see it, `after` seconds after its last record, on pages of this version."""
        self.page.evaluate("picture => window.shows(picture)", self.picture(table, language, after, version))

    def picture(self, table: Bench, language: str = "en", after: float = 0, version: str = "") -> tuple[str, bool]:
        """Return the table's screen as JSON, and False: the page must not show it as stale."""
        shown = player(bench_look(table), Words(language))
        return _at(table, after, {"version": version, "lang": language, "screen": msgspec.to_builtins(shown)}), False

    def wait(self, table: Bench, after: float) -> None:
        """Send the time `after` seconds after the last record, without a change of the screen."""
        self.page.evaluate("told => window.tell('beat', told)", _at(table, after, {}))


def _at(table: Bench, after: float, message: dict[str, Any]) -> str:
    """Return a message as JSON, with the time `after` seconds after the last record."""
    return json.dumps({**message, "now": to_text(table.now + round(after * SECOND))})
