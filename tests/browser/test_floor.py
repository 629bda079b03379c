"""The floor's page: calls, claims, consoles, alarms, floods of calls, and the assignment of tables."""

import re

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from tests.browser.conditions import wait_until
from tests.browser.conftest import FITS
from tests.browser.fake_floor import ALL, PEOPLE, ago, alarm, calling_strip, strip, warned_strip
from tests.browser.floor_actions import (
    FRAME,
    HERS,
    HIS,
    console,
    leave_console,
    many_strips,
    open_floor,
    shown_calls,
    stop_clock,
    wait_for_acts,
    wait_for_changes,
)
from tests.browser.people import give_reason
from tests.browser.states import page_state

# Stops the page's regular question whether it is still signed in: it learns this only from a refused act.
NEVER_CHECKS = "const often = setInterval; window.setInterval = (act, ms) => (ms < 20_000 ? often(act, ms) : 0);"


def test_a_call_is_ruled_on_in_three_touches(floor, visit):
    main = floor(*many_strips(12))
    page = open_floor(visit, main)
    expect(page.locator(".call")).to_have_count(0)
    main.tell(calling_strip("T7"))
    console(page).locator(".ruling").first.tap()
    give_reason(console(page))
    console(page).locator(".rule .confirm").tap()
    expect(page.locator(".beneath > .note")).to_have_text(re.compile("^T7 · Done: "))
    (command,) = main.commands
    assert (command["table"], command["command"], command["ruling"]) == ("T7", "rule", "burn")
    assert page.title() == "⚠ 1 · main · Floor"


def test_a_claim_is_shown_to_all_and_sent_once(floor, visit):
    main = floor(*many_strips(12), calling_strip("T7"), calling_strip("T9", waited=60, claim=HIS))
    page = open_floor(visit, main)
    assert shown_calls(page) == ["T9", "T7"]
    first, second = page.locator(".call").all()
    expect(first.locator(".whose")).to_have_text("Bogdan Ilie is coming")
    expect(first.locator(".claim")).to_be_hidden()
    second.locator(".claim").tap()
    expect(page.locator(".note")).to_have_text("T7 · You are coming")
    main.tell(calling_strip("T7", claim=HERS))
    expect(second.locator(".whose")).to_have_text("You are coming")
    assert wait_for_acts(main, 1) == [{"act": "claim", "table": "T7", "fault": 7}]
    page.wait_for_timeout(500)  # a button that has just replaced another one ignores touches
    second.locator(".release").tap()
    main.tell(calling_strip("T7"))
    expect(second.locator(".claim")).to_be_visible()
    assert wait_for_acts(main, 2)[1] == {"act": "release", "table": "T7", "fault": 7, "person": HERS.id}


@pytest.mark.proof
def test_the_floors_answer_to_an_act_is_shown(floor, visit):
    main = floor(*many_strips(4), calling_strip("T7"))
    main.refuses = lambda act: "Bogdan Ilie has it"
    page = open_floor(visit, main)
    page.locator(".claim").tap()
    claim, note = page.locator(".claim"), page.locator(".note")
    expect(note).to_have_text("Not done: Bogdan Ilie has it")
    main.refuses = lambda act: ""
    for also in (
        {
            "done": True,
            "reason": "unheard",
            "says": "Anna Pop has the call; the table could not be informed: walk to it",
        },
        {"done": False, "reason": "unsure", "says": "the bus did not answer: check whether it was done"},
    ):
        main.also = also
        claim.tap()
        expect(note).to_have_text(also["says"])
    main.also = {}
    claim.tap()
    expect(note).to_have_text("T7 · You are coming")


@pytest.mark.proof
def test_shift_manager_can_release_a_call_claimed_by_another(floor, visit):
    main = floor(*many_strips(4), calling_strip("T7", claim=HIS), may=(*ALL, "release"))
    page = open_floor(visit, main)
    page.get_by_role("button", name="Take it back").tap()
    assert wait_for_acts(main, 1) == [{"act": "release", "table": "T7", "fault": 7, "person": HIS.id}]
    main.tell(calling_strip("T7"), may=("acknowledge",))
    main.tell(calling_strip("T7", claim=HIS))
    expect(page.locator(".call .whose")).to_have_text("Bogdan Ilie is coming")
    expect(page.locator(".call .release")).to_be_hidden()


@pytest.mark.proof
def test_unheard_console_shows_stale_and_yields_to_a_heard_table(floor, visit):
    main = floor(*many_strips(12), calling_strip("T7", heard=ago(5)))
    main.silent = frozenset({"T7"})
    page = open_floor(visit, main)
    page.locator(".call .open").tap()
    expect(console(page).locator(".stale")).to_have_text("No connection to the table")
    expect(console(page).locator(".stale")).to_be_visible()
    expect(page.locator(FRAME)).to_have_attribute("title", "T7")
    page.clock.install()
    main.tell(calling_strip("T9", waited=5))
    expect(page.locator(".call")).to_have_count(2)
    page.clock.run_for(30_000)  # time enough to read it
    expect(page.locator(FRAME)).to_have_attribute("title", "T9")
    page.clock.resume()
    main.tell(strip("T9"), calling_strip("T11", waited=3))
    expect(page.locator(FRAME)).to_have_attribute("title", "T11")
    main.tell(calling_strip("T11", waited=3, heard=ago(4)), calling_strip("T12", waited=2))
    expect(page.locator(FRAME)).to_have_attribute("title", "T12")


@pytest.mark.proof
def test_forestalled_ruling_stays_on_screen_until_its_note_is_read(floor, visit):
    main = floor(*many_strips(12), calling_strip("T7"), calling_strip("T9", waited=5))
    page = open_floor(visit, main)
    console(page).locator(".ruling").first.tap()
    give_reason(console(page))
    expect(console(page).locator(".rule .confirm")).to_be_enabled()
    page.clock.install()
    stop_clock(page)
    page.evaluate("() => addEventListener('message', ({data}) => { window.told = data; })")
    main.tell(strip("T7"))
    main.shows("T7", page_state("baccarat", "dealing"))
    expect(console(page).locator(".note")).to_have_text("Somebody has ruled on this fault meanwhile")
    wait_until(page, "window.told === 'forestalled'")
    page.clock.run_for(5_000)
    expect(page.locator(FRAME)).to_have_attribute("title", "T7")
    page.clock.run_for(5_000)
    page.clock.resume()
    expect(page.locator(FRAME)).to_have_attribute("title", "T9")


@pytest.mark.proof
def test_next_call_opens_automatically_but_not_during_a_ruling(floor, visit):
    main = floor(*many_strips(12), calling_strip("T7"), calling_strip("T9", waited=5))
    page = open_floor(visit, main, clock=True)
    expect(page.locator(FRAME)).to_have_attribute("title", "T7")
    console(page).locator(".ruling").first.tap()
    give_reason(console(page))
    expect(console(page).locator(".rule .confirm")).to_be_enabled()
    main.tell(calling_strip("T11", level=3), calling_strip("T7", claim=HIS))
    expect(page.locator(".call")).to_have_count(3)
    page.clock.run_for(2_000)  # long after the last touch
    expect(page.locator("iframe")).to_have_count(1)  # no other is loading
    expect(page.locator(FRAME)).to_have_attribute("title", "T7")
    console(page).locator(".rule .leave").tap()
    expect(page.locator(FRAME)).to_have_attribute("title", "T11")
    main.tell(strip("T11"))
    expect(page.locator(FRAME)).to_have_attribute("title", "T9")


@pytest.mark.proof
def test_supervisor_may_only_act_on_their_own_tables_calls(floor, visit):
    main = floor(calling_strip("T1", waited=90, mine=False, owner="Carmen Radu"), calling_strip("T2"), may=())
    page = open_floor(visit, main)
    expect(page.locator(FRAME)).to_have_attribute("title", "T2")
    expect(page.locator(".call").first.locator(".claim")).to_be_hidden()
    expect(page.locator(".call").first.locator(".whose")).to_have_text("Carmen Radu")
    main.tell(warned_strip("T3"), warned_strip("T4", mine=False))
    expect(page.locator(".alarm")).to_have_count(2)
    expect(page.locator(".acknowledge:visible")).to_have_count(1)
    expect(page.locator(".shelve:visible")).to_have_count(0)


@pytest.mark.proof
def test_from_the_call_to_the_confirmed_ruling_by_keyboard_alone(floor, visit):
    main = floor(*many_strips(12))
    page = open_floor(visit, main)
    page.locator(".tabs button").first.focus()
    main.tell(calling_strip("T7"), calling_strip("T8", waited=5))
    expect(page.locator(FRAME)).to_have_attribute("title", "T7")
    expect(console(page).locator(".ruling").first).to_be_visible()
    leave_console(page)
    page.keyboard.press("2")
    expect(page.locator(FRAME)).to_have_attribute("title", "T8")
    expect(console(page).locator(".ruling").first).to_be_visible()
    page.keyboard.press("1")
    expect(console(page).locator(".rule .why [aria-pressed=true]")).to_have_count(0)
    page.keyboard.press("1")
    expect(console(page).locator(".rule .confirm")).to_be_enabled()
    page.keyboard.press("Enter")
    expect(page.locator(".beneath > .note")).to_have_text(re.compile("^T8 · Done: "))
    assert [command["table"] for command in main.commands] == ["T8"]
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    main.tell(calling_strip("T8", waited=5, claim=HERS))
    expect(page.locator(".call .whose").last).to_have_text("You are coming")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("say that you are coming")
    assert wait_for_acts(main, 1) == [{"act": "claim", "table": "T8", "fault": 7}]


# ── many ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_calls_beyond_five_take_one_line_and_can_be_claimed(floor, visit):
    main = floor(*many_strips(60))
    page = open_floor(visit, main, clock=True)
    main.tell(*(calling_strip(f"T{number}", waited=number) for number in range(1, 41)))
    expect(page.locator(".calls .more")).to_contain_text("One card too many × ")
    assert shown_calls(page) == [f"T{number}" for number in range(40, 0, -1)]
    expect(page.locator(".call .text:visible")).to_have_count(5)
    page.clock.fast_forward(500)  # a strip that has just replaced another one ignores touches
    page.locator(".claim").first.tap()
    page.locator(".call .claim").last.tap()
    assert [act["table"] for act in wait_for_acts(main, 2)] == ["T40", "T1"]


@pytest.mark.proof
def test_forty_rapid_calls_are_all_shown_and_none_sounds_twice(floor, visit):
    main = floor(*many_strips(60))
    page = open_floor(visit, main, clock=True)
    page.locator("h1").tap()
    expect(page.locator(".sound:not([data-silent])")).to_be_visible()
    stop_clock(page)
    page.evaluate("""() => {
      window.rung = 0;
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (...what) { window.rung += 1; return start.apply(this, what); };
    }""")
    for number in range(1, 41):
        main.tell(calling_strip(f"T{number}", waited=number / 8))
        wait_for_changes(page, number)
        page.clock.run_for(125)
    expect(page.locator(".calls h2 b")).to_have_text("40")
    expect(page.locator(".call")).to_have_count(40)
    assert 3 <= page.evaluate("window.rung") <= 3 * 4  # three tones each time, at most every 1.5 seconds
    rung = page.evaluate("window.rung")
    main.tell(*(calling_strip(f"T{number}", waited=number / 8) for number in range(1, 41)))
    wait_for_changes(page, 41)
    page.clock.run_for(2_500)
    assert page.evaluate("window.rung") == rung
    main.tell(calling_strip("T1", waited=40, level=2))
    wait_for_changes(page, 42)
    page.clock.run_for(1_500)
    assert page.evaluate("window.rung") == rung + 6


@pytest.mark.proof
def test_same_kind_alarms_and_shelved_alarms_fold_into_lines(floor, visit):
    tables = [warned_strip(f"T{n}", alarm(f"T{n}", "unheard", "Not heard"), heard=ago(60)) for n in range(1, 15)]
    shelved = alarm("T20", shelved=ago(-3600), because="a spare is on its way")
    main = floor(*tables, strip("T20", alarms=(shelved,)), warned_strip("T21"))
    page = open_floor(visit, main)
    expect(page.locator(".watch .fold").first).to_contain_text("Not heard × 14: Connect the shoe")
    expect(page.locator(".alarm")).to_have_count(1)
    page.locator(".watch .fold").first.tap()
    expect(page.locator(".alarm")).to_have_count(15)
    page.locator(".watch .fold").last.tap()
    expect(page.locator(".alarm .state").last).to_contain_text(re.compile(r"shelved until .*: a spare is on its way"))
    page.locator(".alarm .unshelve:visible").tap()
    assert wait_for_acts(main, 1) == [{"act": "unshelve", "key": "T20:lost:shoe"}]


@pytest.mark.proof
def test_alarm_is_acknowledged_and_shelving_it_requires_a_reason(floor, visit):
    main = floor(warned_strip("T3"))
    page = open_floor(visit, main)
    expect(page.locator(".alarm .act")).to_have_text("Connect the shoe; without it no round can be opened.")
    page.locator(".acknowledge").tap()
    page.locator(".alarm .shelve").tap()
    page.locator(".shelve .confirm").tap()
    expect(page.locator("dialog.shelve")).to_be_visible()  # not shelved without a reason
    page.locator(".shelve .choice").last.tap()
    page.locator("[name=because]").fill("a spare is on its way")
    page.locator(".shelve .confirm").tap()
    expect(page.locator("dialog.shelve")).to_be_hidden()
    key = {"key": "T3:lost:shoe"}
    shelve = {"act": "shelve", **key, "minutes": 480, "because": "a spare is on its way"}
    assert wait_for_acts(main, 2) == [{"act": "acknowledge", **key}, shelve]


@pytest.mark.proof
def test_two_hundred_tables_fit_one_screen_without_scrolling(floor, visit):
    main = floor(
        *many_strips(200, resting=40),
        calling_strip("T7"),
        calling_strip("T99"),
        warned_strip("T3"),
        warned_strip("T150"),
    )
    page = open_floor(visit, main)
    hidden = """() => [...document.querySelectorAll(".cell, .call, .alarm")].filter((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const here = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return bottom > innerHeight || right > innerWidth || !one.contains(here);
    }).map((one) => one.textContent)"""
    for wall in (False, True):
        if wall:
            page.locator(".wall").tap()
        expect(page.locator(".cell")).to_have_count(200)
        assert page.evaluate(FITS)
        assert page.evaluate(hidden) == []
        names = [one.bounding_box()["height"] for one in page.locator(".cell").all()[:3]]
        assert min(names) >= 24


# ── people ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.proof
def test_tables_are_given_to_people_until_one_is_too_many(floor, visit):
    main = floor(*many_strips(12))
    main.refuses = lambda act: "7 tables: at most 6" if act["table"] == "T3" else ""
    page = open_floor(visit, main)
    page.locator(".tabs button", has_text="People").tap()
    for table in ("T2", "T3", "T4"):
        page.locator(".whose .table", has_text=re.compile(f"^{table}(?!\\d)")).tap()
    page.locator(".person", has_text="Bogdan Ilie").tap()
    expect(page.locator(".note")).to_have_text("Not done: 7 tables: at most 6")
    assert wait_for_acts(main, 1) == [{"act": "assign", "table": "T2", "person": "1002"}]
    expect(page.locator(".whose [aria-pressed=true]")).to_have_count(2)
    main.tell(strip("T2", owner="Bogdan Ilie"), people=(PEOPLE[0], replace(PEOPLE[1], tables=("T2",)), PEOPLE[2]))
    expect(page.locator(".person", has_text="Bogdan Ilie")).to_contain_text("1 of 6")
    main.tell(strip("T2"), people=(PEOPLE[0], replace(PEOPLE[1], tables=("T13",)), PEOPLE[2]))
    page.locator(".whose [aria-pressed=true]").first.tap()
    page.locator(".whose [aria-pressed=true]").first.tap()
    page.locator(".whose .table", has_text="T13").tap()  # T13 is no longer on the bus
    page.locator(".person", has_text="nobody").tap()
    assert wait_for_acts(main, 2)[1] == {"act": "assign", "table": "T13", "person": None}
    main.tell(may=())
    expect(page.locator(".person:enabled, .whose .table:enabled")).to_have_count(0)


@pytest.mark.proof
def test_act_after_a_lapsed_sign_in_waits_for_the_pin(floor, visit):
    main = floor(*many_strips(12), calling_strip("T7"))
    main.lapsed = True
    page = open_floor(visit, main, script=NEVER_CHECKS)
    expect(console(page).locator(".lapsed")).to_be_visible()
    page.locator(".call .claim").tap()
    page.locator("form.lapsed [type=password]").fill("2580")
    main.lapsed = False
    page.keyboard.press("Enter")
    expect(page.locator("form.lapsed")).to_be_hidden()
    assert wait_for_acts(main, 1) == [{"act": "claim", "table": "T7", "fault": 7}]
    expect(console(page).locator(".lapsed")).to_be_hidden()  # the console does not ask for the PIN again


@pytest.mark.proof
def test_acknowledging_in_the_console_claims_the_call(floor, visit):
    main = floor(*many_strips(12), calling_strip("T7"))
    page = open_floor(visit, main)
    console(page).locator(".here").tap()
    fault = page_state("baccarat", "extra_card").table.state.fault.seq  # the number in the table's own state
    assert wait_for_acts(main, 1) == [{"act": "claim", "table": "T7", "fault": fault}]
    assert main.commands == []
