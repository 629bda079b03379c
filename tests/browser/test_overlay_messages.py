"""Messages of the overlay at the same time: each is shown for its full time and replaces no other."""

import pytest
from playwright.sync_api import expect

from tests.browser.overlay_page import table_after
from tests.browser.scenes import cards
from tests.repeats import first_of

PLAYED = f"open; close; {cards('9C 2D KD 3H')}; press finish"
CORRECT = "resettle 1 correct 2 6D by m with n because misread"
CANCEL = "press manager; rule cancel by anna because x"


def test_closed_bets_and_corrected_rounds_are_shown_together(stage):
    on, table = stage(), table_after("baccarat", f"{PLAYED}; open; {CANCEL}; {CORRECT}; open; close; {cards('9C')}")
    says, notice = on.page.locator(".says"), on.page.locator(".notice")
    lines = ["Round 2 is cancelled. All bets of it have been returned.", "Round 1 was corrected"]
    on.show(table, after=1)
    expect(says).to_have_text("No more bets")
    assert notice.inner_text().splitlines() == lines
    box = notice.bounding_box()
    assert box["y"] + box["height"] <= 1080 / 3  # the middle third is left to the video
    on.wait(table, after=19)
    expect(says).not_to_have_text("No more bets")
    assert notice.inner_text().splitlines() == lines
    on.wait(table, after=21)
    expect(notice).to_be_hidden()


def test_a_pause_leaves_a_correction_beside_it(stage):
    on = stage()
    on.show(table_after("baccarat", f"{PLAYED}; open; close; {CORRECT}; press manager"), after=1)
    expect(on.page.locator(".status")).to_have_attribute("data-tone", "paused")
    expect(on.page.locator(".notice")).to_have_text("Round 1 was corrected")


def test_a_result_and_closed_bets_are_shown_together(stage):
    on, table = stage(), table_after("baccarat", f"{PLAYED}; open; close")
    on.show(table_after("baccarat", PLAYED))
    on.show(table, after=1)
    expect(on.page.locator(".says")).to_have_text("No more bets")
    expect(on.page.locator(".ribbon")).to_have_text("PLAYER wins 9 : 5")
    expect(on.page.locator("main .card")).to_have_count(4)
    on.wait(table, after=5)
    expect(on.page.locator(".says")).to_have_text("The cards are dealt")
    expect(on.page.locator(".ribbon")).to_be_visible()
    on.wait(table, after=7)
    expect(on.page.locator(".ribbon")).to_be_hidden()
    expect(on.page.locator("main .card")).to_have_count(0)


def test_a_pause_before_the_first_card_leaves_the_last_result(stage):
    on, table = stage(), table_after("baccarat", f"{PLAYED}; open; close; press manager")
    on.show(table_after("baccarat", PLAYED))
    on.show(table, after=2)
    expect(on.page.locator(".status")).to_have_attribute("data-tone", "paused")
    expect(on.page.locator(".hand[data-won]")).to_have_count(1)
    on.wait(table, after=7)
    expect(on.page.locator("main .card")).to_have_count(0)


@pytest.mark.parametrize("then", first_of(1, ["; open", "", "; table close"]))
def test_a_corrected_result_stands_beside_no_old_total(stage, then):
    on = stage()
    on.show(table_after("baccarat", PLAYED))
    expect(on.page.locator("[data-place=banker] .total")).to_have_text("5")
    on.show(table_after("baccarat", f"{PLAYED}{then}"), after=1)
    on.show(table_after("baccarat", f"{PLAYED}{then}; {CORRECT}"), after=2)
    expect(on.page.locator("body")).to_contain_text("TIE 9 : 9")
    for side in ("player", "banker"):
        expect(on.page.locator(f"[data-place={side}] .total")).to_have_text("")
    expect(on.page.locator(".hand[data-won]")).to_have_count(0)
