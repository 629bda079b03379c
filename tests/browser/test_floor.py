"""The floor's page: what asks for somebody is seen first, ruled on in two touches, and nothing moves under a finger."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from axe_playwright_python.sync_playwright import Axe
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from controller.floor.messages import Claim
from tests.browser.conftest import FITS, FULL_HD, OLD_PANEL
from tests.browser.floor_hall import PEOPLE, FloorHall, ago, alarm, calling, strip, watched
from tests.browser.line import Line
from tests.browser.looking import wrong_on
from tests.browser.pictures import PHONE
from tests.browser.states import seen
from tests.browser.test_accessible import grave_of
from tests.browser.test_weight import LARGEST, SHIFTS, weigh
from tests.browser.tongue import untranslated

HERS = Claim("1001", "Anna Pop", ago(5), mine=True)
HIS = Claim("1002", "Bogdan Ilie", ago(5), mine=False)
Floors = Callable[..., FloorHall]


@pytest.fixture
def floor(tmp_path) -> Iterator[Floors]:
    """A floor with these strips; it ends after the pages are closed."""
    with ExitStack() as stack:
        yield lambda *strips, **how: stack.enter_context(FloorHall(tmp_path, *strips, **how))


@pytest.fixture
def hall(floor):
    """In the place of a table: what `visit` closes its pages before."""


def comes(visit, floor: FloorHall, size=FULL_HD, language="en", url="") -> Page:
    """Somebody signs in."""
    page = visit(f"{url or floor.url}/floor?lang={language}", size).page
    page.locator("[name=name]").fill("Anna Pop")
    page.locator("[name=pin]").fill("2580")
    page.keyboard.press("Enter")
    expect(page.locator(".gate")).to_be_hidden()
    expect(page.locator(".bays li").first).to_be_attached()
    return page


def many(count: int, resting: int = 6) -> list:
    return [strip(f"T{number}", "resting" if number > count - resting else "playing") for number in range(1, count + 1)]


def calls(page: Page) -> list[str]:
    return page.locator(".call .table").all_text_contents()


def console(page: Page):
    return page.frame_locator(".pane iframe")


# ── in two touches ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_call_is_ruled_on_in_two_touches(floor, visit):
    main = floor(*many(12))
    page = comes(visit, main)
    expect(page.locator(".call")).to_have_count(0)
    main.tell(calling("T7"))
    console(page).locator(".ruling").first.tap()
    console(page).locator(".rule .confirm").tap()
    expect(console(page).locator(".note")).to_have_text("Done")
    (said,) = main.commands
    assert (said["table"], said["command"], said["ruling"]) == ("T7", "rule", "burn")
    assert page.title() == "⚠ 1 · main · Floor"


def test_who_comes_is_seen_by_all_and_sent_once(floor, visit):
    main = floor(*many(12), calling("T7"), calling("T9", waited=60, claim=HIS))
    page = comes(visit, main)
    assert calls(page) == ["T9", "T7"]
    first, second = page.locator(".call").all()
    expect(first.locator(".whose")).to_have_text("Bogdan Ilie is coming")
    expect(first.locator(".claim")).to_be_hidden()
    second.locator(".claim").tap()
    expect(page.locator(".note")).to_be_hidden()
    main.tell(calling("T7", claim=HERS))
    expect(second.locator(".whose")).to_have_text("You are coming")
    assert main.acts == [{"act": "claim", "table": "T7", "fault": 7}]
    second.locator(".release").tap()
    main.tell(calling("T7"))
    expect(second.locator(".claim")).to_be_visible()
    assert main.acts[1] == {"act": "release", "table": "T7"}


@pytest.mark.proof
def test_what_was_not_done_is_said(floor, visit):
    main = floor(*many(4), calling("T7"))
    main.refuses = lambda said: "Bogdan Ilie has it"
    page = comes(visit, main)
    page.locator(".claim").tap()
    expect(page.locator(".note")).to_have_text("Not done: Bogdan Ilie has it")


@pytest.mark.proof
def test_the_next_call_comes_in_by_itself_but_never_into_a_ruling(floor, visit):
    main = floor(*many(12), calling("T7"), calling("T9", waited=5))
    page = comes(visit, main)
    expect(page.locator(".pane iframe")).to_have_attribute("title", "T7")
    console(page).locator(".ruling").first.tap()
    expect(console(page).locator(".rule .confirm")).to_be_enabled()
    main.tell(calling("T11", level=3), calling("T7", claim=HIS))
    expect(page.locator(".call")).to_have_count(3)
    page.wait_for_function("performance.now() > 4000")  # long after the touch
    expect(page.locator(".pane iframe")).to_have_attribute("title", "T7")
    console(page).locator(".rule .leave").tap()
    expect(page.locator(".pane iframe")).to_have_attribute("title", "T11")
    main.tell(strip("T11"))
    expect(page.locator(".pane iframe")).to_have_attribute("title", "T9")


@pytest.mark.proof
def test_a_supervisor_is_shown_the_calls_of_others_and_offered_their_own(floor, visit):
    main = floor(calling("T1", waited=90, mine=False, owner="Carmen Radu"), calling("T2"), may=())
    page = comes(visit, main)
    expect(page.locator(".pane iframe")).to_have_attribute("title", "T2")
    expect(page.locator(".call").first.locator(".claim")).to_be_hidden()
    expect(page.locator(".call").first.locator(".whose")).to_have_text("Carmen Radu")
    main.tell(watched("T3"), watched("T4", mine=False))
    expect(page.locator(".alarm")).to_have_count(2)
    expect(page.locator(".acknowledge:visible")).to_have_count(1)
    expect(page.locator(".shelve:visible")).to_have_count(0)


@pytest.mark.proof
def test_from_the_call_to_the_confirmed_ruling_by_keyboard_alone(floor, visit):
    main = floor(*many(12))
    page = comes(visit, main)
    page.locator(".tabs button").first.focus()
    main.tell(calling("T7"), calling("T8", waited=5))
    expect(page.locator(".pane iframe")).to_have_attribute("title", "T7")
    expect(console(page).locator(".ruling").first).to_be_visible()
    console(page).locator("body").press("Escape")
    page.keyboard.press("2")
    expect(page.locator(".pane iframe")).to_have_attribute("title", "T8")
    expect(console(page).locator(".ruling").first).to_be_visible()
    page.keyboard.press("1")
    expect(console(page).locator(".rule .confirm")).to_be_enabled()
    page.keyboard.press("Enter")
    expect(console(page).locator(".note")).to_have_text("Done")
    assert [said["table"] for said in main.commands] == ["T8"]
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    main.tell(calling("T8", waited=5, claim=HERS))
    expect(page.locator(".call .whose").last).to_have_text("You are coming")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("say that you are coming")
    assert main.acts == [{"act": "claim", "table": "T8", "fault": 7}]


# ── many ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_forty_faults_at_once_are_folded_and_the_most_urgent_can_be_claimed(floor, visit):
    main = floor(*many(60))
    page = comes(visit, main)
    main.tell(*(calling(f"T{number}", waited=number) for number in range(1, 41)))
    expect(page.locator(".calls .fold")).to_have_text("35 more calls: One card too many × 35")
    assert calls(page) == ["T40", "T39", "T38", "T37", "T36"]
    expect(page.locator(".calls .fold")).to_be_in_viewport()
    page.wait_for_timeout(500)  # a strip that has just come to another one's place is not touched for that
    page.locator(".claim").first.tap()
    page.locator(".calls .fold").tap()
    expect(page.locator(".call")).to_have_count(40)
    page.locator(".call .claim").last.tap()
    page.wait_for_function("document.querySelector('.note').hidden")
    assert [said["table"] for said in main.acts] == ["T40", "T1"]


@pytest.mark.proof
def test_forty_faults_within_five_seconds_are_all_there_and_none_is_heard_twice(floor, visit):
    main = floor(*many(60))
    page = comes(visit, main)
    page.locator("h1").tap()
    page.evaluate("""() => {
      window.rung = 0;
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (...what) { window.rung += 1; return start.apply(this, what); };
    }""")
    for number in range(1, 41):
        main.tell(calling(f"T{number}", waited=number / 8))
        page.wait_for_timeout(100)
    expect(page.locator(".calls h2 b")).to_have_text("40")
    expect(page.locator(".calls .fold")).to_contain_text("35 more calls")
    assert 3 <= page.evaluate("window.rung") <= 3 * 12  # three tones each time, and as long between two
    rung = page.evaluate("window.rung")
    main.tell(*(calling(f"T{number}", waited=number / 8) for number in range(1, 41)))
    page.wait_for_timeout(2500)
    assert page.evaluate("window.rung") == rung
    main.tell(calling("T1", waited=40, level=2))
    page.wait_for_function(f"window.rung >= {rung + 6}")


@pytest.mark.proof
def test_alarms_of_a_kind_and_shelved_ones_are_one_line_each_that_unfolds(floor, visit):
    tables = [watched(f"T{n}", alarm(f"T{n}", "unheard", "Not heard"), heard=ago(60)) for n in range(1, 15)]
    shelved = alarm("T20", shelved=ago(-3600), because="a spare is on its way")
    main = floor(*tables, strip("T20", alarms=(shelved,)), watched("T21"))
    page = comes(visit, main)
    expect(page.locator(".watch .fold").first).to_contain_text("Not heard × 14: Connect the shoe")
    expect(page.locator(".alarm")).to_have_count(1)
    page.locator(".watch .fold").first.tap()
    expect(page.locator(".alarm")).to_have_count(15)
    page.locator(".watch .fold").last.tap()
    expect(page.locator(".alarm .state").last).to_contain_text(re.compile(r"shelved until .*: a spare is on its way"))
    page.locator(".alarm .unshelve:visible").tap()
    page.wait_for_function("document.querySelector('.note').hidden")
    assert main.acts == [{"act": "unshelve", "key": "T20:lost:shoe"}]


@pytest.mark.proof
def test_an_alarm_is_acknowledged_and_shelved_for_a_time_and_a_reason(floor, visit):
    main = floor(watched("T3"))
    page = comes(visit, main)
    expect(page.locator(".alarm .act")).to_have_text("Connect the shoe; without it no round can be opened.")
    page.locator(".acknowledge").tap()
    page.locator(".alarm .shelve").tap()
    page.locator(".shelve .confirm").tap()
    expect(page.locator("dialog.shelve")).to_be_visible()  # without a reason it is not
    page.locator(".shelve .choice").last.tap()
    page.locator("[name=because]").fill("a spare is on its way")
    page.locator(".shelve .confirm").tap()
    expect(page.locator("dialog.shelve")).to_be_hidden()
    page.wait_for_function("document.querySelector('.note').hidden")
    key = {"key": "T3:lost:shoe"}
    shelve = {"act": "shelve", **key, "minutes": 480, "because": "a spare is on its way"}
    assert main.acts == [{"act": "acknowledge", **key}, shelve]


@pytest.mark.proof
@pytest.mark.parametrize("wall", [False, True])
def test_two_hundred_tables_are_on_one_screen_without_a_scroll_bar(floor, visit, wall):
    main = floor(*many(200, resting=40), calling("T7"), calling("T99"), watched("T3"), watched("T150"))
    page = comes(visit, main)
    if wall:
        page.locator(".wall").tap()
    assert page.evaluate(FITS)
    expect(page.locator(".cell")).to_have_count(200)
    hidden = """() => [...document.querySelectorAll(".cell, .call, .alarm")].filter((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const here = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return bottom > innerHeight || right > innerWidth || !one.contains(here);
    }).map((one) => one.textContent)"""
    assert page.evaluate(hidden) == []
    names = [one.bounding_box()["height"] for one in page.locator(".cell").all()[:3]]
    assert min(names) >= 24


# ── nothing moves under a finger ─────────────────────────────────────────────────────────────────────────────────


@pytest.mark.proof
def test_strips_wait_with_moving_until_a_touch_is_over(floor, visit):
    main = floor(*many(12), calling("T7"), calling("T9", waited=20))
    page = comes(visit, main)
    claim = page.locator(".call").first.locator(".claim")
    box = claim.bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    main.tell(calling("T11", waited=500))
    expect(page.locator(".calls h2 b")).to_have_text("2")
    page.wait_for_timeout(700)
    assert calls(page) == ["T7", "T9"]
    page.mouse.up()
    expect(page.locator(".call")).to_have_count(3)
    assert calls(page) == ["T11", "T7", "T9"]
    page.mouse.down()
    page.mouse.up()
    expect(page.locator(".note")).to_be_hidden()
    assert main.acts == [{"act": "claim", "table": "T7", "fault": 7}]


@pytest.mark.proof
def test_a_table_keeps_its_cell_and_no_other_moves_while_it_calls(floor, visit):
    main = floor(*many(60))
    page = comes(visit, main)
    places = """[...document.querySelectorAll(".cell")]
        .map((one) => [one.firstChild.textContent, one.offsetTop, one.offsetLeft].join())"""
    before = page.evaluate(places)
    page.evaluate(f"window.shifted = 0; {SHIFTS}")
    main.tell(calling("T7"), calling("T30"), watched("T8"))
    expect(page.locator(".call")).to_have_count(2)
    assert page.evaluate(places) == before
    main.tell(strip("T7"), strip("T8"))
    expect(page.locator(".call")).to_have_count(1)
    assert page.evaluate(places) == before
    assert page.evaluate("window.shifted") < 0.01  # of the calls, of which one is over


# ── the line ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.proof
def test_a_floor_whose_line_is_cut_says_so_and_comes_back_with_what_it_missed(floor, visit):
    main = floor(*many(12))
    with Line(int(main.url.rpartition(":")[2])) as line:
        page = comes(visit_that_may_fail(visit), main, url=f"http://127.0.0.1:{line.port}")
        line.cut()
        expect(page.locator(".stale")).to_have_text(re.compile(r"No connection to the floor since \d\d:\d\d:\d\d"))
        main.tell(calling("T7"))
        line.mend()
        expect(page.locator(".stale")).to_be_hidden(timeout=60_000)
        expect(page.locator(".call .table")).to_have_text("T7")


@pytest.mark.proof
def test_a_floor_that_says_nothing_for_three_seconds_is_taken_for_gone(floor, visit):
    main = floor(*many(12))
    with Line(int(main.url.rpartition(":")[2])) as line:
        page = comes(visit_that_may_fail(visit), main, url=f"http://127.0.0.1:{line.port}")
        began = page.evaluate("performance.now()")
        line.hold()
        expect(page.locator(".stale")).to_be_visible()
        assert page.evaluate("performance.now()") - began >= 2_000
        line.mend()
        expect(page.locator(".stale")).to_be_hidden(timeout=60_000)


def visit_that_may_fail(visit):
    def go(*what, **how):
        look = visit(*what, **how)
        look.may_fail = True
        return look

    return go


@pytest.mark.proof
def test_the_floors_own_line_and_a_table_that_is_not_heard_are_said(floor, visit):
    main = floor(*many(4), watched("T7", heard=ago(60)))
    page = comes(visit, main)
    main.tell(line="No line to the bus since 14:02:11", behind=12)
    expect(page.locator(".line")).to_have_text("No line to the bus since 14:02:11")
    main.tell(line=None)
    expect(page.locator(".line")).to_be_hidden()
    expect(page.locator(".behind")).to_have_text("12 records still to come")
    expect(page.locator(".playing .cell").last).to_contain_text("not heard")


@pytest.mark.proof
def test_whoever_is_signed_out_sees_nothing_of_the_floor(floor, visit):
    main = floor(*many(4), calling("T7"))
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
    assert look.page.locator(".bays li, .who li").count() == 0
    assert look.page.locator(".pane iframe").is_hidden()


# ── people ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.proof
def test_tables_are_given_to_people_until_one_is_too_many(floor, visit):
    main = floor(*many(12))
    main.refuses = lambda said: "7 tables: at most 6" if said["table"] == "T3" else ""
    page = comes(visit, main)
    page.locator(".tabs button", has_text="People").tap()
    for table in ("T2", "T3", "T4"):
        page.locator(".whose .table", has_text=re.compile(f"^{table}(?!\\d)")).tap()
    page.locator(".person", has_text="Bogdan Ilie").tap()
    expect(page.locator(".note")).to_have_text("Not done: 7 tables: at most 6")
    assert main.acts == [{"act": "assign", "table": "T2", "person": "1002"}]
    expect(page.locator(".whose [aria-pressed=true]")).to_have_count(2)
    main.tell(strip("T2", owner="Bogdan Ilie"), people=(PEOPLE[0], replace(PEOPLE[1], tables=("T2",)), PEOPLE[2]))
    expect(page.locator(".person", has_text="Bogdan Ilie")).to_contain_text("1 of 6")
    main.tell(may=())
    expect(page.locator(".person:enabled, .whose .table:enabled")).to_have_count(0)


# ── a phone, and all of it ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.proof
def test_on_a_phone_calls_come_first_and_a_console_has_a_way_back(floor, visit):
    main = floor(*many(12), calling("T7"), watched("T3"))
    page = comes(visit, main, PHONE)
    tops = [page.locator(f".bay.{bay}").bounding_box()["y"] for bay in ("calls", "watch", "playing", "resting")]
    assert tops == sorted(tops)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect(page.locator(".pane")).to_be_hidden()
    page.locator(".call .open").tap()
    console(page).locator(".ruling").first.tap()
    console(page).locator(".rule .confirm").tap()
    expect(console(page).locator(".note")).to_have_text("Done")
    main.tell(calling("T9"))
    expect(page.locator(".pane .bar p")).to_have_text("Calls: 2")
    page.locator(".pane .back").tap()
    expect(page.locator(".pane")).to_be_hidden()
    page.locator(".call .open").last.tap()
    expect(page.locator(".pane")).to_be_visible()
    page.go_back()
    expect(page.locator(".pane")).to_be_hidden()


def full(floor: Floors) -> FloorHall:
    """A floor with everything on it."""
    return floor(
        *many(24), calling("T1", waited=200, level=3), calling("T2", claim=HERS), calling("T3", waited=9, claim=HIS),
        watched("T4"), watched("T5", alarm("T5", acknowledged="Bogdan Ilie", standing=False), heard=ago(60)),
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


SAID = re.compile("One card|Shoe (gave|not)|Connect|Bets are|NO MORE|EUR at risk|Round|Closed|Paused|spare|Wait")


@pytest.mark.proof
@pytest.mark.parametrize("language", ["en", "ro"])
@pytest.mark.parametrize("size", [FULL_HD, OLD_PANEL, PHONE], ids=["full-hd", "old-panel", "phone"])
def test_everything_can_be_read_and_touched(floor, visit, size, language):
    page, wrong = comes(visit, full(floor), size, language), {}
    for view in views(page):
        found, texts = wrong_on(page, 10)
        ours = [text for text in texts if not SAID.search(text)] if language == "ro" else []
        if told := found + [f"not in Romanian: {text}" for text in untranslated(ours)]:
            wrong[view] = told
    assert wrong == {}


@pytest.mark.proof
def test_nothing_grave_is_found_by_axe(floor, visit):
    page, wrong = comes(visit, full(floor)), {}
    expect(page.locator(".pane iframe")).to_be_visible()
    for view in views(page):
        if found := grave_of(Axe().run(page).response):
            wrong[view] = found
    assert wrong == {}


@pytest.mark.proof
def test_the_page_is_no_larger_than_it_may_be(floor, visit):
    main = floor(*many(60))
    page = comes(visit, main)
    page.wait_for_load_state("load")
    assert 10_000 < weigh(page) < LARGEST
    assert seen("baccarat", "extra_card").table is not None
