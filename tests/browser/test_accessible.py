"""Pages have no grave accessibility faults (by axe) in any state, and work by keyboard alone."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.held_requests import HeldRequests
from tests.browser.overlay_page import table_after
from tests.browser.people import (
    expect_life,
    expect_signed_in,
    open_manager_page,
    preview_ruling,
    sign_in,
    store_sign_in,
)
from tests.browser.scenes import BETS, scenes
from tests.browser.table_process import OVERDRAWN, PINS

GRAVE = ("serious", "critical")
AXE = Axe().axe_script
VIOLATIONS = "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => ({ violations }))"


def accessibility_faults(page: Page) -> list[str]:
    """Return the page's accessibility faults that axe calls serious or critical."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    return grave_of(page.evaluate(VIOLATIONS))


def grave_of(results: dict[str, Any]) -> list[str]:
    return [
        f"{one['id']}: {node['target']} {node['failureSummary']}"
        for one in results["violations"]
        if one["impact"] in GRAVE
        for node in one["nodes"]
    ]


@pytest.mark.proof
def test_round_fault_and_result_have_no_grave_accessibility_issues(hall, visit):
    table = hall(cards=OVERDRAWN)
    pages = [visit(table.page(name)).page for name in ("dealer", "overlay")]
    come_to(pages, "idle")
    table.say("open")
    table.say("bet", player="p1", market="player", stake=1000)
    come_to(pages, "betting")
    table.say("close")
    table.draw(*OVERDRAWN[:4])
    come_to(pages, "complete")
    table.draw(OVERDRAWN[4])
    come_to(pages, "paused")
    table.say("rule", role="manager", fault=table.comes("faulted").seq, ruling="burn", because="x", by="anna")
    come_to(pages, "settled")


def come_to(pages: list[Page], life: str) -> None:
    for page in pages:
        expect_life(page, life)
        assert accessibility_faults(page) == []


def test_nothing_grave_is_found_on_the_shift_managers_page(hall, visit):
    table = hall(cards=OVERDRAWN)
    page = visit(f"{table.url}/manager").page
    expect(page.locator(".gate")).to_be_visible()
    assert accessibility_faults(page) == []
    sign_in(page, "anna")
    expect_signed_in(page)
    expect_life(page, "idle")
    assert accessibility_faults(page) == []
    table.say("open")
    table.say("close")
    table.draw(*OVERDRAWN)
    expect_life(page, "paused")
    assert accessibility_faults(page) == []
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert accessibility_faults(page) == []
    page.keyboard.press("Escape")
    page.locator(".frames summary").tap()
    preview_ruling(page, "Burn")
    assert accessibility_faults(page) == []
    for tab in ("Rounds", "Devices"):
        page.get_by_role("navigation").get_by_role("button", name=tab).tap()
        expect(page.locator(f".view-{tab.lower()}")).to_be_visible()
        assert accessibility_faults(page) == []


@pytest.mark.proof
@pytest.mark.parametrize("tab", ["rounds", "devices"])
def test_view_has_no_grave_issue_before_its_answer_has_come(hall, visit, tab):
    page = open_manager_page(visit, hall()).page
    requests = HeldRequests(page, f"**/api/{tab}*", times=1)
    page.get_by_role("navigation").get_by_role("button", name=tab.capitalize()).tap()
    request = requests.comes()
    expect(page.locator(f".view-{tab}")).to_be_visible()
    assert accessibility_faults(page) == []
    request.continue_()


@pytest.mark.proof
def test_gate_and_closed_table_pages_have_no_grave_issues(hall, visit):
    table = hall()
    manager = visit(table.page("manager"))
    manager.may_fail = True
    table.say("press", role="dealer", key="manager")
    expect(manager.page.locator(".gate .paused")).to_be_visible()
    sign_in(manager.page, "anna", "1357")
    expect(manager.page.locator(".gate .error")).not_to_be_empty()
    assert accessibility_faults(manager.page) == []
    manager.page.reload()
    sign_in(manager.page, "bea")
    expect_signed_in(manager.page)
    table.say("rule", role="manager", fault=table.comes("faulted").seq, ruling="resume", because="x", by="bea")
    table.say("table", role="manager", do="close", by="bea")
    dealer, overlay = (visit(table.page(name)).page for name in ("dealer", "overlay"))
    expect_life(overlay, "closed")
    expect(dealer.locator(".key[data-key=open]")).to_be_disabled()
    expect(manager.page.locator(".fault")).to_be_hidden()
    for page in (dealer, overlay, manager.page):
        assert accessibility_faults(page) == []


def test_dealer_keys_and_handover_report_work_by_keyboard_alone(hall, visit):
    table = hall()
    dealer = visit(table.page("dealer")).page
    key = dealer.locator(".key[data-key=open]")
    expect(key).to_be_enabled()
    for _ in range(10):
        dealer.keyboard.press("Tab")
        if key.evaluate("one => one === document.activeElement"):
            break
    expect(key).to_be_focused()
    assert key.evaluate("one => getComputedStyle(one).outlineStyle") == "solid"
    dealer.keyboard.press("Enter")
    expect_life(dealer, "betting")
    visited = visit("about:blank")
    store_sign_in(visited.context, table.url)
    report = visited.page
    report.goto(table.page("report"))
    report.locator("[name=from-name]").focus()
    for text in ("anna", PINS["anna"], "bea", PINS["bea"], "the panel sticks"):
        report.keyboard.type(text)
        report.keyboard.press("Tab")
    report.keyboard.press("Enter")
    expect(report.get_by_text("Handed over by anna · Taken over by bea · Note: the panel sticks")).to_be_visible()


@pytest.mark.proof
@pytest.mark.parametrize("game", BETS)
def test_every_overlay_state_has_no_grave_accessibility_issues(stage, game):
    on, grave = stage(), {}
    for name, scene in scenes(game).items():
        on.show(table_after(game, scene.script), after=scene.after)
        if what := accessibility_faults(on.page):
            grave[name] = what
    assert grave == {}
