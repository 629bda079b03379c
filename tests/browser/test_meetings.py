"""The shift manager's page when two things coincide: a fault during typing, two people, a late PIN."""

import pytest
from playwright.sync_api import expect

from tests.browser.held_requests import HeldRequests
from tests.browser.people import (
    confirm_ruling,
    expect_life,
    expect_signed_in,
    give_reason,
    open_manager_page,
    preview_ruling,
    ruling_button,
    sign_in,
    type_pin,
)
from tests.browser.table_process import ON_A_SIX, OVERDRAWN, PINS
from tests.browser.test_manager import dealt, lapses
from tests.browser.test_resettling import confirms as settles
from tests.browser.test_resettling import opens, played, says_why, shows_second, ties


def calls_the_manager(table):
    table.say("press", role="dealer", key="manager")


def touches_of(table, *kinds):
    return [(one.kind, one.what.by) for one in table.files.records() if one.kind in kinds and one.what.by]


def putting_right(hall, visit):
    """Correct a table's first round until only the second person is missing; return table and page."""
    table = played(hall)
    page = open_manager_page(visit, table).page
    opens(page, 1)
    ties(page)
    says_why(page)
    return table, page


# ── what is being typed when a fault comes ───────────────────────────────────────────────────────────────────────


def test_a_pin_typed_as_a_fault_comes_rules_nothing(hall, visit):
    table, page = putting_right(hall, visit)
    page.locator(".amend .shown input").first.fill("bea")
    page.locator(".amend .shown input[type=password]").focus()
    table.say("open")
    calls_the_manager(table)
    expect_life(page, "paused")
    page.keyboard.type(PINS["bea"], delay=100)
    page.keyboard.press("Enter")
    page.locator(".fault .here").tap()
    table.comes("acknowledged")
    assert touches_of(table, "acknowledged", "ruled") == [("acknowledged", "anna")]


def test_a_badge_number_typed_as_a_fault_comes_rules_nothing(hall, visit):
    table = hall(cards=OVERDRAWN)
    page = open_manager_page(visit, table).page
    page.locator(".acts button").filter(has_text="ealer").first.tap()
    expect(page.locator(".acts input")).to_be_focused()
    page.keyboard.type("10")
    calls_the_manager(table)
    expect_life(page, "paused")
    page.keyboard.type("12", delay=100)
    page.keyboard.press("Enter")
    page.locator(".fault .here").tap()
    table.comes("acknowledged")
    assert touches_of(table, "acknowledged", "ruled") == [("acknowledged", "anna")]


# ── who confirms, and what ───────────────────────────────────────────────────────────────────────────────────────


def test_a_second_pin_counts_only_for_the_chosen_hand(hall, visit):
    table = hall("blackjack", ON_A_SIX, table="[rulings]\nsecond_person_above = 1.00")
    page = open_manager_page(visit, table).page
    table.decides_on_a_six()
    ruling_button(page, "Void").tap()
    hands = page.locator(".rule .lays .choice")
    hands.nth(0).tap()
    give_reason(page)
    page.locator(".rule .shown").get_by_label("Badge number or name").fill("bea")
    page.locator(".rule .shown input[type=password]").fill(PINS["bea"])
    expect(page.locator(".rule .confirm")).to_be_enabled()
    hands.nth(2).tap()
    expect(page.locator(".rule .lays .choice").nth(2)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".rule .shown input[type=password]")).to_have_value("")
    expect(page.locator(".rule .confirm")).to_be_disabled()


@pytest.mark.proof
def test_a_second_pin_counts_only_for_the_shown_corrections(hall, visit):
    _, page = putting_right(hall, visit)
    shows_second(page)
    page.get_by_role("button", name="Make the round void").tap()
    expect(page.locator(".amend .leads .says")).to_contain_text("Void: every stake goes back")
    expect(page.locator(".amend .confirm")).to_be_disabled()


@pytest.mark.proof
def test_the_choice_for_decisions_outlives_a_lapsed_sign_in(hall, visit):
    table = hall("blackjack", ON_A_SIX, web="idle = 8")
    page = open_manager_page(visit, table).page
    table.decides_on_a_six()
    ruling_button(page, "Correct").tap()
    page.locator(".felt button.lying", has_text="#7").tap()
    page.locator(".rule .ranks").get_by_role("button", name="9", exact=True).tap()
    page.locator(".rule .suits button").last.tap()
    page.locator(".rule .touched button").nth(1).tap()
    chosen = page.locator(".rule .touched [aria-pressed=true]")
    what = page.locator(".rule .touched button").nth(1).text_content()
    expect(chosen).to_have_text(what)
    expect(page.locator(".rule .pin")).to_be_visible()
    expect(page.locator(".rule .leads")).not_to_contain_text("…")
    expect(chosen).to_have_text(what)


@pytest.mark.proof
def test_an_effect_is_asked_anew_after_a_wrong_pin(hall, visit):
    table = hall(cards=("9C", "2D", "KD", "3H"), web="idle = 4")
    look = visit(table.page("manager"))
    look.may_fail, page = True, look.page
    sign_in(page, "anna")
    lapses(page)
    table.say("open")
    table.say("close")
    table.draw("9C", "2D", "KD")
    table.shoe.draw(unreadable=True)
    ruling_button(page, "Burn").tap()
    expect(page.locator(".rule .leads")).to_contain_text("waiting for a card to")
    type_pin(page, ".rule", "9999")
    posts = HeldRequests(page, "**/session?*", times=1)
    confirm_ruling(page)
    post = posts.comes()
    table.shoe.redraw()
    expect(page.locator(".loose [role=img]").first).to_be_visible()
    post.continue_()
    expect(page.locator(".rule .error")).to_have_text("wrong name or PIN")
    expect(page.locator(".rule .leads")).to_contain_text("draw 5 goes to")


# ── what belongs to one fault ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.proof
def test_a_note_about_one_fault_is_hidden_at_the_next(hall, visit):
    table = hall(cards=(*OVERDRAWN, *OVERDRAWN))
    page = open_manager_page(visit, table, "bea").page
    dealt(table, OVERDRAWN)
    preview_ruling(page, "Cancel")
    burnt = {"ruling": "burn", "draw": 5, "because": "x", "by": "anna"}
    table.say("rule", role="manager", fault=table.comes("faulted").seq, **burnt)
    expect(page.locator(".note")).to_have_text("Somebody has ruled on this fault meanwhile")
    dealt(table, OVERDRAWN[:1])
    calls_the_manager(table)
    expect(page.locator(".fault h2")).to_have_text("The dealer calls you")
    expect(page.locator(".note")).to_be_hidden()


@pytest.mark.proof
def test_extra_time_waiting_for_a_pin_ends_with_its_fault(hall, visit):
    table = hall(cards=OVERDRAWN, web="idle = 4")
    page = open_manager_page(visit, table).page
    lapses(page)
    dealt(table, OVERDRAWN)
    page.locator(".fault .more").tap()
    burnt = {"ruling": "burn", "draw": 5, "because": "x", "by": "bea"}
    table.say("rule", role="manager", fault=table.comes("faulted").seq, **burnt)
    expect(page.locator(".fault")).to_be_hidden()
    table.say("open")
    calls_the_manager(table)
    expect(page.locator(".fault h2")).to_have_text("The dealer calls you")
    type_pin(page, ".lapsed")
    page.locator(".lapsed .go").tap()
    expect(page.locator("form.lapsed")).to_be_hidden()
    page.locator(".fault .here").tap()
    table.comes("acknowledged")
    assert touches_of(table, "acknowledged", "extended") == [("acknowledged", "anna")]


# ── late answers ─────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.proof
def test_signing_out_on_a_cut_line_still_signs_out(hall, visit):
    table = hall()
    look = visit(table.page("manager"))
    look.may_fail, page = True, look.page
    sign_in(page, "anna")
    expect_signed_in(page)
    page.route("**/session", lambda route: route.abort(), times=1)
    with page.expect_response(lambda answer: answer.request.method == "DELETE"):
        page.locator(".out").tap()
    expect(page.locator(".gate")).to_be_visible()
    page.reload()
    expect(page.locator(".gate")).to_be_visible()


@pytest.mark.proof
def test_a_late_answer_to_one_act_keeps_the_next_form(hall, visit):
    table = hall()
    page = open_manager_page(visit, table).page
    page.locator(".act").nth(0).tap()
    commands = HeldRequests(page, "**/api/commands*", times=1)
    page.locator(".acts form .confirm").tap()
    command = commands.comes()
    page.locator(".act").nth(1).tap()
    page.locator(".acts input").fill("10")
    command.continue_()
    expect(page.locator(".note")).to_contain_text("Done: ")
    expect(page.locator(".acts input")).to_have_value("10")


@pytest.mark.proof
def test_escape_closes_only_the_view_on_the_screen(hall, visit):
    table = played(hall)
    page = open_manager_page(visit, table).page
    table.say("open")
    calls_the_manager(table)
    expect_life(page, "paused")
    ruling_button(page, "Resume").tap()
    page.locator(".tabs button").nth(1).tap()
    page.locator(".rounds .round").first.tap()
    expect(page.locator(".story .leave")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".story")).to_be_hidden()
    page.locator(".tabs button").first.tap()
    expect(page.locator("form.rule")).to_be_visible()


@pytest.mark.proof
def test_leaving_during_a_resettlement_still_shows_its_result(hall, visit):
    _, page = putting_right(hall, visit)
    shows_second(page)
    posts = HeldRequests(page, "**/api/rulings*", times=1)
    settles(page)
    post = posts.comes()
    page.locator(".amend .leave").tap()
    expect(page.locator(".put-right")).to_be_visible()
    post.continue_()
    expect(page.locator(".revision")).to_have_count(1)
