"""The shift manager's page: rulings by touch and keyboard, sign-in, PINs, results and small screens."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conditions import wait_until
from tests.browser.conftest import FULL_HD, OLD_PANEL
from tests.browser.consoles import ASKING
from tests.browser.held_requests import HeldRequests
from tests.browser.layout_checks import COVERED, HIDDEN
from tests.browser.people import (
    confirm_ruling,
    expect_life,
    expect_signed_in,
    open_manager_page,
    preview_ruling,
    ruling_button,
    sign_in,
    type_pin,
)
from tests.browser.table_process import ON_A_SIX, OVERDRAWN, PINS
from tests.patience import eventually

PHONE = {"width": 390, "height": 844}


def dealt(table, cards):
    table.say("open")
    table.say("bet", player="p1", market="any_pair", stake=1000)
    table.say("close")
    table.draw(*cards)


def comes_back(page):
    """Sign in again by PIN alone; the page still has the name."""
    type_pin(page, ".gate")
    page.locator(".gate .go").tap()


def lapses(page):
    """Wait until the sign-in lapses because nobody touches the page."""
    expect(page.locator("body")).to_have_attribute("data-lapsed", "")


def test_from_fault_to_ruling_by_keyboard_alone(hall, visit):
    table = hall(cards=OVERDRAWN)
    page = visit(table.page("manager")).page
    sign_in(page, "anna")
    expect_signed_in(page)
    dealt(table, OVERDRAWN)
    expect(page.locator(".here")).to_be_focused()
    expect(page.locator(".lie .frames summary")).to_be_visible()
    expect(page.locator(".lie .frames ol")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.locator(".seen p")).to_have_text("anna has seen it")
    expect(page.locator(".rulings button").first).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("show the effect of a ruling")
    page.get_by_role("button", name="The words of this table").click()
    expect(page.locator("dialog.words")).to_contain_text("The cards of a place; a split makes a second one.")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()
    page.keyboard.press("3")
    expect(page.locator(".rule h2")).to_have_text("Strike 5♠: it never came")
    page.keyboard.press("Escape")
    expect(page.locator(".rule")).to_be_hidden()
    page.keyboard.press("1")
    expect(page.locator(".rule .leads .says")).to_contain_text("9 : 5")
    expect(page.locator(".rule .why [aria-pressed=true]")).to_have_count(0)
    expect(page.locator(".rule .confirm")).to_be_disabled()
    expect(page.locator(".rule .confirm")).to_have_text("Confirm: Burn 5♠Say why")
    page.keyboard.press("2")
    expect(page.locator(".rule .confirm")).to_be_enabled()
    expect(page.locator(".rule .confirm")).to_have_text("Confirm: Burn 5♠Two cards stuck together")
    page.keyboard.press("Enter")
    ruled = table.comes("ruled").what
    assert (ruled.ruling, ruled.because) == ("burn", "Two cards stuck together")
    expect(page.locator(".came h2")).to_have_text("PLAYER wins 9 : 5 · natural")


def test_ruling_after_a_lapsed_sign_in_requires_the_correct_pin(hall, visit):
    table = hall(cards=OVERDRAWN, web="idle = 4")
    look = visit(table.page("manager"))
    look.may_fail, page = True, look.page  # the page logs the refused PIN
    sign_in(page, "anna")
    lapses(page)
    dealt(table, OVERDRAWN)
    expect(page.locator(".fault h2")).to_be_visible()
    expect(page.locator(".tabs")).to_be_hidden()
    ruling_button(page, "Burn").tap()
    expect(page.locator(".rule .confirm")).to_be_disabled()
    expect(page.locator(".rule .confirm")).to_contain_text("Say why")
    type_pin(page, ".rule", "9999")
    confirm_ruling(page)
    expect(page.locator(".rule .error")).to_have_text("wrong name or PIN")
    assert table.comes("sign_ins_refused").what.people == ("anna",)
    assert type_pin(page, ".rule") == len(PINS["anna"])
    confirm_ruling(page)
    assert table.comes("ruled").what.by == "anna"
    assert page.evaluate("Object.entries(localStorage).flat()") == ["tablectl-name", "anna"]


def test_report_opens_by_keyboard_and_manager_page_stays_open(hall, visit):
    table = hall(cards=OVERDRAWN)
    look = open_manager_page(visit, table)
    look.page.get_by_role("button", name="Devices").focus()
    look.page.keyboard.press("Tab")
    expect(look.page.get_by_role("link", name="Report")).to_be_focused()
    with look.context.expect_page() as opened:
        look.page.keyboard.press("Enter")
    expect(opened.value.get_by_role("button", name="Hand over")).to_be_visible()
    expect_signed_in(look.page)


@pytest.mark.proof
def test_large_screen_shows_large_cards_and_the_whole_ruling(hall, visit):
    table = hall(cards=OVERDRAWN)
    page = open_manager_page(visit, table).page
    dealt(table, OVERDRAWN)
    preview_ruling(page, "Burn")
    assert page.locator(".felt .card").first.bounding_box()["width"] >= 150
    for size in (FULL_HD, {"width": 1366, "height": 768}):
        page.set_viewport_size(size)
        assert page.locator(".rule .confirm, .rule .choice:visible").evaluate_all(HIDDEN) == []


def test_cancel_above_the_limit_requires_a_second_shift_manager(hall, visit):
    table = hall(cards=OVERDRAWN, table="[rulings]\nsecond_person_above = 5.00")
    look = open_manager_page(visit, table)
    look.may_fail, page = True, look.page
    dealt(table, OVERDRAWN)
    ruling_button(page, "Cancel").tap()
    expect(page.locator(".rule .leads .says")).to_contain_text("a second shift manager is asked for their PIN")
    expect(page.locator(".rule .confirm")).to_be_disabled()
    name, error = page.locator(".rule .shown").get_by_label("Badge number or name"), page.locator(".rule .shown .error")
    for who, why in (("anna", "that is the same person twice"), ("bea", "wrong name or PIN")):
        name.fill(who)
        type_pin(page, ".rule", PINS["anna"])
        confirm_ruling(page)
        expect(error).to_contain_text(why)
    assert page.locator(".rule :is(.choice, .confirm, .shown input)").evaluate_all(HIDDEN) == []
    type_pin(page, ".rule", PINS["bea"])
    page.keyboard.press("Enter")
    ruled = table.comes("ruled").what
    assert (ruled.ruling, ruled.by, ruled.second) == ("cancel", "anna", "bea")


def test_signed_out_page_hides_the_table_until_pin_is_entered(hall, visit):
    table = hall(cards=OVERDRAWN)
    page = visit(table.page("manager")).page
    sign_in(page, "anna")
    expect_signed_in(page)
    page.locator(".out").tap()
    dealt(table, OVERDRAWN)
    expect(page.locator(".gate .paused")).to_be_visible()
    comes_back(page)
    preview_ruling(page, "Burn")
    confirm_ruling(page)
    assert table.comes("ruled").what.by == "anna"


def test_ruling_begun_before_sign_in_lapsed_is_kept_afterwards(hall, visit):
    table = hall(cards=OVERDRAWN)
    look = visit(table.page("manager"))
    look.may_fail, page = True, look.page
    sign_in(page, "anna")
    expect_signed_in(page)
    dealt(table, OVERDRAWN)
    preview_ruling(page, "Burn")
    look.context.clear_cookies()
    confirm_ruling(page)
    expect(page.locator(".gate .why")).to_contain_text("kept")
    expect(page.locator(".rule .changes")).to_have_count(0)  # nothing of the ruling is left behind the gate
    comes_back(page)
    expect(page.locator(".rule .leads .says")).to_contain_text("PLAYER wins 9 : 5")
    confirm_ruling(page)
    assert table.comes("ruled").what.by == "anna"


def test_late_frames_response_does_not_replace_a_newer_one(hall, visit):
    table = hall(cards=OVERDRAWN)
    page = open_manager_page(visit, table, script=ASKING).page
    requests = HeldRequests(page, "**/api/devices*", times=1)
    dealt(table, OVERDRAWN)
    request = requests.comes()
    with page.expect_response("**/api/devices*"):
        page.locator(".here").tap()  # the page gets a new screen and asks again
    frames = page.locator(".lie .frames li")
    expect(frames.first).to_contain_text("card read")
    late = {"at": "2026-01-01T00:00:00Z", "said": "LATE", "bytes": "00"}
    with page.expect_response("**/api/devices*"):
        request.fulfill(json={"devices": [], "frames": [late]})
    wait_until(page, "window.asking === 0")  # the page has read the late answer
    expect(frames.filter(has_text="LATE")).to_have_count(0)


def test_card_not_in_the_deck_keeps_its_suit_in_preview(hall, visit):
    table = hall("thirty_two", ("8C", "2D"))
    page = open_manager_page(visit, table).page
    table.say("shuffled", role="dealer")
    table.say("open")
    table.say("close")
    table.draw("8C", "2D")
    ruling_button(page, "Burn").tap()
    card = page.locator(".rule .changes").get_by_role("img", name="two of diamonds")
    expect(card.locator("path")).to_have_count(2)
    expect(card).to_have_class(re.compile("red"))


def test_holdem_place_order_and_names_match_on_both_consoles(hall, visit):
    cards = ("AH", "KD", "2S", "3S", "7D", "8C", "9C")
    table = hall("casino_holdem", cards)
    manager, dealer = open_manager_page(visit, table).page, visit(table.page("dealer")).page
    table.say("shuffled", role="dealer")
    table.say("open")
    table.say("bet", player="p1", market="ante", stake=1000)
    table.say("close")
    table.draw(*cards)
    table.comes("asked")
    expect(dealer.locator(".next h1")).to_have_text("p1")
    rights = "all => all.map(one => [one.getBoundingClientRect().x, one.dataset.place]).sort((a, b) => a[0] - b[0])"
    shown = dealer.locator(".place").evaluate_all(rights)
    assert [place for _, place in shown] == ["dealer", "board", "player"]
    expect(manager.locator(".spot")).to_have_count(3)
    spots = manager.locator(".spot").evaluate_all("all => all.map(one => one.dataset.place)")
    assert spots == ["dealer", "board", "player"]
    table.say("press", role="dealer", key="exposed")
    expect(manager.locator(".fault h2")).to_have_text("A face-down card was seen")
    expect(dealer.locator(".stop h1")).to_have_text("A face-down card was seen")
    expect(manager.locator("[data-fact=decisions] dd")).to_contain_text("p1")


def test_overdue_ruling_shows_the_advice_on_the_advised_button(hall, visit):
    table = hall(cards=OVERDRAWN, timers="ruling = 1")
    page = open_manager_page(visit, table).page
    dealt(table, OVERDRAWN)
    expect(ruling_button(page, "Cancel").locator("em")).to_have_text("Advised: nobody has ruled in time.")
    expect(ruling_button(page, "Burn").locator("em")).to_have_text("")
    expect(page.locator("[data-fact=limit] dd")).to_have_text("overdue")
    expect(page.locator("[data-fact=called] dd")).to_have_text("1 ×")


def test_more_time_can_be_taken_after_the_offer_three_times(hall, visit):
    table = hall(cards=OVERDRAWN, timers="ruling = 1")
    page = open_manager_page(visit, table).page
    dealt(table, OVERDRAWN)
    expect(page.locator("[data-fact=limit] dd")).to_have_text("overdue")
    for taken in range(1, 4):
        page.locator(".fault .more").tap()
        eventually(lambda count=taken: len(table.records("extended")) == count)
    expect(page.locator(".fault .more")).to_be_hidden()


def test_tie_is_shown_on_one_line_and_listed_in_history(hall, visit):
    cards = ("9C", "9D", "KD", "KH")
    table = hall(cards=cards)
    page = open_manager_page(visit, table).page
    dealt(table, cards)
    table.comes("completed")
    table.say("press", role="dealer", key="finish")
    expect(page.locator(".came h2")).to_have_text("TIE 9 : 9 · natural")
    expect(page.locator(".last")).to_be_hidden()
    table.say("open")
    expect(page.locator(".came")).to_have_text("Result 1TIE 9 : 9 · natural")
    expect(page.locator(".last li")).to_have_text("1TIE 9 : 9 · natural")


@pytest.mark.proof
def test_romanian_phone_page_shows_no_raw_keys_or_cut_state(hall, visit):
    table = hall(cards=OVERDRAWN)
    page = visit(f"{table.page('manager')}?lang=ro", PHONE).page
    page.get_by_label("Nume").fill("anna")
    comes_back(page)
    expect_signed_in(page)
    whole = "one => one.scrollWidth <= one.clientWidth && one.getBoundingClientRect().right <= innerWidth"
    raw = re.compile(r"\b[a-z]+_[a-z]+|\bseat\d", re.MULTILINE)
    dealt(table, OVERDRAWN[:4])
    expect_life(page, "complete")
    assert page.locator("header .life").evaluate(whole)
    expect(page.locator("main")).to_contain_text("orice pereche")
    assert raw.findall(page.locator("main").inner_text()) == []
    table.say("press", role="dealer", key="dropped")
    expect(page.locator("header .life")).to_have_text("ÎN PAUZĂ")
    assert raw.findall(page.locator("main").inner_text()) == []


def test_a_rulings_text_holds_only_for_the_proposed_card(hall, visit):
    table = hall(cards=OVERDRAWN)
    page = visit(table.page("manager")).page
    sign_in(page, "anna")
    expect_signed_in(page)
    dealt(table, OVERDRAWN)
    button = ruling_button(page, "burn")
    meant = button.locator("b").inner_text()
    button.tap()
    expect(page.locator(".rule h2")).to_have_text(meant)
    expect(page.locator(".rule .means")).to_be_visible()
    page.locator(".felt button.lying", has_text="#1").tap()
    expect(page.locator(".rule h2")).to_have_text("Burn the card")
    expect(page.locator(".rule .confirm")).to_contain_text("Burn the card")
    expect(page.locator(".rule .means")).to_have_count(0)


@pytest.mark.proof
def test_old_panel_keeps_every_correction_choice_in_sight(hall, visit):
    table = hall("blackjack", ON_A_SIX)
    page = visit(f"{table.page('manager')}?lang=ro", OLD_PANEL).page
    page.get_by_label("Nume").fill("anna")
    comes_back(page)
    table.decides_on_a_six()
    assert page.evaluate(COVERED) == []
    ruling_button(page, "Corect").tap()
    page.locator(".felt button.lying", has_text="#7").tap()
    page.locator(".rule .ranks").get_by_role("button", name="9", exact=True).tap()
    page.locator(".rule .suits button").last.tap()
    expect(page.locator(".rule .touched button")).to_have_count(3)
    assert page.locator(".rule :is(.choice, .other)").evaluate_all(HIDDEN) == []
