"""Hold a page's requests, so that a test can look at the page meanwhile and answer them itself."""

import re

from playwright.sync_api import Page, Route

from tests.patience import PAUSE, eventually


class HeldRequests:
    """Requests of `page` to `url` that are held unanswered: all, or the first `times` of them."""

    def __init__(self, page: Page, url: str | re.Pattern[str], times: int | None = None) -> None:
        self._page, self._routes = page, list[Route]()
        page.route(url, lambda route: self._routes.append(route), times=times)

    def comes(self) -> Route:
        """Wait for a held request; return its route. The driver reports requests only while it is in use."""
        eventually(lambda: self._page.wait_for_timeout(1000 * PAUSE) or self._routes)
        return self._routes.pop(0)
