"""Rounds, numbers and the hand-over on the page of a real floor."""

import pytest
from playwright.sync_api import expect

from controller.core import events as e
from tests.browser.on_the_floor import enters
from tests.browser.test_floor_at_work import at_work
from tests.floor.service import MANAGER, OTHER, paused
from tests.floor.test_search import CODE, count
from tests.web.staff import PINS


def voided(table):
    fault = paused(table)
    table.table.take(e.Rule("cancel", "Maria", "wet card", fault, person=MANAGER))


@pytest.mark.proof
@pytest.mark.parametrize("lang", ["en", "ro"])
def test_rounds_are_found_and_told_numbers_shown_and_the_floor_handed_over(visit, tmp_path, lang):
    with at_work(tmp_path) as (floor, table, do):
        do(lambda: table.play(3))
        do(lambda: voided(table))
        page = visit(f"http://127.0.0.1:{floor.port}/floor?lang={lang}").page
        enters(page, MANAGER, PINS[MANAGER])
        page.wait_for_function("count => count === 4", arg=count(floor)) if count(floor) == 4 else None
        page.locator(".tabs button").nth(1).tap()
        rows = page.locator(".view-rounds .round")
        expect(rows).to_have_count(4)
        page.locator("[name=fault]").select_option(CODE)
        page.locator(".view-rounds form button[type=submit]").tap()
        expect(rows).to_have_count(1)
        rows.first.tap()
        expect(page.locator(".view-rounds .story")).to_contain_text("wet card")
        page.screenshot(path=tmp_path / "rounds.png")
        with page.expect_download() as file:
            page.locator(".view-rounds .export").tap()
        assert file.value.path().read_text().count("\n") == 2
        page.locator(".tabs button").nth(2).tap()
        expect(page.locator(".view-numbers table").first).to_contain_text("4")
        page.screenshot(path=tmp_path / "numbers.png")
        page.locator(".tabs button").nth(4).tap()
        do(lambda: paused(table))
        page.locator(".view-hand-over .anew").tap()
        expect(page.locator(".view-hand-over [data-name=calls] li")).to_contain_text("t1")
        page.screenshot(path=tmp_path / "hand-over.png")
        for name, text in (("notes", "shoe sticks"), ("own", PINS[MANAGER]), ("to", OTHER), ("their", PINS[OTHER])):
            page.locator(f".view-hand-over [name={name}]").fill(text)
        page.locator(".view-hand-over form button").tap()
        expect(page.locator(".view-hand-over .last")).to_contain_text("Livia")
        assert page.locator(".view-hand-over [name=own]").input_value() == ""
        (said,) = do(lambda: floor.recorded("handed_over"))
        assert (said["by"], said["to"], said["notes"]) == (MANAGER, OTHER, "shoe sticks")
        page.goto("about:blank")
