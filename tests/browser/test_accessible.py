"""Every page, in each of its states, can be used by people who see little, hear it read, or use no mouse."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.hall import OVERDRAWN
from tests.browser.people import is_in, looks_ahead, shows, signs_in

GRAVE = ("serious", "critical")


def found(page: Page) -> list[str]:
    """What axe calls serious or critical."""
    violations = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {node['target']} {node['failureSummary']}"
        for one in violations
        if one["impact"] in GRAVE
        for node in one["nodes"]
    ]


def test_nothing_grave_is_found_in_a_round_a_fault_and_a_result(hall, visit):
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
        shows(page, life)
        assert found(page) == []


def test_nothing_grave_is_found_on_the_shift_managers_page(hall, visit):
    table = hall(cards=OVERDRAWN)
    page = visit(f"{table.url}/manager").page
    expect(page.locator(".gate")).to_be_visible()
    assert found(page) == []
    signs_in(page, "anna")
    is_in(page)
    shows(page, "idle")
    assert found(page) == []
    table.say("open")
    table.say("close")
    table.draw(*OVERDRAWN)
    shows(page, "paused")
    assert found(page) == []
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    assert found(page) == []
    page.keyboard.press("Escape")
    page.locator(".frames summary").tap()
    looks_ahead(page, "Burn")
    assert found(page) == []
    for tab in ("Rounds", "Devices"):
        page.get_by_role("navigation").get_by_role("button", name=tab).tap()
        expect(page.locator(f".view-{tab.lower()}")).to_be_visible()
        assert found(page) == []
