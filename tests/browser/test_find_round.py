"""The shift manager finds an earlier round at the table, and explains and prints it for a player."""

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Route, expect

from controller.core.clock import SECOND
from tests.browser.layout_checks import layout_faults
from tests.browser.people import open_manager_page
from tests.browser.pictures import PHONE, finish
from tests.browser.test_accessible import accessibility_faults
from tests.repeats import first_of

CARDS = ("2S", "KC", "3H", "3S", "8D")  # a tie: Banker with 3 stands on the 8
A4 = {"width": 703, "height": 994}  # px, without the margins


def played(hall, **how):
    """Start a table, and play one round with two players and three bets."""
    table = hall(cards=CARDS * 3, **how)
    table.say("open")
    for player, market, stake in (("anna7", "banker", 1000), ("bogdan4", "player", 2000), ("anna7", "big", 500)):
        table.say("bet", player=player, market=market, stake=stake)
    table.say("close")
    table.draw(*CARDS)
    finish(table, 1)
    return table


@pytest.mark.parametrize("size", first_of(1, [PHONE, {"width": 1024, "height": 768}, {"width": 1920, "height": 1080}]))
def test_a_round_is_found_explained_and_printed_by_touch(hall, visit, size):
    table = played(hall)
    look = open_manager_page(visit, table, size=size)
    page = look.page
    page.locator(".tabs button").nth(1).tap()
    page.locator(".find summary").tap()
    page.locator(".find [name=player]").fill("bogdan4")
    page.locator(".find [name=least]").fill("15")
    page.locator(".find").get_by_role("button", name="Search", exact=True).tap()
    expect(page.locator(".rounds .round")).to_have_count(1)
    assert layout_faults(page, 11).wrong == []
    assert accessibility_faults(page) == []
    page.locator(".rounds .round").tap()
    with page.expect_popup() as popup:
        page.locator(".round-page").tap()
    round_page = popup.value
    expect(round_page.get_by_text("BANKER has 3, the third card of PLAYER is 8♦: stands")).to_be_visible()
    assert accessibility_faults(round_page) == []
    expect(round_page.get_by_text("Only the bets of player bogdan4")).to_be_visible()
    assert "anna7" not in round_page.content()
    assert "bogdan4" not in round_page.url
    assert round_page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    round_page.evaluate("window.print = () => { window.printed = true; }")
    round_page.get_by_role("button", name="Print").tap()
    assert round_page.evaluate("window.printed") is True
    assert len(re.findall(rb"/Type\s*/Page\b", round_page.pdf(prefer_css_page_size=True))) == 1


@pytest.mark.proof
def test_more_of_a_search_can_be_asked_for_again(hall, visit):
    look = open_manager_page(visit, played(hall))
    look.may_fail, page = True, look.page
    page.locator(".tabs button").nth(1).tap()
    page.locator(".find summary").tap()
    page.locator(".find [name=player]").fill("bogdan4")

    def answers(route):
        if "before" in route.request.post_data_json:
            return route.abort()
        answer = route.fetch()
        return route.fulfill(json={**answer.json(), "more": 1})  # as if there were more rounds

    page.route("**/api/rounds?*", answers)
    page.locator(".find").get_by_role("button", name="Search", exact=True).tap()
    page.locator(".list > .more").tap()
    expect(page.locator(".list > .empty")).to_be_visible()
    expect(page.locator(".rounds .round")).to_have_count(1)
    expect(page.locator(".list > .more")).to_be_visible()


def test_a_wrong_search_is_explained_beside_its_button(hall, visit):
    look = open_manager_page(visit, played(hall))
    page = look.page
    look.may_fail = True
    page.locator(".tabs button").nth(1).tap()
    page.locator(".find summary").tap()
    page.locator(".find [name=least]").fill("-5")
    page.locator(".find").get_by_role("button", name="Search", exact=True).tap()
    expect(page.locator(".find [role=alert]")).to_contain_text("amount: expected 0 or more")
    page.locator(".find [name=least]").fill("999")
    page.locator(".find").get_by_role("button", name="Search", exact=True).tap()
    expect(page.get_by_text("No round matches")).to_be_visible()
    page.locator(".find").get_by_role("button", name="Show all rounds").tap()
    expect(page.locator(".rounds .round")).to_have_count(1)


def test_times_within_a_round_have_the_right_tenths(hall, visit):
    page = open_manager_page(visit, played(hall)).page
    times = {2.3: "+0:02.3", 4.1: "+0:04.1", 64.7: "+1:04.7"}

    def answers(route: Route) -> None:
        answer = route.fetch()
        told = answer.json()
        route.fulfill(response=answer, json={**told, "lines": [{**told["lines"][0], "after": one} for one in times]})

    page.route("**/api/rounds/1*", answers)
    page.locator(".tabs button").nth(1).tap()
    page.locator(".rounds .round").tap()
    expect(page.locator(".story .lines time")).to_have_text(list(times.values()))


def test_a_round_of_another_day_shows_its_date(hall, visit):
    page = open_manager_page(visit, played(hall)).page
    page.clock.set_fixed_time(datetime.now(UTC) + timedelta(days=1))
    page.locator(".tabs button").nth(1).tap()
    page.locator(".rounds .round").tap()
    for selector in (".rounds .round .at", ".story h2 .at"):
        expect(page.locator(selector)).to_have_text(re.compile(r"[A-Z][a-z]+ \d+ \d\d:\d\d:\d\d"))


def test_pages_show_the_studios_time_wherever_the_browser_is(hall, visit):
    table = played(hall, web='[shifts]\nzone = "Asia/Kolkata"')
    page = open_manager_page(visit, table, timezone_id="America/New_York").page
    page.locator(".tabs button").nth(1).tap()
    opened = datetime.fromtimestamp(table.records("opened")[-1].at / SECOND, ZoneInfo("Asia/Kolkata"))
    expect(page.locator(".rounds .round .at")).to_have_text(re.compile(f"{opened:%H:%M:%S}$"))


# Each row: from (days before today), its time, to (days before today), its time, number of today's rounds found.
@pytest.mark.parametrize(
    ("begin", "after", "end", "before", "found"),
    first_of(
        2,
        [
            (None, "00:00", None, "", 1),
            (1, "00:00", None, "23:59", 0),
            (0, "", 0, "", 1),
            (1, "", 1, "", 0),
            (None, "", None, "00:00", 0),
        ],
    ),
)
def test_a_day_without_a_time_is_the_whole_day(hall, visit, begin, after, end, before, found):
    table = played(hall)
    opened = table.records("opened")[-1].at
    page = open_manager_page(visit, table).page
    page.clock.set_fixed_time(opened / SECOND)
    page.locator(".tabs button").nth(1).tap()
    page.locator(".find summary").tap()
    today = datetime.fromtimestamp(opened / SECOND, UTC).date()
    for name, day, time in (("from", begin, after), ("to", end, before)):
        page.locator(f".find [name={name}]").fill("" if day is None else str(today - timedelta(days=day)))
        page.locator(f".find [name={name}_at]").fill(time)
    with page.expect_response("**/api/rounds*"):
        page.locator(".find").get_by_role("button", name="Search", exact=True).tap()
    expect(page.locator(".rounds .round")).to_have_count(found)
    expect(page.get_by_text("No round matches")).to_be_visible(visible=not found)
