"""Conditions of a page that a test waits for."""

from playwright.sync_api import Page

from tests.patience import PAUSE, eventually


def wait_until(page: Page, expression: str) -> None:
    """Wait until an expression is true in the page.

    Playwright's `wait_for_function` looks once, then with `eval`, which the content security policy of our pages
    forbids.
    """
    eventually(lambda: page.evaluate(expression) or page.wait_for_timeout(1000 * PAUSE))
