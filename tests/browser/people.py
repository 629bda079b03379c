"""Actions of people on the pages: sign in, look at a ruling, confirm it."""

import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.table_process import PINS, TableProcess


def sign_in(page: Page, name: str, pin: str | None = None) -> None:
    """Sign in by name, with the PIN on the large keys."""
    page.get_by_label("Badge number or name").fill(name)
    for digit in pin or PINS[name]:
        page.locator(".pad").get_by_role("button", name=digit, exact=True).tap()
    page.locator(".gate .go").tap()


def open_manager_page(
    visit: Callable[..., Any], table: TableProcess, name: str = "anna", script: str = "", **how: Any
) -> Any:
    """Open the shift manager's page in a browser with a stored sign-in.

    `script`: runs before the page's own.
    """
    look = visit("about:blank", **how)
    store_sign_in(look.context, table.url, name)
    if script:
        look.page.add_init_script(script)
    look.page.goto(table.page("manager"))
    expect(look.page.locator(".me .name")).to_have_text(name)
    expect_signed_in(look.page)
    return look


def store_sign_in(context: BrowserContext, url: str, name: str = "anna") -> None:
    """Sign in by the API, for tests that are not about the gate; that is faster than by the page."""
    signed = context.request.post(f"{url}/session", data={"name": name, "pin": PINS[name]})
    assert signed.ok, signed.text()


def type_pin(page: Page, within: str, pin: str = PINS["anna"]) -> int:
    """Type a PIN on the large keys; return the number of touches."""
    for digit in pin:
        page.locator(f"{within} .pad").get_by_role("button", name=digit, exact=True).tap()
    return len(pin)


def expect_signed_in(page: Page) -> None:
    expect(page.locator(".gate")).to_be_hidden()


def ruling_button(page: Page, name: str) -> Locator:
    return page.locator(".rulings").get_by_role("button", name=re.compile(rf"^(\w+: )?{name}", re.IGNORECASE))


def give_reason(page: Any) -> None:
    """Touch the first offered reason, unless it is chosen. `page`: a page or the frame of a console."""
    first = page.locator(".rule .why .choice").first
    if first.get_attribute("aria-pressed") != "true":
        first.tap()


def preview_ruling(page: Page, name: str) -> Locator:
    """Touch a ruling and its first reason; return the text of its effect."""
    ruling_button(page, name).tap()
    give_reason(page)
    expect(page.locator(".rule .confirm")).to_be_enabled()
    return page.locator(".rule .leads .says")


def confirm_ruling(page: Page) -> None:
    """Give a reason and touch the button that confirms the ruling."""
    give_reason(page)
    page.locator(".rule .confirm").tap()


def expect_life(page: Page, life: str) -> None:
    expect(page.locator("body")).to_have_attribute("data-life", life)
