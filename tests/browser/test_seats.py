"""The fullest dealer's page fits: blackjack with seven seats and a split, in Romanian's longer words."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import FULL_HD, OLD_PANEL
from tests.browser.layout_checks import COVERED
from tests.browser.test_accessible import accessibility_faults

pytestmark = pytest.mark.proof

SEVEN = [f"seat{number} main" for number in range(1, 8)]
BLACKJACK = (
    "8C", "8D", "TC", "9D", "6C", "5H", "AS", "KD", "2C", "3C", "9C", "4H", "7C", "7D", "9S", "4S",  # two each
    "2H", "3H",  # the split's second cards
    "2S", "AC", "AH",  # seat1: 14, in five cards
)  # fmt: skip
TOO_LARGE = """
() => [...document.querySelectorAll("main, .next, .felt, .hand, footer, .key, .stop, header")]
  .filter((one) => one.checkVisibility())
  .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
  .map((one) => `${one.tagName} ${one.className}`)
"""


SIZES = ((FULL_HD, 105), (OLD_PANEL, 72))  # least width of a card, in px


def test_seven_blackjack_seats_with_a_long_split_hand_fit(hall, visit):
    table = hall("blackjack", BLACKJACK)
    table.say("shuffled", role="dealer")
    pages = [(visit(f"{table.page('dealer')}?lang=ro", size).page, width) for size, width in SIZES]
    table.say("open")
    for number, market in enumerate(SEVEN):
        table.say("bet", player=f"p{number}", market=market, stake=1000)
    table.say("close")
    table.draw(*BLACKJACK[:16])
    lie(pages, 16)
    table.say("decide", who="seat1", decision="split")
    table.draw("2H", "3H")
    lie(pages, 18)
    for number, card in enumerate(BLACKJACK[18:], start=19):
        table.say("decide", who="seat1", decision="hit")
        table.draw(card)
        lie(pages, number)
    for page, width in pages:
        expect(page.locator("[data-place=seat1] .card")).to_have_count(7)
        assert page.evaluate(COVERED) == []
        assert page.locator("[data-place=seat2] .card").first.bounding_box()["width"] >= width
        assert page.evaluate(TOO_LARGE) == []
        assert accessibility_faults(page) == []
    table.say("press", role="dealer", key="manager")
    fault = table.comes("faulted").seq
    table.say("rule", role="manager", by="anna", fault=fault, ruling="cancel", because="seen on camera")
    for page, _ in pages:
        expect(page.locator(".cleared")).to_be_visible()
        assert page.evaluate(TOO_LARGE) == []


def lie(pages, count: int) -> None:
    """Wait until every page shows this number of cards."""
    for page, _ in pages:
        expect(page.locator(".felt .card")).to_have_count(count)
