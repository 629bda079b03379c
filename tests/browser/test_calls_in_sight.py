"""Each open call on a floor's page can be seen and touched, or is counted as out of sight."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import FULL_HD
from tests.browser.fake_floor import calling_strip, warned_strip
from tests.browser.floor_actions import console, leave_console, many_strips, open_floor
from tests.browser.pictures import PHONE
from tests.patience import eventually

pytestmark = pytest.mark.proof

SMALL = {"width": 1024, "height": 768}
LAPTOP = {"width": 1366, "height": 768}

# True for each call with 99 % of its height in its scrolling box and with all its buttons reachable.
IN_SIGHT = """items => items.map(item => {
  const frame = item.getBoundingClientRect();
  const reached = [...item.querySelectorAll("button")].filter(one => one.checkVisibility()).every(one => {
    const { left, top, width, height } = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
  const box = item.closest(".strips");
  const clips = getComputedStyle(box).overflowY !== "visible";
  const header = document.querySelector("header").getBoundingClientRect();
  const { top, bottom } = clips ? box.getBoundingClientRect() : { top: header.bottom, bottom: innerHeight };
  const cut = Math.max(top - frame.top, frame.bottom - bottom, 0);
  return reached && cut <= frame.height / 100;
})"""


def in_sight(page: Page) -> list[bool]:
    return page.locator(".call").evaluate_all(IN_SIGHT)


def counted(page: Page) -> int:
    """Return the number of calls that the page counts as out of sight."""
    more = page.locator(".calls .more")
    return int(re.match(r"(\d+) more call", more.inner_text()).group(1)) if more.is_visible() else 0


def is_true_to_count(page: Page, calls: int) -> None:
    """Wait until every call is in sight or counted, which may follow a change of size."""

    def is_true() -> bool:
        leaves_console(page, calls)
        flags = in_sight(page)
        return len(flags) == calls and flags.count(False) == counted(page)

    eventually(is_true)


def leaves_console(page: Page, calls: int) -> None:
    """Go back to the strips if the console covers them; check the number of calls in its bar."""
    bar = page.locator(".pane .bar")
    if bar.is_visible():
        expect(bar).to_contain_text(f": {calls}")
        bar.locator(".back").tap()
        expect(bar).to_be_hidden()


def crowded(floor, tables: int, calls: int):
    """Start a floor with this many tables, this many open calls among them, and three alarms."""
    called = [calling_strip(f"T{n}", waited=n) for n in range(1, calls + 1)]
    rest = [one for one in many_strips(tables) if int(one.table[1:]) > calls]
    alarms = [warned_strip(one.table) for one in rest[:3]]
    return floor(*called, *alarms, *rest[3:])


@pytest.mark.parametrize(
    ("tables", "calls"),
    [(12, 12), *(pytest.param(*row, marks=pytest.mark.proof) for row in ((5, 5), (40, 5), (40, 12), (200, 40)))],
)
def test_each_open_call_is_in_sight_or_counted(floor, visit, tables, calls):
    page = open_floor(visit, crowded(floor, tables, calls))
    for size in (FULL_HD, LAPTOP, SMALL, PHONE, FULL_HD):
        page.set_viewport_size(size)
        is_true_to_count(page, calls)
        assert any(in_sight(page)), size
        page.locator(".call").last.evaluate("call => call.scrollIntoView({block: 'center'})")
        is_true_to_count(page, calls)
    page.locator(".wall").click()
    is_true_to_count(page, calls)


def test_touches_of_the_count_bring_every_call_into_sight(floor, visit):
    page = open_floor(visit, crowded(floor, 40, 20), PHONE)
    indexes = set()
    for _ in range(20):
        is_true_to_count(page, 20)
        indexes |= {index for index, is_seen in enumerate(in_sight(page)) if is_seen}
        if len(indexes) == 20:
            break
        page.locator(".calls .more").tap()
    assert len(indexes) == 20


def test_calls_take_their_height_before_alarms(floor, visit):
    page = open_floor(visit, crowded(floor, 40, 7))
    expect(page.locator(".calls .more")).to_be_hidden()
    assert all(in_sight(page))


def test_each_of_nine_calls_shows_the_digit_that_opens_it(floor, visit):
    page = open_floor(visit, crowded(floor, 40, 12))
    assert page.locator(".call kbd").all_text_contents() == [*"123456789", "", "", ""]
    table = page.locator(".call").nth(3).locator(".table").inner_text()
    expect(console(page).locator(".ruling").first).to_be_visible()
    leave_console(page)
    page.keyboard.press("4")
    expect(page.locator(".call[data-shown] .table")).to_have_text(table)
