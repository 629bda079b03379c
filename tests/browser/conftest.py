"""Fixtures of browser tests: Debian's chromium driven by playwright, tables, floors and pages.

In every test, a page that logs an error or sends a request to another host fails the test.
"""

import asyncio
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect, sync_playwright

from controller.config.overlay import IN_A_ROW
from tests import patience
from tests.browser.overlay_page import ASKABLE, OverlayPage
from tests.browser.table_process import TableProcess

# Draws the same as chromium on a screen, for a third of the processor time a page.
CHROMIUM = shutil.which("chromium-headless-shell") or "/usr/bin/chromium-headless-shell"
ARGS = [
    "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--font-render-hinting=slight",  # as on a screen; otherwise the widths of letters are rounded
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]  # fmt: skip
FULL_HD = {"width": 1920, "height": 1080}
OLD_PANEL = {"width": 1024, "height": 768}
PATIENCE = 1000 * patience.PATIENCE  # playwright counts milliseconds
FITS = "(e => e.scrollWidth <= innerWidth && e.scrollHeight <= innerHeight)(document.documentElement)"

expect.set_options(timeout=PATIENCE)


class RestartedBrowser:
    """Browser and its playwright driver, started again if their connection has ended.

    A test's time limit may strike while a message between them is read, which ends the connection.
    """

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        self._manager = sync_playwright()
        self._playwright = self._manager.start()
        self._browser = self._playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        self._loop = asyncio.get_running_loop()

    @contextmanager
    def running(self) -> Iterator[Browser]:
        """Yield the browser, or a new one if it no longer answers; only inside is its event loop running."""
        asyncio._set_running_loop(self._loop)
        try:
            self._browser.new_browser_cdp_session().detach()
        except Error:
            self.stop()
            self._start()
        try:
            yield self._browser
        finally:
            asyncio._set_running_loop(None)

    def stop(self) -> None:
        """End browser and driver. Playwright itself leaves a driver without a connection running."""
        asyncio._set_running_loop(self._loop)
        client = self._manager._client
        if client._close_promise.done():
            self._manager._dispatcher_fiber.switch()  # ends the fiber
            asyncio._set_running_loop(None)
            client._transport.request_stop()
            self._loop.run_until_complete(client._transport._proc.communicate())
        self._playwright.stop()


@pytest.fixture(scope="session")
def driven() -> Iterator[RestartedBrowser]:
    """Browser for all tests of this process, with its driver."""
    one = RestartedBrowser()
    asyncio._set_running_loop(None)
    yield one
    one.stop()


@pytest.fixture
def browser(driven: RestartedBrowser) -> Iterator[Browser]:
    """Browser for one test. Its event loop runs only within the test, so that others can run theirs."""
    with driven.running() as found:
        yield found


class Visit:
    """One person's browser, with the errors and foreign requests of its page.

    `may_fail`: True while requests may be refused or cut.
    """

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self.context, self.page = context, page
        self.complaints: list[str] = []
        self.strangers: list[str] = []
        self.may_fail = False
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._request)

    def _console(self, message: Any) -> None:
        failed = message.text.startswith("Failed to load resource")
        if message.type in ("error", "warning") and not (failed and self.may_fail):
            self.complaints.append(message.text)

    def _request(self, request: Any) -> None:
        if not request.url.startswith(("http://127.0.0.1:", "data:")):
            self.strangers.append(request.url)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Callable[..., TableProcess]]:
    """Start a running table with the arguments of `TableProcess`; it ends after the pages are closed."""
    with ExitStack() as stack:
        yield lambda *what, **how: stack.enter_context(TableProcess(tmp_path, *what, **how))


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Start a floor with the arguments of `FakeFloor`; it ends after the pages are closed."""
    from tests.browser.fake_floor import FakeFloor  # imports the sizes above

    with ExitStack() as stack:
        yield lambda *strips, **how: stack.enter_context(FakeFloor(tmp_path, *strips, **how))


@pytest.fixture
def visit(browser: Browser, hall: object) -> Iterator[Callable[..., Visit]]:
    visits: list[Visit] = []

    def go(url: str, size: dict[str, int] = FULL_HD, **how: Any) -> Visit:
        """Open a page in a browser context of its own."""
        context = browser.new_context(viewport=size, has_touch=True, reduced_motion="reduce", **how)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(ASKABLE)
        one = Visit(context, context.new_page())
        visits.append(one)
        one.page.goto(url)
        return one

    yield go
    for one in visits:
        one.context.close()
    assert [one.complaints for one in visits if one.complaints] == []
    assert [one.strangers for one in visits if one.strangers] == []


@pytest.fixture
def stage(browser: Browser) -> Iterator[Callable[..., OverlayPage]]:
    """Open the overlay on a page of this size."""
    contexts = []

    def at(size=FULL_HD, query="", motion="reduce", theme=None, overlay=IN_A_ROW) -> OverlayPage:
        contexts.append(browser.new_context(viewport=size, reduced_motion=motion))
        return OverlayPage(contexts[-1].new_page(), query, theme, overlay)

    yield at
    for context in contexts:
        context.close()
