"""Pages report a cut line (the overlay hides instead), recover by themselves, and reload new versions."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.line_proxy import LineProxy
from tests.browser.overlay_page import table_after
from tests.browser.people import expect_life, expect_signed_in, sign_in
from tests.browser.table_process import DEALT

GONE = re.compile(r"\d\d:\d\d:\d\d")


@pytest.mark.parametrize("name", ["dealer", "overlay"])
def test_page_recovers_missed_state_after_its_line_is_restored(hall, visit, name):
    table = hall(cards=DEALT)
    with LineProxy(int(table.url.rpartition(":")[2])) as line:
        look = visit(f"http://127.0.0.1:{line.port}{table.path(name)}")
        look.may_fail = True
        table.say("open")
        expect_life(look.page, "betting")
        line.cut()
        stale = look.page.locator("body[data-stale]")
        expect(stale).to_have_count(1)
        says = expect(look.page.locator("body"))
        says.to_contain_text(GONE) if name == "dealer" else says.not_to_contain_text(GONE)
        table.say("close")
        table.draw(*DEALT)
        line.mend()
        expect(stale).to_have_count(0)
        for place, score in (("player", 9), ("banker", 5)):
            expect(look.page.locator(f"[data-place={place}] .total")).to_have_text(str(score))
        expect_life(look.page, "complete")


def test_pages_treat_a_table_silent_for_three_seconds_as_lost(hall, visit):
    table = hall()
    with LineProxy(int(table.url.rpartition(":")[2])) as line:
        looks = [visit("about:blank") for _ in range(3)]
        dealer, manager, players = (look.page for look in looks)
        for look, name in zip(looks, ("dealer", "manager", "overlay"), strict=True):
            look.may_fail = True
            look.page.clock.install()
            look.page.goto(f"http://127.0.0.1:{line.port}{table.path(name)}")
        sign_in(manager, "anna")
        expect_signed_in(manager)
        table.say("open")
        for page in (dealer, manager, players):
            expect_life(page, "betting")
        line.hold()
        for page in (dealer, manager, players):
            page.clock.fast_forward(3_000)
        for page in (dealer, manager):
            expect(page.locator(".stale")).to_have_text(GONE)
            expect(page.locator(".stale")).to_be_visible()
        expect(players.locator("main")).to_be_hidden()
        expect(players.locator("body")).not_to_contain_text(GONE)
        line.mend()
        for page in (dealer, manager):
            expect(page.locator(".stale")).to_be_hidden()
        expect(players.locator("main")).to_be_visible()


def test_a_page_is_loaded_anew_once_pages_have_changed(stage):
    on, table = stage(), table_after("baccarat", "open")
    on.show(table, version="of today")
    on.page.evaluate("window.loaded = 'before'")
    on.show(table, version="of today")
    assert on.page.evaluate("window.loaded") == "before"
    with on.page.expect_navigation():
        on.show(table, version="of tomorrow")
    assert on.page.evaluate("window.loaded") is None
