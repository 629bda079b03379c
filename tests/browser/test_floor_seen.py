"""The floor's page: nothing moves under a finger, a lost line is reported, every screen is legible."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.fake_floor import FakeFloor, ago, alarm, calling_strip, strip, warned_strip
from tests.browser.floor_actions import (
    FRAME,
    HERS,
    HIS,
    console,
    many_strips,
    open_floor,
    shown_calls,
    stop_clock,
    wait_for_acts,
    wait_for_changes,
)
from tests.browser.layout_checks import layout_faults
from tests.browser.line_proxy import LineProxy
from tests.browser.people import give_reason
from tests.browser.pictures import PHONE
from tests.browser.romanian_texts import untranslated
from tests.browser.states import SIZES
from tests.browser.test_accessible import accessibility_faults
from tests.browser.test_weight import LARGEST, SHIFTS, weigh
from tests.patience import eventually


@pytest.mark.proof
def test_strips_wait_with_moving_until_a_touch_is_over(floor, visit):
    main = floor(*many_strips(12), calling_strip("T7"), calling_strip("T9", waited=20))
    page = open_floor(visit, main, clock=True)
    page.locator(".call .claim").first.hover()
    stop_clock(page)
    page.mouse.down()
    main.tell(calling_strip("T11", waited=500))
    wait_for_changes(page, 1)
    page.clock.run_for(700)
    assert shown_calls(page) == ["T7", "T9"]
    page.mouse.up()
    page.clock.run_for(400)
    assert shown_calls(page) == ["T7", "T9"]
    page.clock.run_for(200)
    assert shown_calls(page) == ["T11", "T7", "T9"]
    page.mouse.down()  # by a person who meant the strip that lay there before
    page.mouse.up()
    page.clock.run_for(1_000)
    page.locator(".call").last.locator(".claim").tap()
    page.clock.run_for(1_000)
    assert [act["table"] for act in wait_for_acts(main, 2)] == ["T7", "T9"]


@pytest.mark.proof
def test_a_console_that_comes_moves_nothing_under_a_finger(floor, visit):
    main = floor(*many_strips(12), calling_strip("T7"), calling_strip("T9", waited=20))
    page = open_floor(visit, main)
    expect(page.locator(".call[data-shown] .table")).to_have_text("T7")
    page.locator(".call .claim").first.hover()
    page.mouse.down()
    main.tell(calling_strip("T11", waited=500))
    wait_for_changes(page, 1)
    page.locator(".call .open").nth(1).press("Enter")
    expect(page.locator(".call[data-shown] .table")).to_have_text("T9")
    assert shown_calls(page) == ["T7", "T9"]
    page.mouse.up()
    expect(page.locator(".call")).to_have_count(3)
    assert shown_calls(page) == ["T11", "T7", "T9"]


@pytest.mark.proof
def test_held_pointer_delays_a_new_call_ten_seconds_at_most(floor, visit):
    main = floor(*many_strips(12), calling_strip("T7"))
    page = open_floor(visit, main, clock=True)
    page.locator(".call .claim").hover()
    stop_clock(page)
    page.mouse.down()
    main.tell(calling_strip("T11", waited=500))
    wait_for_changes(page, 1)
    page.clock.run_for(9_000)
    assert shown_calls(page) == ["T7"]
    page.clock.run_for(1_500)
    expect(page.locator(".call")).to_have_count(2)
    page.mouse.up()


@pytest.mark.proof
def test_table_cells_keep_their_places_when_calls_start_or_end(floor, visit):
    main = floor(*many_strips(60))
    page = open_floor(visit, main)
    places = """[...document.querySelectorAll(".cell")]
        .map((one) => [one.firstChild.textContent, one.offsetTop, one.offsetLeft].join())"""
    before = page.evaluate(places)
    page.evaluate(SHIFTS)
    main.tell(calling_strip("T7"), calling_strip("T30"), warned_strip("T8"))
    expect(page.locator(".call")).to_have_count(2)
    assert page.evaluate(places) == before
    main.tell(strip("T7"), strip("T8"))
    expect(page.locator(".call")).to_have_count(1)
    assert page.evaluate(places) == before
    assert page.evaluate("window.shifted") < 0.01  # only the strips of calls have moved


# ── the line ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.proof
def test_cut_floor_line_is_reported_and_missed_calls_appear_afterwards(floor, visit):
    main = floor(*many_strips(12))
    with LineProxy(int(main.url.rpartition(":")[2])) as line:
        page = open_floor(visit, main, may_fail=True, url=f"http://127.0.0.1:{line.port}")
        line.cut()
        expect(page.locator(".stale")).to_have_text(re.compile(r"No connection to the floor since \d\d:\d\d:\d\d"))
        main.tell(calling_strip("T7"))
        line.mend()
        expect(page.locator(".stale")).to_be_hidden()
        expect(page.locator(".call .table")).to_have_text("T7")
        page.goto("about:blank")  # before the line closes: the page's console is still loading


SILENT = "performance.now() - window.heard"


def passes(page: Page, milliseconds: int) -> bool:
    """Let this much time pass on the page's clock; return True if the page reports the floor as lost."""
    page.clock.run_for(milliseconds)
    return page.locator(".stale").is_visible()


@pytest.mark.proof
def test_floor_is_shown_as_stale_after_three_silent_seconds(floor, visit):
    main = floor(*many_strips(12))
    with LineProxy(int(main.url.rpartition(":")[2])) as line:
        page = open_floor(visit, main, may_fail=True, clock=True, url=f"http://127.0.0.1:{line.port}")
        stop_clock(page)
        line.hold()
        eventually(lambda: passes(page, 100))
        assert 3_000 <= page.evaluate(SILENT) <= 3_400  # the page checks four times a second
        page.clock.resume()
        line.mend()
        expect(page.locator(".stale")).to_be_hidden()


@pytest.mark.proof
def test_lost_bus_line_and_unheard_table_are_shown(floor, visit):
    main = floor(*many_strips(4), warned_strip("T7", heard=ago(60)))
    page = open_floor(visit, main)
    main.tell(line="No line to the bus since 14:02:11", behind=412)
    expect(page.locator(".line")).to_have_text("No line to the bus since 14:02:11")
    main.tell(line=None)
    expect(page.locator(".line")).to_be_hidden()
    expect(page.locator(".behind")).to_have_text("412 records not received yet")
    expect(page.locator(".playing .cell").last).to_contain_text("not heard")


@pytest.mark.proof
def test_whoever_is_signed_out_sees_nothing_of_the_floor(floor, visit):
    main = floor(*many_strips(4), calling_strip("T7"))
    look = visit(f"{main.url}/floor")
    look.may_fail = True
    expect(look.page.locator(".gate")).to_be_visible()
    assert look.page.locator(".bays li").count() == 0
    look.page.locator("[name=name]").fill("Anna Pop")
    look.page.locator("[name=pin]").fill("1111")
    look.page.keyboard.press("Enter")
    expect(look.page.locator(".gate .error")).to_have_text("Wrong name or PIN.")
    look.page.locator("[name=pin]").fill("2580")
    look.page.keyboard.press("Enter")
    expect(look.page.locator(".call")).to_have_count(1)
    look.page.locator(".me .out").tap()
    expect(look.page.locator(".gate")).to_be_visible()
    expect(look.page.locator(".bays li, .who li")).to_have_count(0)
    expect(look.page.locator(FRAME)).to_have_count(0)


# ── a phone, and all of it ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.proof
def test_phone_shows_calls_first_and_can_leave_a_console(floor, visit):
    main = floor(*many_strips(12), calling_strip("T7"), warned_strip("T3"))
    page = open_floor(visit, main, PHONE)
    tops = [page.locator(f".bay.{bay}").bounding_box()["y"] for bay in ("calls", "watch", "playing", "resting")]
    assert tops == sorted(tops)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect(page.locator(".pane")).to_be_hidden()
    page.locator(".call .open").tap()
    console(page).locator(".ruling").first.tap()
    give_reason(console(page))
    console(page).locator(".rule .confirm").tap()
    expect(page.locator(".beneath > .note")).to_have_text(re.compile("^T7 · Done: "))
    main.tell(calling_strip("T9"))
    expect(page.locator(".pane .bar p")).to_have_text("Calls: 2")
    page.locator(".pane .back").tap()
    expect(page.locator(".pane")).to_be_hidden()
    page.locator(".call .open").last.tap()
    expect(page.locator(".pane")).to_be_visible()
    page.go_back()
    expect(page.locator(".pane")).to_be_hidden()


def full(floor) -> FakeFloor:
    """Start a floor with every kind of strip."""
    return floor(
        *many_strips(24), calling_strip("T1", waited=200, level=3), calling_strip("T2", claim=HERS),
        calling_strip("T3", waited=9, claim=HIS),
        warned_strip("T4"), warned_strip("T5", alarm("T5", acknowledged="Bogdan Ilie", standing=False), heard=ago(60)),
        strip("T6", alarms=(alarm("T6", shelved=ago(-3000), because="spare"),), owner="Bogdan Ilie"),
    )  # fmt: skip


def views(page: Page) -> Iterator[str]:
    yield "floor"
    page.locator(".watch .fold").click()
    yield "unfolded"
    page.locator(".alarm .shelve:visible").first.click()
    yield "shelve"
    page.keyboard.press("Escape")
    page.locator(".tabs button").nth(3).click()
    yield "people"
    page.locator(".tabs button").first.click()


SAID = re.compile("One card|Shoe (gave|not)|Connect|Bets are|NO MORE|Round|Closed|Paused|spare|Wait")


@pytest.mark.proof
@pytest.mark.parametrize("language", ["en", "ro"])
@pytest.mark.parametrize("size", SIZES)
def test_everything_can_be_read_and_touched(floor, visit, size, language):
    page, wrong = open_floor(visit, full(floor), SIZES[size], language), {}
    for view in views(page):
        layout, texts = layout_faults(page, 10)
        ours = [text for text in texts if not SAID.search(text)] if language == "ro" else []
        if faults := layout + [f"not in Romanian: {text}" for text in untranslated(ours)]:
            wrong[view] = faults
    assert wrong == {}


@pytest.mark.proof
def test_nothing_grave_is_found_by_axe(floor, visit):
    page, wrong = open_floor(visit, full(floor)), {}
    expect(page.locator(FRAME)).to_be_visible()
    for view in views(page):
        if what := accessibility_faults(page):
            wrong[view] = what
    assert wrong == {}


@pytest.mark.proof
def test_the_page_is_no_larger_than_it_may_be(floor, visit):
    main = floor(*many_strips(60))
    page = open_floor(visit, main)
    page.wait_for_load_state("load")
    assert 10_000 < weigh(page) < LARGEST
