"""The dealer's screen at a running table: rounds, faults, warnings, shoe changes, and a still layout."""

import re
from contextlib import closing

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import FITS, FULL_HD, OLD_PANEL
from tests.browser.consoles import ConsolePage
from tests.browser.overlay_page import table_after
from tests.browser.scenes import BETS
from tests.browser.states import PageState
from tests.browser.table_process import OVERDRAWN
from tests.browser.test_overlay import MOVED, course_of
from tests.repeats import first_of

FILLED = """all => all.filter(one => getComputedStyle(one).backgroundColor !== "rgba(0, 0, 0, 0)")
    .map(one => one.dataset.key)"""
PIXEL = {"x": 0, "y": 0, "width": 1, "height": 1}
TONES = """() => { window.tones = 0; const make = AudioContext.prototype.createOscillator;
    AudioContext.prototype.createOscillator = function () { window.tones += 1; return make.call(this); } }"""


def test_a_round_of_baccarat_is_watched_to_its_end(hall, visit):
    table = hall(cards=("2C", "3D", "2D", "AS", "4H", "9H"))
    page = visit(table.page("dealer")).page
    head, places = page.locator(".next h1"), page.locator(".places")
    expect(head).to_have_text(re.compile("open bets", re.IGNORECASE))
    page.get_by_role("button", name=re.compile("open", re.IGNORECASE)).tap()
    expect(page.locator("body")).to_have_attribute("data-life", "betting")
    table.say("bet", player="p1", market="player", stake=1000)
    expect(page.locator(".announce")).to_have_text("“Place your bets, please.”")
    assert page.locator(".key").evaluate_all(FILLED) == []
    for _ in range(2):
        page.get_by_role("button", name=re.compile("no more bets", re.IGNORECASE)).tap()
    expect(page.locator("body")).to_have_attribute("data-life", "dealing")
    assert page.locator(".key").evaluate_all(FILLED) == []
    for due, card, name, says in (
        ("player", "2C", "two of clubs", "“No more bets.”"),
        ("banker", "3D", "three of diamonds", ""),
        ("player", "2D", "two of diamonds", ""),
        ("banker", "AS", "ace of spades", ""),
        ("player", "4H", "four of hearts", "“PLAYER draws.”"),
        ("banker", "9H", "nine of hearts", "“BANKER draws.”"),
    ):
        expect(head).to_have_text(re.compile(due, re.IGNORECASE))
        expect(page.locator(".announce")).to_have_text(says)
        table.draw(card)
        expect(places.get_by_role("img", name=name)).to_be_visible()
    page.get_by_role("button", name=re.compile("finish", re.IGNORECASE)).tap()
    expect(page.locator("body")).to_have_attribute("data-life", "settled")
    expect(page.locator(".next .result")).to_contain_text(re.compile("player", re.IGNORECASE))
    assert table.comes("settled").what.outcome["winner"] == "player"


def test_touch_with_an_outdated_csrf_token_is_still_executed_once(hall, visit):
    table = hall()
    look = visit(table.page("dealer"))
    look.may_fail = True
    look.page.route("**/session?role=dealer", lambda route: route.fulfill(json={"csrf": "of yesterday"}), times=1)
    look.page.get_by_role("button", name=re.compile("open", re.IGNORECASE)).tap()
    expect(look.page.locator("body")).to_have_attribute("data-life", "betting")
    expect(look.page.locator(".refused")).to_be_hidden()
    assert len(table.records("opened")) == 1


def test_a_card_too_many_takes_the_whole_screen(hall, visit):
    table = hall(cards=OVERDRAWN)
    page = visit(table.page("dealer")).page
    page.evaluate(TONES)
    page.get_by_role("button", name="The words of this table").tap()  # a browser plays no sound before a touch
    expect(page.locator("dialog.words")).to_contain_text("A card, key or device is not as the rules require")
    table.say("open")
    table.say("close")
    table.draw(*OVERDRAWN)
    expect(page.get_by_role("alert").filter(has_text="One card too many")).to_be_visible()
    expect(page.locator("dialog.words")).to_be_hidden()
    expect(page.locator(".stop .hands")).to_contain_text("Wait for the shift manager")
    box = page.locator(".stop").bounding_box()
    assert (box["width"], box["height"]) == (1920, 1080)
    assert page.evaluate("tones") == 3  # three tones, once


@pytest.mark.proof
def test_an_old_panel_pc_shows_everything_without_scroll_bars(hall, visit):
    table = hall(cards=OVERDRAWN)
    page = visit(table.page("dealer"), OLD_PANEL).page
    expect(page.locator(".next h1")).to_be_visible()
    assert page.evaluate(FITS)
    sizes = page.locator(".key").evaluate_all("all => all.map(one => parseFloat(getComputedStyle(one).fontSize))")
    assert min(sizes) >= 16
    expect(page.locator(".key[data-key=open]")).to_have_attribute("data-light", "on")
    colours = "all => all.map(one => getComputedStyle(one).backgroundColor)"
    (due,) = page.locator(".key[data-key=open]").evaluate_all(colours)
    others = page.locator(".key:not([data-key=open])").evaluate_all(colours)
    assert others
    assert due not in others  # CARD DROPPED and MANAGER look unlike the key that is due
    table.say("open")
    table.say("close")
    table.draw(*OVERDRAWN[:4])
    expect(page.locator(".places").get_by_role("img")).to_have_count(4)
    assert page.evaluate(FITS)
    table.draw(OVERDRAWN[4])
    expect(page.locator(".stop")).to_be_visible()
    assert page.evaluate(FITS)


@pytest.mark.proof
def test_romanian_warnings_fit_the_old_panel_screen_width(hall, visit):
    table = hall("casino_holdem", web='language = "ro"\n[panel]\nmodel = "xk24"')
    page = visit(table.page("dealer"), OLD_PANEL).page
    table.shoe.unplug()
    expect(page.locator(".flags li")).to_have_count(2)
    rights = "all => all.map(one => one.getBoundingClientRect().right)"
    for parts in (".keys > *", "header > *", ".hand"):
        assert 0 < max(page.locator(parts).evaluate_all(rights)) <= OLD_PANEL["width"]


def test_shoe_change_steps_are_shown_and_require_a_card_count(hall, visit):
    table = hall(cards=("2C", "3D", "4H"), table='burn = "first_card"\ncount_in = true')
    look = visit(table.page("dealer"), OLD_PANEL)
    page, steps = look.page, look.page.locator(".change li")
    table.say("shoe", role="dealer", do="change")
    expect(steps).to_have_count(5)
    for size in (FULL_HD, OLD_PANEL):  # all steps are in sight
        page.set_viewport_size(size)
        assert page.locator(".change").evaluate("one => one.scrollHeight <= one.clientHeight")
    expect(steps.nth(1)).to_have_attribute("aria-current", "step")
    page.get_by_role("button", name="CUT", exact=True).tap()
    table.comes("shoe_cut")
    expect(steps.nth(1)).to_have_attribute("data-done", "")
    expect(steps.nth(2)).to_have_attribute("aria-current", "step")
    table.draw("2C", "3D", "4H")
    expect(steps.nth(3)).to_contain_text("3 of 3")
    ready = page.get_by_role("button", name="SHOE READY")  # exactly one such button
    ready.tap()
    expect(page.locator(".refused")).to_contain_text("not counted in")
    page.get_by_label("Cards counted").fill("312")
    page.get_by_label("Receipt").fill("R8")
    assert page.evaluate(FITS)
    ready.tap()
    expect(page.locator(".change")).to_be_hidden()
    loaded = table.records("shoe_ready")[-1].what
    assert (loaded.counted, loaded.receipt) == (312, "R8")


def test_a_skipped_cut_asks_why_before_anything_is_sent(hall, visit):
    table = hall()
    page = visit(table.page("dealer"), OLD_PANEL).page
    table.say("shoe", role="dealer", do="change")
    steps = page.locator(".change li")
    expect(steps.nth(1)).to_have_attribute("aria-current", "step")
    expect(page.locator(".key[data-key=ready]")).to_have_count(0)
    page.locator(".change .skip").tap()
    bottoms = "one => [one.parentElement, one].map(each => each.getBoundingClientRect().bottom)"
    for size in (FULL_HD, OLD_PANEL):  # the reasons lie within their step, all in sight
        page.set_viewport_size(size)
        assert page.evaluate(FITS)
        step, reasons = page.locator(".change .reasons").evaluate(bottoms)
        assert reasons <= step
    confirm = page.get_by_role("button", name="NOT CUT", exact=True)
    expect(confirm).to_be_disabled()
    page.get_by_role("button", name="Cut before they were brought").tap()
    assert not table.records("cut_skipped")
    confirm.tap()
    expect(steps.nth(1)).to_contain_text("Not cut: Cut before they were brought")
    page.locator(".key[data-key=ready]").tap()
    expect(page.locator(".change")).to_be_hidden()
    assert table.records("shoe_ready")[-1].what.uncut == "Cut before they were brought"


@pytest.mark.parametrize("game", first_of(1, sorted(BETS, reverse=True)))
def test_dealer_page_layout_does_not_shift_during_a_round(browser, tmp_path, game):
    with closing(browser.new_context(viewport=FULL_HD, has_touch=True)) as context:
        on = ConsolePage(context.new_page(), "dealer", "en", tmp_path)
        first, *others = course_of(game)
        on.show(PageState(table_after(game, first), 9))
        expect(on.page.locator("body")).to_be_visible()
        on.settle()
        on.page.screenshot(clip=PIXEL)  # draws a frame: this page's clock stands still
        on.page.evaluate(MOVED)
        for script in others:
            on.show(PageState(table_after(game, script), 9))
            on.page.screenshot(clip=PIXEL)
        assert on.page.evaluate("window.moved") == []
