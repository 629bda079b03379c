"""The tests' browser is started again after a time limit has broken its driver's connection."""

import pytest
from playwright.sync_api import Error, Page

from tests.browser.conftest import RestartedBrowser


class Struck(BaseException):
    """Raised by a test's time limit; not an `Exception`, which playwright would catch."""


def strike(*_told: object) -> None:
    raise Struck


def end_connection(page: Page) -> None:
    page.on("console", strike)
    with pytest.raises(Error, match="closed"):
        page.evaluate("console.log('read')")


def test_browser_that_no_longer_answers_is_started_anew():
    driven = RestartedBrowser()
    try:
        with driven.running() as first:
            end_connection(first.new_page())
        with driven.running() as second:
            assert second.new_page().evaluate("1 + 1") == 2
    finally:
        driven.stop()
