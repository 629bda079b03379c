"""The dealer's page when two things coincide: a second touch and a new step, a glossary and a fault."""

from contextlib import closing

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OLD_PANEL
from tests.browser.consoles import ConsolePage
from tests.browser.held_requests import HeldRequests
from tests.browser.overlay_page import table_after
from tests.browser.states import PageState
from tests.browser.table_process import DEALT, OVERDRAWN


def key(page, name):
    return page.locator(f".key[data-key={name}]")


@pytest.mark.proof
def test_two_touches_of_finish_turn_over_once(hall, visit):
    cards = ("TC", "8C", "6H", "5D", "2H", "3C", "9S", "KH", "QD")
    table = hall("casino_holdem", cards=cards, table='reveal = "dealer"')
    page = visit(table.page("dealer")).page
    table.say("shuffled", role="dealer")
    table.say("open")
    table.say("bet", player="p1", market="ante", stake=1000)
    table.say("close")
    table.draw(*cards[:7])
    table.comes("asked")
    table.say("decide", who="p1", decision="call")
    table.draw(*cards[7:])
    expect(page.locator(".next .text")).to_contain_text("turn the cards over")
    key(page, "finish").dblclick()
    table.comes("revealed")
    page.wait_for_timeout(800)  # as long as a second touch of a key is ignored
    assert table.records("settled") == []
    key(page, "finish").tap()
    table.comes("settled")


def test_a_second_touch_of_finish_takes_no_shoe_away(hall, visit):
    table = hall('baccarat"\nchange_below = 309 # ', cards=DEALT)  # Hall has no parameter for it
    page = visit(table.page("dealer")).page
    table.say("open")
    table.say("close")
    table.draw(*DEALT)
    expect(key(page, "finish")).to_be_enabled()
    places = "[...document.querySelectorAll('.key')].map((one) => one.getBoundingClientRect().x).join()"
    before = page.evaluate(places)
    key(page, "finish").tap()
    expect(key(page, "change")).to_be_enabled()
    assert page.evaluate(places) == before


@pytest.mark.proof
def test_a_late_glossary_covers_no_fault(hall, visit):
    table = hall(cards=OVERDRAWN)
    page = visit(table.page("dealer")).page
    expect(page.locator(".next h1")).to_be_visible()
    requests = HeldRequests(page, "**/glossary*")
    page.get_by_role("button", name="The words of this table").tap()
    answer = requests.comes()
    table.say("open")
    table.say("close")
    table.draw(*OVERDRAWN)
    expect(page.locator(".stop")).to_be_visible()
    with page.expect_response("**/glossary*"):
        answer.continue_()
    expect(page.locator("dialog.words")).to_be_hidden()


@pytest.mark.proof
def test_the_glossary_does_not_cover_a_lost_line(browser, tmp_path):
    with closing(browser.new_context(viewport=OLD_PANEL, has_touch=True)) as context:
        on = ConsolePage(context.new_page(), "dealer", "en", tmp_path)
        on.stands(PageState(table_after("baccarat", "open; close; card 9C"), 9))
        on.page.locator("header .help").click()
        expect(on.page.locator("dialog.words[open]")).to_be_visible()
        on.show(PageState(table_after("baccarat", "open; close; card 9C"), 9, None, stale=True))
        on.page.clock.run_for(500)
        expect(on.page.locator(".stale b")).to_have_text("Stop. Deal nothing.")
        middle = "document.elementFromPoint(innerWidth / 2, innerHeight / 2).closest('.stale') !== null"
        assert on.page.evaluate(middle)


@pytest.mark.proof
def test_a_fallen_card_is_reported_after_the_round(hall, visit):
    table = hall(cards=DEALT)
    page = visit(table.page("dealer")).page
    table.say("open")
    table.say("close")
    table.draw(*DEALT)
    key(page, "finish").tap()
    table.comes("settled")
    key(page, "dropped").tap()
    table.comes("case_opened")


@pytest.mark.proof
def test_two_touches_of_shoe_ready_are_one_shoe(hall, visit):
    table = hall(cards=("2C", "3D", "4H"), table="count_in = true")
    page = visit(table.page("dealer"), OLD_PANEL).page
    table.say("shoe", role="dealer", do="change")
    page.get_by_role("button", name="CUT", exact=True).tap()
    table.comes("shoe_cut")
    table.draw("2C", "3D", "4H")
    page.get_by_label("Cards counted").fill("312")
    page.get_by_label("Receipt").fill("R8")
    page.get_by_role("button", name="SHOE READY").dblclick()
    expect(page.locator(".change")).to_be_hidden()
    table.say("open")
    table.comes("opened")
    assert len(table.records("shoe_ready")) == 1
