"""Keys of the shift manager's page: a digit touches its own button, Enter only a visible one."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.browser.consoles import ConsolePage
from tests.browser.states import SIZES
from tests.browser.test_every_state import console, views

pytestmark = pytest.mark.proof

__all__ = ["console"]

WATCH = """() => {
    window.touched = [];
    window.onTouch = (event) => {
        event.stopImmediatePropagation();
        event.preventDefault();
        window.touched.push(event.target.closest("button"));
    };
    addEventListener("click", window.onTouch, true);
}"""
UNWATCH = "() => removeEventListener('click', window.onTouch, true)"
TOUCHED = """(digit) => {
    const of = (button) => button.innerText.replace(/\\s+/g, " ").trim();
    const shown = [...document.querySelectorAll("kbd")]
        .filter((key) => key.innerText === digit && key.checkVisibility() && key.closest("button"))
        .map((key) => key.closest("button"))
        .filter((button) => !button.disabled);
    return { shown: shown.map(of), touched: window.touched.splice(0).map(of) };
}"""
UNSEEN = """() => window.touched.splice(0).filter((button) => {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    return !button.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
}).map((button) => button.innerText)"""


def wrong_keys(page: Page) -> Iterator[str]:
    """Yield each digit that touches another button than its own, and what Enter touches out of sight."""
    page.evaluate(WATCH)
    for digit in "123456789":
        page.keyboard.press(digit)
        found = page.evaluate(TOUCHED, digit)
        if found["shown"] != found["touched"]:
            yield f"{digit} stands at {found['shown']} and touches {found['touched']}"
    page.keyboard.press("Enter")
    yield from (f"Enter touches {one}, which is out of sight" for one in page.evaluate(UNSEEN))
    page.evaluate(UNWATCH)


@pytest.mark.parametrize("size", ["old-panel", "full-hd"])
def test_a_digit_touches_the_visible_button_that_shows_it(console, size):
    on: ConsolePage = console("manager", "en")
    on.page.set_viewport_size(SIZES[size])
    view_names = (view for view in views(on, "baccarat") if view != "keys")  # the sheet of keys covers all buttons
    wrong = {view: found for view in view_names if (found := list(wrong_keys(on.page)))}
    assert wrong == {}
