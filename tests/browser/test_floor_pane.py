"""The console beside the floor's strips: its layout, which call it shows, and its sign-in."""

import re

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from tests.browser.conftest import FULL_HD, OLD_PANEL
from tests.browser.fake_floor import alarm, calling_strip, warned_strip
from tests.browser.floor_actions import FRAME, HERS, console, many_strips, open_floor, wait_for_acts, wait_for_changes
from tests.repeats import first_of

LINES = "title => Math.round(title.getBoundingClientRect().height / parseFloat(getComputedStyle(title).lineHeight))"
CHANGED = 'new BroadcastChannel("tablectl-session").postMessage("changed")'  # as another page of this browser does
NARROW = {"width": 1280, "height": 800}  # the least width with a console beside the strips


@pytest.mark.parametrize(
    ("size", "most"), first_of(1, [(NARROW, 1), (FULL_HD, 1), (OLD_PANEL, 2)]), ids=["narrow", "full-hd", "old-panel"]
)
def test_faults_title_keeps_its_lines_while_a_ruling_is_made(floor, visit, size, most):
    main = floor(*many_strips(12))
    page = open_floor(visit, main, size)
    main.tell(calling_strip("T7"))
    if size is OLD_PANEL:
        page.locator(".call .open").tap()
    console(page).locator(".ruling").first.tap()
    expect(console(page).locator(".rule .confirm")).to_be_visible()
    title = console(page).locator(".fault h2")
    expect(title).to_have_text("One card too many")
    assert title.evaluate(LINES) <= most


def test_digits_are_shown_only_where_a_key_press_works(floor, visit):
    main = floor(*many_strips(12))
    page = open_floor(visit, main, FULL_HD)
    main.tell(calling_strip("T7"))
    calls, rulings = page.locator(".call kbd").first, console(page).locator("button.ruling kbd").first
    console(page).locator(".spot").first.click()
    expect(rulings).to_be_visible()
    expect(calls).not_to_be_visible()
    page.locator("header h1").click()
    expect(calls).to_be_visible()
    expect(rulings).not_to_be_visible()


def test_claiming_a_call_opens_its_console(floor, visit):
    main = floor(*many_strips(12), *(calling_strip(f"T{number}", waited=90 - number) for number in (1, 2, 3)))
    page = open_floor(visit, main, FULL_HD)
    shown = page.locator(".call[data-shown]")
    expect(shown).to_contain_text("T1")
    page.locator(".call", has_text="T3").locator(".claim").tap()
    main.tell(calling_strip("T3", waited=87, claim=HERS))
    expect(shown).to_contain_text("T3")
    main.tell(calling_strip("T1", waited=95))  # it still calls, but does not replace the console in use
    expect(shown).to_contain_text("T3")


def test_claiming_a_second_call_opens_its_console_too(floor, visit):
    main = floor(*many_strips(12), *(calling_strip(f"T{number}", waited=90 - number) for number in (1, 2, 3)))
    page = open_floor(visit, main, FULL_HD)
    shown = page.locator(".call[data-shown]")
    for number in (1, 3):
        page.locator(".call", has_text=f"T{number}").locator(".claim").tap()
        expect(shown).to_contain_text(f"T{number}")
        main.tell(calling_strip(f"T{number}", waited=90 - number, claim=HERS))
    main.tell(calling_strip("T2", waited=95))  # when the page knows that both are hers
    wait_for_changes(page, 3)
    expect(shown).to_contain_text("T3")


def test_claiming_another_call_keeps_a_ruling_in_progress_open(floor, visit):
    main = floor(*many_strips(12), *(calling_strip(f"T{number}", waited=90 - number) for number in (1, 2)))
    page = open_floor(visit, main, FULL_HD)
    console(page).locator(".ruling").first.tap()
    page.locator(".call", has_text="T2").locator(".claim").tap()
    wait_for_acts(main, 1)
    expect(page.locator(".note")).to_contain_text("T2")
    expect(page.locator(".call[data-shown]")).to_contain_text("T1")
    expect(console(page).locator(".rule .confirm")).to_be_visible()


def test_a_half_made_ruling_is_there_after_another_call(floor, visit):
    main = floor(*many_strips(12), *(calling_strip(f"T{number}", waited=90 - number) for number in (1, 2, 3)))
    page = open_floor(visit, main, FULL_HD)
    shown, half = page.locator(".call[data-shown]"), console(page).locator(".rule .why [aria-pressed=true]")
    console(page).locator(".ruling").first.tap()
    console(page).locator(".rule .why button").nth(1).tap()
    reason = half.text_content()
    for number in (2, 3):
        page.locator(".call", has_text=f"T{number}").locator(".open").tap()
        expect(page.locator(FRAME)).to_have_attribute("title", f"T{number}")
        expect(console(page).locator(".ruling").first).to_be_visible()
    expect(half).to_have_count(0)
    page.locator(".call", has_text="T1").locator(".open").tap()
    expect(shown).to_contain_text("T1")
    expect(half).to_have_text(reason)
    console(page).locator(".rule .confirm").tap()
    expect(page.locator(".note")).to_have_text(re.compile("^T1 · Done: "))
    page.locator(".call", has_text="T2").locator(".open").tap()
    page.locator(".call", has_text="T1").locator(".open").tap()
    expect(page.locator(FRAME)).to_have_attribute("title", "T1")
    expect(console(page).locator("form.rule")).to_be_hidden()
    expect(page.locator(".pane iframe")).to_have_count(1)


def test_a_case_opens_its_round_in_the_console_shown(floor, visit):
    case = replace(alarm("T3", "case"), key="T3:case:1")
    page = open_floor(visit, floor(*many_strips(12), warned_strip("T3", case)), FULL_HD)
    page.locator(".cell", has_text="T3").tap()
    expect(console(page).locator(".tabs [aria-current]")).to_have_text("Table")
    page.locator(".alarm .open").tap()
    expect(console(page).locator(".tabs [aria-current]")).to_have_text("Rounds")
    expect(console(page).locator(".view-rounds .story h2")).to_be_visible()


def test_pin_is_asked_in_one_place_until_an_act_waits(floor, visit):
    main = floor(*many_strips(12), calling_strip("T7"))
    main.lapsed = True
    page = open_floor(visit, main, FULL_HD)
    box = page.locator("form.lapsed")
    expect(console(page).locator("form.lapsed")).to_be_visible()
    expect(box).to_have_css("opacity", "0")
    page.locator(".call .claim").tap()
    expect(box).to_have_css("opacity", "1")
    expect(box.locator("input")).to_be_focused()
    page.locator(".tabs button", has_text="People").tap()  # a view without a console
    expect(box).to_have_css("opacity", "1")


def test_an_act_is_forgotten_when_the_console_took_the_pin(floor, visit):
    main = floor(*many_strips(12), calling_strip("T7"), calling_strip("T8", waited=5))
    main.lapsed = True
    page = open_floor(visit, main, FULL_HD)
    expect(console(page).locator("form.lapsed")).to_be_visible()
    page.locator(".call .claim").first.tap()
    main.lapsed = False
    console(page).locator("form.lapsed input").fill("2580")
    console(page).locator("form.lapsed .go").click()
    expect(page.locator("form.lapsed")).to_be_hidden()
    main.lapsed = True
    page.evaluate(CHANGED)
    expect(page.locator("form.lapsed")).to_be_attached()
    page.locator("form.lapsed:visible input").fill("2580")
    main.lapsed = False
    page.keyboard.press("Enter")
    expect(page.locator("form.lapsed")).to_be_hidden()
    page.locator(".call .claim").last.tap()
    assert [act["table"] for act in wait_for_acts(main, 1)] == ["T8"]
