"""People without the right to rule see the possible rulings and who rules, but have no key for it."""

import pytest
from playwright.sync_api import expect

from tests.browser.floor_actions import FRAME, console, sign_in_at_floor
from tests.browser.people import expect_signed_in, give_reason
from tests.browser.test_floor_at_work import at_work
from tests.floor.service import AUDITOR, ENGINEER, MANAGER, SUPERVISOR, paused
from tests.patience import until
from tests.web.staff import PINS, registry_content

pytestmark = pytest.mark.proof
RULES = "A shift manager rules."
NOT_YOURS = "This table is not assigned to you. A shift manager rules."
COUNTS = """
window.flat = 0;
new MutationObserver(() => { window.flat += document.querySelectorAll("div.ruling").length; })
  .observe(document, { childList: true, subtree: true });
"""


def has_no_keys(place, says, *keys):
    """Check that rulings are shown with the text of who rules, without buttons, and that keys do nothing."""
    expect(place.locator(".rulings .who")).to_have_text(says)
    expect(place.locator(".rulings .ruling").first).to_be_visible()
    expect(place.locator(".rulings .ruling span").first).not_to_be_empty()
    expect(place.locator(".rulings button")).to_have_count(0)
    for key in keys or ("1", "Enter"):
        place.locator("body").press(key)
    expect(place.locator("form.rule")).to_be_hidden()
    expect(place.locator(".note")).to_be_hidden()


def has_keys(place):
    expect(place.locator("button.ruling").first).to_be_visible()
    expect(place.locator("div.ruling")).to_have_count(0)
    expect(place.locator(".rulings .who")).to_be_hidden()


def test_only_shift_managers_have_ruling_keys_on_a_tables_page(hall, visit, tmp_path):
    (tmp_path / "people.toml").write_bytes(registry_content())
    table = hall(web="[people]\n")
    table.say("dealer", role="manager", name="101", by="103")
    table.say("open")
    table.say("press", role="dealer", key="manager")
    here = "Here a shift manager rules; a supervisor does at the floor."
    for number, says, acts in (("103", None, 1), ("102", here, 1), ("104", RULES, 0), ("105", RULES, 0)):
        look = visit("about:blank")
        look.page.add_init_script(COUNTS)
        look.page.goto(table.page("manager"))
        look.page.get_by_label("Badge number or name").fill(number)
        look.page.get_by_label("PIN").fill(PINS[number])
        look.page.keyboard.press("Enter")
        expect_signed_in(look.page)
        if says is None:
            has_keys(look.page)
            assert look.page.evaluate("window.flat") == 0  # never shown without keys
        else:
            has_no_keys(look.page, says, "1")
        expect(look.page.locator(".here:visible")).to_have_count(acts)
        expect(look.page.locator(".fault .more:visible")).to_have_count(int(says is None))
        look.page.goto("about:blank")
    assert table.records("ruled") == []


def test_observer_roles_have_no_keys_on_an_open_table(hall, visit, tmp_path):
    (tmp_path / "people.toml").write_bytes(registry_content())
    table = hall(web="[people]\n")
    for number, keys in (("102", True), ("104", False), ("105", False)):
        page = visit(table.page("manager")).page
        page.get_by_label("Badge number or name").fill(number)
        page.get_by_label("PIN").fill(PINS[number])
        page.keyboard.press("Enter")
        expect_signed_in(page)
        expect(page.locator(".acts h2")).to_have_text("The table is open")
        assert (page.locator(".acts button").count() > 0) is keys
        page.goto("about:blank")


def test_supervisor_has_ruling_keys_only_for_their_assigned_table(visit, tmp_path):
    with at_work(tmp_path) as (floor, table, do):
        maria, fault = do(floor.signed_in), do(lambda: paused(table))
        do(lambda: until(lambda: floor.hall.status_of("t1").fault is not None))

        def give(person):
            assert do(lambda: maria.act("assign", table="t1", person=person)).body["done"]

        def comes(number):
            page = visit("about:blank").page
            page.add_init_script(COUNTS)
            page.goto(f"http://127.0.0.1:{floor.port}/floor")
            sign_in_at_floor(page, number, PINS[number])
            page.locator(".call .open").tap()
            expect(page.locator(FRAME)).to_have_attribute("title", "t1")
            return page

        for number in (ENGINEER, AUDITOR):
            page = comes(number)
            has_no_keys(console(page), RULES)
            expect(console(page).locator(".here")).to_be_hidden()
            page.goto("about:blank")
        page = comes(MANAGER)
        has_keys(console(page))
        assert console(page).locator("body").evaluate("() => window.flat") == 0  # never shown without keys
        page.goto("about:blank")
        page = comes(SUPERVISOR)
        has_no_keys(console(page), NOT_YOURS)
        give(SUPERVISOR)
        has_keys(console(page))
        console(page).locator("button.ruling[data-ruling=burn]").tap()
        give_reason(console(page))
        expect(console(page).locator(".rule .confirm")).to_be_enabled()
        give(None)  # while they are making the ruling
        has_no_keys(console(page), NOT_YOURS)
        assert do(lambda: (table.table.state.fault.seq, floor.recorded("commanded"))) == (fault, [])
        give(SUPERVISOR)
        console(page).locator("button.ruling[data-ruling=burn]").tap()
        give_reason(console(page))
        console(page).locator(".rule .confirm").tap()
        expect(page.locator(".call")).to_have_count(0)
        (entry,) = do(lambda: floor.recorded("commanded"))
        assert (entry["by"], entry["table"], entry["verdict"]) == (SUPERVISOR, "t1", "done")
        page.goto("about:blank")
