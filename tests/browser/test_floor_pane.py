"""The console beside the strips: as legible in its narrow column as on a page of its own."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import FULL_HD, OLD_PANEL
from tests.browser.floor_hall import calling
from tests.browser.on_the_floor import HERS, comes, console, many

LINES = "title => Math.round(title.getBoundingClientRect().height / parseFloat(getComputedStyle(title).lineHeight))"
NARROW = {"width": 1280, "height": 800}  # the least width that has room for a console beside the strips


@pytest.mark.parametrize(
    ("size", "most"), [(FULL_HD, 1), (NARROW, 1), (OLD_PANEL, 2)], ids=["full-hd", "narrow", "old-panel"]
)
def test_faults_title_keeps_its_lines_while_a_ruling_is_made(floor, visit, size, most):
    main = floor(*many(12))
    page = comes(visit, main, size)
    main.tell(calling("T7"))
    if size is OLD_PANEL:
        page.locator(".call .open").tap()
    console(page).locator(".ruling").first.tap()
    expect(console(page).locator(".rule .confirm")).to_be_visible()
    title = console(page).locator(".fault h2")
    expect(title).to_have_text("One card too many")
    assert title.evaluate(LINES) <= most


def test_digits_stand_only_where_they_are_heard(floor, visit):
    main = floor(*many(12))
    page = comes(visit, main, FULL_HD)
    main.tell(calling("T7"))
    calls, rulings = page.locator(".call kbd").first, console(page).locator("button.ruling kbd").first
    console(page).locator(".spot").first.click()
    expect(rulings).to_be_visible()
    expect(calls).not_to_be_visible()
    page.locator("header h1").click()
    expect(calls).to_be_visible()
    expect(rulings).not_to_be_visible()


def test_whoever_comes_for_a_call_has_its_console(floor, visit):
    main = floor(*many(12), *(calling(f"T{number}", waited=90 - number) for number in (1, 2, 3)))
    page = comes(visit, main, FULL_HD)
    shown = page.locator(".call[data-shown]")
    expect(shown).to_contain_text("T1")
    page.locator(".call", has_text="T3").locator(".claim").tap()
    main.tell(calling("T3", waited=87, claim=HERS))
    expect(shown).to_contain_text("T3")
    main.tell(calling("T1", waited=95))  # which calls on, and takes it from nobody's hands
    expect(shown).to_contain_text("T3")
