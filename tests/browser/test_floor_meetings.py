"""The floor's page when two things coincide: a console loads during a touch, two people, a late PIN."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import FULL_HD
from tests.browser.fake_floor import ALL, calling_strip, warned_strip
from tests.browser.floor_actions import (
    FRAME,
    HERS,
    HIS,
    console,
    leave_console,
    many_strips,
    open_floor,
    sign_in_at_floor,
    wait_for_acts,
    wait_for_changes,
)
from tests.browser.held_requests import HeldRequests
from tests.browser.people import give_reason
from tests.browser.pictures import PHONE

CHANGED = 'new BroadcastChannel("tablectl-session").postMessage("changed")'  # as another page of this browser does
STRANGE = 400  # ms in which a button that has replaced another one ignores touches


def kept_back(page: Page, table: str) -> HeldRequests:
    """Hold the requests for this table's console."""
    return HeldRequests(page, re.compile(f"/tables/{table}/manager"))


def wait_for_console(page: Page, table: str) -> None:
    """Wait until this table's console is shown with its rulings."""
    expect(page.locator(FRAME)).to_have_attribute("title", table)
    expect(console(page).locator(".ruling").first).to_be_visible()


def half_makes(page: Page) -> str:
    """Choose a ruling and a reason in the console without confirming; return the reason."""
    console(page).locator(".ruling").first.tap()
    console(page).locator(".rule .why button").nth(1).tap()
    return console(page).locator(".rule .why [aria-pressed=true]").text_content()


def middle(page: Page, part: str) -> tuple[float, float]:
    box = page.locator(part).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


# ── a console that is still loading ──────────────────────────────────────────────────────────────────────────────


def test_keys_meant_for_a_coming_console_rule_on_no_other(floor, visit):
    main = floor(*many_strips(12), calling_strip("T7"), calling_strip("T9", waited=5))
    page = open_floor(visit, main)
    wait_for_console(page, "T7")
    late = kept_back(page, "T9")
    leave_console(page)
    page.keyboard.press("2")
    expect(page.locator(".call[data-shown]")).to_contain_text("T9")
    for key in ("1", "1", "Enter"):
        page.keyboard.press(key, delay=150)  # like a hand: each press is drawn before the next
    late.comes().continue_()
    wait_for_console(page, "T9")
    console(page).locator(".ruling").first.tap()
    give_reason(console(page))
    console(page).locator(".rule .confirm").tap()
    expect(page.locator(".note")).to_have_text(re.compile("^T9 · Done: "))
    assert [command["table"] for command in main.commands] == ["T9"]


def test_console_coming_by_itself_takes_no_ruling_from_hands(floor, visit):
    main = floor(*many_strips(12), calling_strip("T7"))
    page = open_floor(visit, main)
    wait_for_console(page, "T7")
    late = kept_back(page, "T9")
    main.tell(calling_strip("T7", claim=HIS), calling_strip("T9", waited=5))
    coming = late.comes()
    console(page).locator(".ruling").first.tap()
    give_reason(console(page))
    coming.continue_()
    expect(page.locator(".call[data-shown]")).to_contain_text("T7")
    expect(page.locator(FRAME)).to_have_attribute("title", "T7")
    console(page).locator(".rule .confirm").tap()
    expect(page.locator(".note")).to_have_text(re.compile("^T7 · Done: "))


@pytest.mark.proof
def test_a_coming_console_takes_no_key_of_a_pin(floor, visit):
    main = floor(*many_strips(12), calling_strip("T7"), calling_strip("T9", waited=5))
    main.lapsed = True
    page = open_floor(visit, main)
    expect(console(page).locator("form.lapsed")).to_be_visible()
    late = kept_back(page, "T9")
    page.locator(".call", has_text="T9").locator(".open").tap()
    page.locator(".call", has_text="T9").locator(".claim").tap()
    expect(page.locator("form.lapsed input")).to_be_focused()
    page.keyboard.type("25")
    late.comes().continue_()
    expect(page.locator(FRAME)).to_have_attribute("title", "T9")
    expect(console(page).locator("form.lapsed")).to_be_visible()
    main.lapsed = False
    page.keyboard.type("80")
    page.keyboard.press("Enter")
    assert [act["act"] for act in wait_for_acts(main, 1)] == ["claim"]


@pytest.mark.proof
def test_a_coming_console_takes_no_letter_of_a_reason(floor, visit):
    page = open_floor(visit, floor(*many_strips(12), calling_strip("T7"), warned_strip("T3")))
    wait_for_console(page, "T7")
    late = kept_back(page, "T3")
    page.locator(".alarm .open").tap()
    page.locator(".alarm .shelve").tap()
    page.keyboard.type("a spare is ")
    late.comes().continue_()
    wait_for_console(page, "T3")
    page.keyboard.type("on its way")
    expect(page.locator("[name=because]")).to_have_value("a spare is on its way")


@pytest.mark.proof
def test_a_half_made_ruling_outlives_a_touch_beside_it(floor, visit):
    page = open_floor(visit, floor(*many_strips(12), calling_strip("T1", waited=90), calling_strip("T2")))
    reason = half_makes(page)
    kept_back(page, "T2")
    page.locator(".call", has_text="T2").locator(".open").tap()
    expect(page.locator(".call[data-shown]")).to_contain_text("T2")
    page.locator(".call", has_text="T1").locator(".open").tap()
    expect(page.locator(".pane iframe")).to_have_count(1)
    expect(page.locator(FRAME)).to_have_attribute("title", "T1")
    expect(console(page).locator(".rule .why [aria-pressed=true]")).to_have_text(reason)


@pytest.mark.proof
@pytest.mark.parametrize("way", ["back", "history", "wall"])
def test_a_half_made_ruling_outlives_a_look_at_the_floor(floor, visit, way):
    page = open_floor(
        visit,
        floor(*many_strips(12), calling_strip("T1", waited=90), calling_strip("T2")),
        FULL_HD if way == "wall" else PHONE,
    )
    if way != "wall":
        page.locator(".call", has_text="T1").locator(".open").tap()
    reason = half_makes(page)
    if way == "back":
        page.locator(".pane .back").tap()
    elif way == "history":
        page.go_back()
    else:
        page.locator(".wall").tap()
    expect(page.locator(FRAME)).to_have_count(0)
    if way == "wall":
        page.locator(".wall").tap()
    page.locator(".call", has_text="T1").locator(".open").tap()
    expect(console(page).locator(".rule .why [aria-pressed=true]")).to_have_text(reason)


# ── two people, and two touches ──────────────────────────────────────────────────────────────────────────────────


def test_a_late_touch_on_coming_releases_nobody_elses_call(floor, visit):
    main = floor(*many_strips(12), calling_strip("T7"), may=(*ALL, "release"))
    page = open_floor(visit, main)
    page.wait_for_timeout(STRANGE)  # as long as the new strip ignores touches
    place = middle(page, ".call .claim")
    main.tell(calling_strip("T7", claim=HIS))
    expect(page.locator(".call .release")).to_be_visible()
    page.touchscreen.tap(*place)
    page.wait_for_timeout(STRANGE)
    page.touchscreen.tap(*place)  # by a person who has read the new button
    assert [act["act"] for act in wait_for_acts(main, 1)] == ["release"]


def test_a_double_touch_on_coming_does_not_release_the_call(floor, visit):
    main = floor(*many_strips(12), calling_strip("T7"))
    page = open_floor(visit, main)
    page.wait_for_timeout(STRANGE)
    place = middle(page, ".call .claim")
    page.touchscreen.tap(*place)
    wait_for_acts(main, 1)
    main.tell(calling_strip("T7", claim=HERS))
    expect(page.locator(".call .release")).to_be_visible()
    page.touchscreen.tap(*place)
    page.wait_for_timeout(STRANGE)
    page.touchscreen.tap(*place)
    assert [act["act"] for act in wait_for_acts(main, 2)] == ["claim", "release"]


@pytest.mark.proof
def test_c_pressed_twice_claims_one_call(floor, visit):
    main = floor(*many_strips(12), calling_strip("T7"), calling_strip("T9", waited=5))
    page = open_floor(visit, main)
    wait_for_console(page, "T7")
    leave_console(page)
    page.keyboard.press("c")
    wait_for_acts(main, 1)
    main.tell(calling_strip("T7", claim=HERS))
    wait_for_changes(page, 1)
    page.keyboard.press("c")
    page.locator(".call", has_text="T9").locator(".claim").tap()
    assert [act["table"] for act in wait_for_acts(main, 2)] == ["T7", "T9"]


@pytest.mark.proof
def test_a_console_claims_a_call_before_its_strip_shows_it(floor, visit):
    main = floor(*many_strips(12))
    page = open_floor(visit, main)
    page.locator(".cell", has_text="T3").first.tap()
    console(page).locator(".here").tap()
    assert [(act["act"], act["table"]) for act in wait_for_acts(main, 1)] == [("claim", "T3")]


# ── who is signed in ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.proof
def test_an_act_waits_until_the_pin_is_right(floor, visit):
    main = floor(*many_strips(12), calling_strip("T7"))
    main.lapsed = True
    page = open_floor(visit, main, may_fail=True)
    page.locator(".call .claim").tap()
    pin = page.locator("form.lapsed input")
    pin.fill("2508")
    page.keyboard.press("Enter")
    expect(page.locator("form.lapsed .error")).to_contain_text("Wrong")
    main.lapsed = False
    pin.fill("2580")
    page.keyboard.press("Enter")
    assert [act["act"] for act in wait_for_acts(main, 1)] == ["claim"]


@pytest.mark.proof
def test_all_chosen_tables_are_given_after_the_pin(floor, visit):
    main = floor(*many_strips(12))
    main.lapsed = True
    page = open_floor(visit, main)
    page.locator(".tabs button", has_text="People").tap()
    for table in ("T2", "T3", "T4"):
        page.locator(".whose .table", has_text=re.compile(f"^{table}(?!\\d)")).tap()
    page.locator(".person", has_text="Bogdan Ilie").tap()
    main.lapsed = False
    page.locator("form.lapsed input").fill("2580")
    page.keyboard.press("Enter")
    assert [act["table"] for act in wait_for_acts(main, 3)] == ["T2", "T3", "T4"]


@pytest.mark.proof
def test_an_open_dialog_is_closed_when_the_gate_appears(floor, visit):
    main = floor(warned_strip("T3"))
    page = open_floor(visit, main)
    page.locator(".alarm .shelve").tap()
    main.signed_out()
    page.evaluate(CHANGED)
    expect(page.locator(".gate")).to_be_visible()
    expect(page.locator("dialog.shelve")).to_be_hidden()


@pytest.mark.proof
def test_chosen_tables_are_forgotten_by_the_next_person(floor, visit):
    page = open_floor(visit, floor(*many_strips(12)))
    page.locator(".tabs button", has_text="People").tap()
    page.locator(".whose .table").first.tap()
    page.locator(".out").tap()
    sign_in_at_floor(page, "Carmen Radu", "2580")
    page.locator(".tabs button", has_text="People").tap()
    expect(page.locator(".whose .table").first).to_be_visible()
    expect(page.locator(".whose [aria-pressed=true]")).to_have_count(0)


@pytest.mark.proof
def test_a_late_answer_is_not_shown_at_the_gate(floor, visit):
    main = floor(*many_strips(12), calling_strip("T7"))
    page = open_floor(visit, main)
    acts = HeldRequests(page, "**/api/floor/acts*")
    page.locator(".call .claim").tap()
    act = acts.comes()
    page.locator(".out").tap()
    expect(page.locator(".gate")).to_be_visible()
    with page.expect_response("**/api/floor/acts*"):
        act.continue_()
    page.evaluate("new Promise(requestAnimationFrame)")
    assert page.locator("iframe").count() == 0
    assert page.locator(".note").is_hidden()


@pytest.mark.proof
def test_signing_out_of_the_floor_works_on_a_cut_line(floor, visit):
    page = open_floor(visit, floor(*many_strips(12)), may_fail=True)
    cut: list[Route] = []

    def lost(route: Route) -> None:
        is_first = route.request.method == "DELETE" and not cut
        if is_first:
            cut.append(route)
        route.abort() if is_first else route.continue_()

    page.route("**/session", lost)
    with page.expect_response(lambda answer: answer.request.method == "DELETE"):
        page.locator(".out").tap()
    expect(page.locator(".gate")).to_be_visible()
    page.reload()
    expect(page.locator(".gate")).to_be_visible()
