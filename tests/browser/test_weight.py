"""Pages of a table are smaller than 150 kB, and their layout does not shift when a card is dealt."""

import re

import pytest
from playwright.sync_api import Page, expect

from controller.web.net.files import FOLDER
from tests.browser.people import expect_life, expect_signed_in, sign_in
from tests.browser.table_process import DEALT

pytestmark = pytest.mark.proof

LARGEST = 150_000  # bytes of a page with all its files
PAGES = ("dealer", "overlay", "manager")
ENTRIES = """["navigation", "resource"].flatMap(kind => performance.getEntriesByType(kind))
    .map(one => [new URL(one.name).pathname, one.decodedBodySize])"""
# Sums up layout shifts from now on, after what has arrived is painted: shifts of the first picture do not count.
SHIFTS = """new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
  window.shifted = 0;
  new PerformanceObserver(list => { for (const one of list.getEntries()) window.shifted += one.value })
    .observe({type: "layout-shift"});
  done();
})))"""


def weigh(page: Page) -> int:
    """Return the bytes that the page has loaded, without the API's answers."""
    return sum(size for path, size in page.evaluate(ENTRIES) if not path.startswith(("/api/", "/session")))


def test_pages_stay_under_150_kilobytes_and_do_not_shift_layout(hall, visit):
    table = hall(cards=DEALT)
    pages = {name: visit(table.page(name)).page for name in PAGES}
    for page in pages.values():
        expect(page.locator("body")).to_be_visible()
        page.wait_for_load_state("load")
    weights = {name: weigh(page) for name, page in pages.items()}
    assert {name: weight for name, weight in weights.items() if not 10_000 < weight < LARGEST} == {}
    sign_in(pages["manager"], "anna")
    expect_signed_in(pages["manager"])
    table.say("open")
    table.say("close")
    for page in pages.values():
        expect_life(page, "dealing")
        page.evaluate(SHIFTS)
    table.draw(*DEALT)
    for name, page in pages.items():
        expect_life(page, "complete")
        expect(page.locator("[data-place] [role=img]")).to_have_count(4)
        allowed = 0.01 if name == "manager" else 0  # the list of events on this page grows
        assert page.evaluate("window.shifted") <= allowed, name


def test_animations_change_only_properties_without_new_layout():
    """Animating any other property would make the browser lay out the page again in every frame."""
    style = "\n".join(path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.css")))
    frames = re.findall(r"@keyframes [\w-]+ \{((?:[^{}]*\{[^{}]*\})+) *\}", style)
    assert len(frames) == style.count("@keyframes") >= 5
    moved = {name for frame in frames for name in re.findall(r"([\w-]+):", frame)}
    assert moved <= {"transform", "opacity"}
    eased = {one.split()[0] for value in re.findall(r"transition: ([^;}]+)", style) for one in value.split(", ")}
    assert eased <= {"transform", "opacity", "visibility", "stroke", "stroke-dashoffset", "none"}
