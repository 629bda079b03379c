"""After an act the floor's page says at which table what was done."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import FULL_HD
from tests.browser.fake_floor import ago, alarm, calling_strip, warned_strip
from tests.browser.floor_actions import HERS, many_strips, open_floor
from tests.browser.pictures import PHONE
from tests.repeats import first_of

SHELVED = alarm("T9", shelved=ago(-3600), because="a spare is on its way")
ACTS = [
    (".call .claim", calling_strip("T7"), "T7 · You are coming"),
    (".call .release", calling_strip("T7", claim=HERS), "T7 · Call given back"),
    (".alarm .acknowledge", warned_strip("T9"), "T9 · Alarm acknowledged"),
    (".alarm .unshelve", warned_strip("T9", SHELVED), "T9 · Alarm brought back"),
]


@pytest.mark.parametrize(("button", "table", "said"), first_of(2, ACTS), ids=[said for *_, said in ACTS])
def test_toast_says_what_was_done_and_goes_away(floor, visit, button, table, said):
    page = open_floor(visit, floor(*many_strips(6), table), clock=True)
    if "unshelve" in button:
        page.locator(".watch .fold").last.tap()
    page.locator(f"{button}:visible").tap()
    expect(page.locator(".beneath .note")).to_have_text(said)
    page.clock.run_for(5_000)
    expect(page.locator(".beneath .note")).to_be_hidden()


def test_toast_names_all_tables_that_somebody_was_given(floor, visit):
    page = open_floor(visit, floor(*many_strips(6)), PHONE, "ro")
    page.locator(".tabs button", has_text="Oameni").tap()
    for table in ("T2", "T4"):
        page.locator(".whose .table", has_text=table).tap()
    page.locator(".person", has_text="Bogdan Ilie").tap()
    expect(page.locator(".beneath .note")).to_have_text("T2, T4 · Repartizat către: Bogdan Ilie")


def test_toast_says_that_an_alarm_was_shelved(floor, visit):
    page = open_floor(visit, floor(*many_strips(6), warned_strip("T9")), FULL_HD)
    page.locator(".alarm .shelve").first.tap()
    page.locator("dialog.shelve [name=because]").fill("a spare is on its way")
    page.locator("dialog.shelve .confirm").tap()
    expect(page.locator(".beneath .note")).to_have_text("T9 · Alarm shelved")
