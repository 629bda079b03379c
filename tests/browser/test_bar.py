"""Bar above the consoles: whoever aims at a tab touches that tab."""

import pytest

from tests.browser.floor_hall import strip
from tests.browser.on_the_floor import comes
from tests.browser.people import is_in, signs_in
from tests.patience import eventually

# Where its buttons lie in each picture in which they are seen.
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
    signs_in(page, "anna")
    is_in(page)
    return page


def signed_in_at_the_floor(hall, visit, floor):
    return comes(visit, floor(strip("T1")), script=PLACES)


@pytest.mark.parametrize("page_of", [signed_in_at_the_table, signed_in_at_the_floor])
def test_no_button_of_the_bar_moves_once_seen(hall, floor, visit, page_of):
    page = page_of(hall, visit, floor)
    eventually(lambda: page.evaluate("pictures > 40"))  # longer than the page takes to look at everything again
    assert page.evaluate("places.size") == 1
