"""The shift manager's page on a large screen: hands in full rows, large cards and facts, no empty box."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import FULL_HD, OLD_PANEL
from tests.browser.consoles import ConsolePage
from tests.browser.layout_checks import COVERED
from tests.browser.overlay_page import table_after
from tests.browser.scenes import BETS, DEALT, TO_THE_END
from tests.browser.states import PageState, page_state

pytestmark = pytest.mark.proof

BETTING = f"shuffled; open; {BETS['blackjack']}"
SPLITS = f"{BETTING}; close; {DEALT['blackjack']}; decide seat1 split; card 2H; card 3H"
FIVES = {  # seat1 holds five cards; boxes are four in a row
    "blackjack": f"{BETTING}; close; {DEALT['blackjack'].replace('card 7D', 'card TD')}; decide seat1 hit; card 2S; "
    "decide seat1 hit; card AC; decide seat1 hit; card AH",
    "rhum32": f"shuffled; open; {BETS['rhum32']}; close; {DEALT['rhum32']}; {TO_THE_END['rhum32']}",
}
OUTSIDE_BOX = """() => [...document.querySelectorAll(".felt .spot")]
  .filter((box) => [...box.querySelectorAll(".card")]
    .some((card) => card.getBoundingClientRect().right > box.getBoundingClientRect().right))
  .map((box) => box.dataset.place)"""
ROWS = """all => Object.values(Object.groupBy(all, one => Math.round(one.getBoundingClientRect().top)))
    .map(row => row.length)"""


@pytest.fixture
def page(browser, tmp_path):
    context = browser.new_context(viewport=FULL_HD, reduced_motion="reduce")
    yield ConsolePage(context.new_page(), "manager", "en", tmp_path)
    context.close()


def stands(on: ConsolePage, script: str, size: dict[str, int]) -> Page:
    on.show(PageState(table_after("blackjack", script), 9))
    on.page.set_viewport_size(size)
    return on.page


@pytest.mark.parametrize("size", [FULL_HD, OLD_PANEL], ids=["full-hd", "old-panel"])
@pytest.mark.parametrize(("script", "hands"), [(BETTING, 8), (SPLITS, 9)])
def test_no_seat_has_a_row_to_itself(page, size, script, hands):
    spots = stands(page, script, size).locator(".felt .spot")
    expect(spots).to_have_count(hands)
    rows = spots.evaluate_all(ROWS)
    assert (sum(rows), min(rows) > 1) == (hands, True)


def test_a_market_counts_its_bets_only_if_there_are_several(page):
    script = "shuffled; open; bet p1 ante 1.00; bet p2 ante 2.00; bet p1 bonus 1.00"
    page.show(PageState(table_after("casino_holdem", script), 9))
    names = page.page.locator(".markets dt").all_text_contents()
    assert [name.endswith("×\N{NO-BREAK SPACE}2") for name in names] == [True, False]
    assert not any(name.endswith("1") for name in names)


def test_a_large_screen_is_filled_by_cards_and_facts(page):
    for state, card in (("betting", None), ("result", 150)):
        page.show(page_state("baccarat", state))
        expect(page.page.locator(".pictures")).to_have_count(0)
        sizes = page.page.locator(".facts dd").evaluate_all(
            "all => all.map(one => parseFloat(getComputedStyle(one).fontSize))"
        )
        assert min(sizes) >= 28
        if card:
            assert page.page.locator(".felt .card").first.bounding_box()["width"] > card


@pytest.mark.parametrize("width", [800, 1101, 1300, 1500])
@pytest.mark.parametrize(("game", "script"), FIVES.items())
def test_five_cards_stay_inside_their_box_and_readable(page, game, script, width):
    page.show(PageState(table_after(game, script), 9))
    page.page.set_viewport_size({"width": width, "height": 800})
    expect(page.page.locator(".felt [data-place=seat1] .card")).to_have_count(5)
    assert page.page.evaluate(OUTSIDE_BOX) == []
    assert page.page.evaluate(COVERED) == []
