"""On the floor's page all fields of a strip are visible, and a console opened by hand stays."""

from contextlib import suppress

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import FITS
from tests.browser.fake_floor import calling_strip, strip
from tests.browser.floor_actions import FRAME, many_strips, open_floor
from tests.patience import NeverHappened, eventually


@pytest.mark.proof
def test_manually_opened_table_is_not_replaced_by_a_calling_one(floor, visit):
    main = floor(*many_strips(12), calling_strip("T7"))
    page = open_floor(visit, main, clock=True)
    expect(page.locator(FRAME)).to_have_attribute("title", "T7")
    page.locator(".cell").nth(2).tap()
    expect(page.locator(FRAME)).to_have_attribute("title", "T3")
    page.clock.run_for(2_500)  # the page looks each second for a call to show
    expect(page.locator("iframe")).to_have_count(1)  # no other is loading
    expect(page.locator(FRAME)).to_have_attribute("title", "T3")


@pytest.mark.proof
@pytest.mark.parametrize(("tables", "wall"), [(12, False), (60, True)])
def test_all_fields_of_a_strip_are_seen(floor, visit, tables, wall):
    owned = [strip(f"T{number}", owner="Maria Dinu", misreads=2) for number in range(1, tables + 1)]
    page = open_floor(visit, floor(*owned))
    if wall:
        page.locator(".wall").tap()
    cut = """() => [...document.querySelectorAll(".cell > *")].filter((one) => {
      const [part, cell] = [one.getBoundingClientRect(), one.parentNode.getBoundingClientRect()];
      const isCut = !one.matches(".next, .life") && one.scrollWidth > one.clientWidth + 1;
      return part.width < 15 || part.top < cell.top || part.bottom > cell.bottom || isCut;
    }).map((one) => one.className + one.textContent)"""
    expect(page.locator(".cell")).to_have_count(tables)
    with suppress(NeverHappened):
        eventually(lambda: page.evaluate(cut) == [])  # once the wall is laid out
    assert page.evaluate(cut) == []
    title = page.locator(".cell").first.get_attribute("title")  # has the text of fields that may be cut
    assert title.startswith("Bets are open · NO MORE BETS when the time is up · "), title
    assert page.evaluate(FITS)
