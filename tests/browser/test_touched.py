"""Rulings with a further choice on the shift manager's page: later decisions, carrying, deck check."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import FITS, OLD_PANEL
from tests.browser.people import confirm_ruling, expect_life, expect_signed_in, ruling_button, sign_in
from tests.browser.table_process import ON_A_SIX

AGAIN = ("7C", "TS")


def ruling_choice(page, name):
    return page.locator(".rule").get_by_role("button", name=name, exact=True)


@pytest.mark.proof
def test_misread_up_card_correction_asks_seats_again_and_pays_them(hall, visit):
    table = hall("blackjack", (*ON_A_SIX, *AGAIN))
    manager = visit(f"{table.url}/manager", OLD_PANEL).page
    dealer, players = (visit(table.page(page)).page for page in ("dealer", "overlay"))
    table.decides_on_a_six()
    sign_in(manager, "anna")
    expect_signed_in(manager)
    expect_life(manager, "paused")
    ruling_button(manager, "Correct").tap()
    manager.locator(".felt button.lying", has_text="#7").tap()
    ruling_choice(manager, "9").tap()
    ruling_choice(manager, "spades").tap()
    leads = manager.locator(".rule .leads .says")
    decisions = "SEAT 1 stand, SEAT 2 double (10.00), SEAT 3 hit"
    expect(leads).to_contain_text(f"decided since the card was dealt: {decisions}")
    expect(leads).to_contain_text("asked anew")
    expect(ruling_choice(manager, "Ask anew")).to_have_attribute("aria-pressed", "true")
    assert manager.evaluate(FITS)
    ruling_choice(manager, "Let it stand").tap()
    expect(leads).to_contain_text("the decisions stand")
    ruling_choice(manager, "Ask anew").tap()
    expect(leads).to_contain_text("asked anew")
    confirm_ruling(manager)
    for page in (dealer, manager, players):
        expect_life(page, "deciding")
    expect(dealer.locator(".next h1")).to_have_text("TAKE THESE OFF")
    expect(dealer.locator(".next .text")).to_have_text("ten of diamonds, three of diamonds")
    dealer.locator(".cleared").tap()
    expect(dealer.locator(".next h1")).to_have_text("SEAT 1")
    for page in (dealer, players):
        expect(page.locator("[data-place=dealer] .card").first).to_have_attribute("aria-label", "nine of spades")
        expect(page.locator("[data-place=seat2] .card")).to_have_count(2)
    ruled = table.comes("ruled").what
    assert (ruled.choice, ruled.touched.total_stake, ruled.touched.cards) == ("anew", 1000, (9, 10))
    table.say("decide", who="seat1", decision="stand")
    table.say("decide", who="seat2", decision="hit")
    table.draw("7C")
    table.comes("asked", 7)
    table.say("decide", who="seat2", decision="stand")
    table.say("decide", who="seat3", decision="hit")
    table.draw("TS")
    table.comes("completed")
    table.say("press", role="dealer", key="finish")
    table.comes("settled")
    table.comes("paid", 3)
    assert {one.what.market: one.what.returned for one in table.records("paid")} == {
        "seat1 main": 0, "seat2 main": 0, "seat3 main": 2000,
    }  # fmt: skip


@pytest.mark.proof
def test_surplus_card_is_carried_only_if_nobody_has_seen_it(hall, visit):
    table = hall(cards=("9C", "2D", "KD", "3H", "5S"), table="carry = true")
    manager = visit(f"{table.url}/manager").page
    table.say("open")
    table.say("close")
    table.draw("9C", "2D", "KD", "3H", "5S")
    sign_in(manager, "anna")
    ruling_button(manager, "Carry").tap()
    expect(manager.locator(".rule .confirm")).to_be_disabled()
    ruling_choice(manager, "Yes: it is burnt").tap()
    expect(manager.locator(".rule .changes")).to_contain_text("burnt")
    ruling_choice(manager, "Nobody").tap()
    expect(manager.locator(".rule .changes")).to_contain_text("carried over")
    confirm_ruling(manager)
    assert table.comes("ruled").what.after == {"draw": 5, "fate": "carried", "seen": False}


@pytest.mark.proof
def test_duplicate_card_ruling_requires_confirming_the_deck_was_checked(hall, visit):
    table = hall("casino_holdem", ("AH", "KD", "2S", "3S", "7D", "8C", "9C", "7D"))
    manager = visit(f"{table.url}/manager").page
    table.say("shuffled", role="dealer")
    table.say("open")
    table.say("bet", player="p1", market="ante", stake=1000)
    table.say("close")
    table.draw("AH", "KD", "2S", "3S", "7D", "8C", "9C")
    table.comes("asked")
    table.draw("7D")
    table.comes("faulted")
    sign_in(manager, "anna")
    ruling_button(manager, "Burn").tap()
    expect(manager.locator(".rule .leads .says")).to_contain_text("have the deck checked")
    expect(manager.locator(".rule .confirm")).to_be_disabled()
    ruling_choice(manager, "It was checked: play goes on").tap()
    confirm_ruling(manager)
    assert table.comes("ruled").what.checked == "deck"
    expect_life(manager, "deciding")
