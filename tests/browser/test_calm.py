"""The dealer's page and the overlay stay calm: nothing moves when a card falls, everything fits, all can read it."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import FULL_HD, OLD_PANEL

NATURAL = ("9C", "2D", "KD", "3H")
SEVEN = [f"seat{number} main" for number in range(1, 8)]
BLACKJACK = (
    "8C", "8D", "TC", "9D", "6C", "5H", "AS", "KD", "2C", "3C", "9C", "4H", "7C", "7D", "9S", "4S",  # two each
    "2H", "3H",  # the split's second cards
    "2S", "AC", "AH",  # seat1: 14, in five cards
)  # fmt: skip
WATCH = """
window.moved = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    window.moved.push(...entry.sources.map((one) => one.node?.outerHTML ?? one.node?.textContent));
  }
}).observe({ type: "layout-shift" });
"""
TOO_LARGE = """
() => [...document.querySelectorAll("main, .next, .felt, .hand, footer, .key, .stop, header")]
  .filter((one) => one.checkVisibility())
  .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
  .map((one) => `${one.tagName} ${one.className}`)
"""


def flaws(page: Page) -> list[str]:
    """What is wrong for people who see or hear it otherwise."""
    found = Axe().run(page).response["violations"]
    return [f"{one['impact']}: {one['help']}" for one in found if one["impact"] in ("serious", "critical")]


@pytest.mark.parametrize("name", ["dealer", "overlay"])
def test_nothing_moves_when_a_card_falls_and_nothing_is_hard_to_read(hall, visit, name):
    table = hall(cards=(*NATURAL, "5S"))
    page = visit(f"{table.url}/{name}", bypass_csp=True).page  # for axe, which is written into the page
    expect(page.locator("body")).to_have_attribute("data-life", "idle")
    assert flaws(page) == []
    table.say("open")
    table.say("close")
    expect(page.locator("body")).to_have_attribute("data-life", "dealing")
    page.evaluate(WATCH)
    for number, card in enumerate(NATURAL, start=1):
        table.draw(card)
        expect(page.locator(".places .card")).to_have_count(number)
    assert (
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(moved))))") == []
    )
    assert flaws(page) == []
    table.draw("5S")
    expect(page.locator("body")).to_have_attribute("data-life", "paused")
    assert flaws(page) == []


@pytest.mark.parametrize("size", [FULL_HD, OLD_PANEL], ids=["full-hd", "old-panel"])
def test_seven_seats_with_a_split_hand_of_five_cards_fit(hall, visit, size):
    table = hall("blackjack", BLACKJACK)
    table.say("shuffled", role="dealer")
    page = visit(f"{table.url}/dealer?lang=ro", size, bypass_csp=True).page
    table.say("open")
    for number, market in enumerate(SEVEN):
        table.say("bet", player=f"p{number}", market=market, stake=1000)
    table.say("close")
    lies = page.locator(".felt .card")
    table.draw(*BLACKJACK[:16])
    expect(lies).to_have_count(16)
    table.say("decide", who="seat1", decision="split")
    table.draw("2H", "3H")
    expect(lies).to_have_count(18)
    for number, card in enumerate(BLACKJACK[18:], start=19):
        table.say("decide", who="seat1", decision="hit")
        table.draw(card)
        expect(lies).to_have_count(number)
    expect(page.locator("[data-place=seat1] .card")).to_have_count(7)
    assert page.evaluate(TOO_LARGE) == []
    assert flaws(page) == []
