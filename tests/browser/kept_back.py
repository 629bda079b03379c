"""Requests of a page that a test keeps back, to look at the page meanwhile, and answers itself."""

import re

from playwright.sync_api import Page, Route

from tests.patience import PAUSE, eventually


class KeptBack:
    """Requests of `page` to `url`, unanswered: all, or the first so many `times`."""

    def __init__(self, page: Page, url: str | re.Pattern[str], times: int | None = None) -> None:
        self._page, self._routes = page, list[Route]()
        page.route(url, lambda route: self._routes.append(route), times=times)

    def comes(self) -> Route:
        """Wait for one, at work with the browser: its driver tells of requests at no other time."""
        eventually(lambda: self._page.wait_for_timeout(1000 * PAUSE) or self._routes)
        return self._routes.pop(0)
