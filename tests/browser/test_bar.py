"""Buttons of the bar never move once they are visible, so that a touch hits the tab it aims at."""

import pytest

from tests.browser.fake_floor import strip
from tests.browser.floor_actions import open_floor
from tests.browser.people import expect_signed_in, sign_in
from tests.patience import eventually

# Collects the places of the bar's buttons in each frame in which the tabs are visible.
PLACES = """window.places = new Set(); window.pictures = 0; const look = () => {
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true });
  const buttons = [...document.querySelectorAll("header button")].filter(isSeen);
  const tabs = buttons.filter((one) => one.matches(".tabs *"));
  if (tabs.length > 0) {
    places.add(JSON.stringify(buttons.map((one) => Math.round(one.getBoundingClientRect().x))));
    pictures += 1;
  }
  requestAnimationFrame(look);
}; requestAnimationFrame(look);"""  # fmt: skip


def signed_in_at_the_table(hall, visit, floor):
    page = visit("about:blank").page
    page.add_init_script(PLACES)
    page.goto(f"{hall().url}/manager")
    sign_in(page, "anna")
    expect_signed_in(page)
    return page


def signed_in_at_the_floor(hall, visit, floor):
    return open_floor(visit, floor(strip("T1")), script=PLACES)


@pytest.mark.proof
@pytest.mark.parametrize("page_of", [signed_in_at_the_table, signed_in_at_the_floor])
def test_no_button_of_the_bar_moves_once_seen(hall, floor, visit, page_of):
    page = page_of(hall, visit, floor)
    eventually(lambda: page.evaluate("pictures > 40"))  # longer than the page needs to lay out everything again
    assert page.evaluate("places.size") == 1
