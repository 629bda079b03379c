"""The floor's wall shows any number of tables, legible from the other end of a hall."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import FITS
from tests.browser.fake_floor import calling_strip, warned_strip
from tests.browser.floor_actions import many_strips, open_floor
from tests.patience import eventually

pytestmark = pytest.mark.proof

LEAST = 0.025  # letters of a calling cell, as a share of the picture's height
FILLED = 0.96  # end of the last row, as a share of the picture's height
CALLING = """(cells) => cells.map((cell) => {
  const isWithin = (one, { bottom }) =>
    one.getBoundingClientRect().bottom <= bottom + 1 && one.scrollWidth <= one.clientWidth + 1;
  const frame = cell.getBoundingClientRect();
  const seen = [...cell.children].filter((one) => one.checkVisibility());
  const [red, green, blue] = getComputedStyle(cell).backgroundColor.match(/\\d+/g).map(Number);
  return {
    table: cell.querySelector(".table").textContent,
    fields: seen.filter((one) => one.textContent).map((one) => one.classList[0]).sort(),
    letters: Math.min(...seen.map((one) => parseFloat(getComputedStyle(one).fontSize))) / innerHeight,
    isRed: red > 120 && red > 4 * Math.max(green, blue),
    isWhole: frame.bottom <= innerHeight && seen.every((one) => isWithin(one, frame)),
  };
})"""
END = """Math.max(...[...document.querySelectorAll(".cell")].map((one) => one.getBoundingClientRect().bottom))
  / innerHeight"""


def wall(visit, floor, tables: int, calls: int) -> Page:
    """Open the wall of a floor with this many tables, this many calls among them, and one warning."""
    names = [f"T{number * 7 % tables + 1}" for number in range(1, calls + 1)]
    called = [calling_strip(name, waited=30 * number, level=number) for number, name in enumerate(names, 1)]
    rest = [one for one in many_strips(tables) if one.table not in names]
    page = open_floor(visit, floor(*called, warned_strip(rest[0].table), *rest[1:]))
    page.locator(".wall").tap()
    expect(page.locator(".cell")).to_have_count(tables)
    return page


def shown_call_cells(page: Page) -> list[dict[str, object]]:
    return page.locator(".cell[data-bay=calls]").evaluate_all(CALLING)


def is_filled(page: Page) -> bool:
    return FILLED <= page.evaluate(END) <= 1


@pytest.mark.parametrize(
    ("tables", "calls"),
    [(12, 2), (200, 5), *(pytest.param(*row, marks=pytest.mark.proof) for row in ((12, 11), (40, 5), (60, 12)))],
)
def test_a_calling_cell_is_red_with_table_fault_and_time(floor, visit, tables, calls):
    page = wall(visit, floor, tables, calls)
    eventually(lambda: is_filled(page))
    assert page.evaluate(FITS)
    cells = shown_call_cells(page)
    assert len(cells) == calls
    wrong = [
        one
        for one in cells
        if not (one["isRed"] and one["isWhole"] and one["letters"] >= LEAST)
        or one["fields"] != ["next", "table", "timer"]
    ]
    assert wrong == []


def test_in_a_flood_every_calling_table_is_still_named(floor, visit):
    page = wall(visit, floor, 200, 40)
    eventually(lambda: is_filled(page))
    assert all(one["isRed"] and one["isWhole"] and "table" in one["fields"] for one in shown_call_cells(page))


def test_calls_have_three_priorities_and_bays_true_counts(floor, visit):
    page = wall(visit, floor, 12, 11)
    levels = page.locator(".call .level").all_text_contents()
    assert {*levels} == {"Priority 1", "Priority 2", ""}
    assert (levels.count("Priority 2"), levels.count("")) == (1, 1)  # one called again, one new
    counts = page.locator(":is(.playing, .resting) h2 b").all_text_contents()
    assert sum(map(int, counts)) == 12
    assert int(counts[0]) == page.locator(".playing .cell").count() > 0


# While `window.hold` is true nothing is painted: what waits for a frame, or 100 ms instead of one, goes on waiting.
HOLD = """(() => {
  const [frame, later] = [requestAnimationFrame, setTimeout];
  window.held = [];
  window.requestAnimationFrame = (act) => (window.hold ? window.held.push(act) : frame(act));
  window.setTimeout = (act, ms) => (window.hold && ms === 100 ? window.held.push(act) : later(act, ms));
  window.paints = (hold) => { window.hold = hold; window.held.splice(0).forEach((act) => act()); };
})();"""


def test_a_call_still_unpainted_opens_no_console_over_the_wall(floor, visit):
    main = floor(*many_strips(12))
    page = open_floor(visit, main, script=HOLD)
    page.evaluate("window.hold = true")
    main.tell(calling_strip("T7"))
    eventually(lambda: page.evaluate("window.held.length") >= 2)
    page.evaluate("window.paints(true)")  # the call is painted, its console has not begun to load
    page.locator(".wall").evaluate("(button) => button.click()")
    page.evaluate("window.paints(false)")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.locator("body[data-wall]").count() == 1
    assert page.locator(".pane iframe").count() == 0
