"""Search of rounds, numbers and hand-over on the page of a real floor."""

import pytest
from playwright.sync_api import expect

from controller.core import events as e
from tests.browser.conftest import FULL_HD
from tests.browser.floor_actions import sign_in_at_floor
from tests.browser.held_requests import HeldRequests
from tests.browser.layout_checks import layout_faults
from tests.browser.pictures import PHONE
from tests.browser.test_accessible import accessibility_faults
from tests.browser.test_floor_at_work import at_work
from tests.floor.history.test_search import CODE
from tests.floor.service import MANAGER, OTHER, paused
from tests.patience import eventually
from tests.web.staff import PINS


def voided(table):
    fault = paused(table)
    table.table.take(e.Rule("cancel", "Maria", "wet card", fault=fault, person=MANAGER))


VIEWS = ["floor", "rounds", "numbers", "people", "hand-over"]
SIZES = {"en": FULL_HD, "ro": PHONE}


# Names of visible fields that are too narrow for their content: a browser does not report this.
CUT = """(fields) => fields.filter((field) => {
  const has = field.offsetWidth;
  field.style.width = "max-content";
  const wants = field.offsetWidth;
  field.style.width = "";
  return field.checkVisibility() && has < wants;
}).map((field) => field.name)"""


def looks_right(page, name):
    """Check that nothing is cut off or too small and that axe finds nothing grave."""
    assert page.locator(".day input").evaluate_all(CUT) == [], name
    wrong, _ = layout_faults(page, 11)
    assert wrong == [], name
    assert accessibility_faults(page) == [], name


@pytest.mark.proof
@pytest.mark.parametrize("lang", SIZES)
def test_floor_finds_rounds_shows_numbers_and_records_a_handover(visit, tmp_path, lang):
    with at_work(tmp_path) as (floor, table, do):
        do(lambda: table.play(3))
        do(lambda: voided(table))
        page = visit(f"http://127.0.0.1:{floor.port}/floor?lang={lang}", SIZES[lang]).page
        sign_in_at_floor(page, MANAGER, PINS[MANAGER])
        looks_for_the_void_round(page)
        sees_the_numbers(page)
        do(lambda: paused(table))
        hands_over(page)
        (entry,) = do(lambda: floor.recorded("handed_over"))
        assert (entry["by"], entry["to"], entry["notes"]) == (MANAGER, OTHER, "shoe sticks")
        page.goto("about:blank")


def open_view(page, view):
    """Open this view by one touch."""
    page.locator(".tabs button").nth(VIEWS.index(view)).tap()
    expect(page.locator(f".view-{view} form")).to_be_visible()


@pytest.mark.proof
def test_view_with_failed_words_request_reports_it_and_retries(visit, tmp_path):
    with at_work(tmp_path) as (floor, *_):
        look = visit(f"http://127.0.0.1:{floor.port}/floor")
        look.may_fail, page = True, look.page
        sign_in_at_floor(page, MANAGER, PINS[MANAGER])
        page.route("**/api/floor/history-words*", lambda route: route.abort())
        page.locator(".tabs button").nth(1).click()
        expect(page.locator(".beneath .note")).to_have_text(
            "Connection lost: check whether it was done, then try again"
        )
        page.unroute("**/api/floor/history-words*")
        page.locator(".tabs button").nth(1).click()
        expect(page.locator(".view-rounds form")).to_be_visible()
        expect(page.locator(".beneath .note")).to_be_hidden()
        page.goto("about:blank")


def looks_for_the_void_round(page):
    open_view(page, "rounds")
    rows = page.locator(".view-rounds .round")
    until_there(page, rows, 4, ".view-rounds form button[type=submit]", "rounds")
    page.locator("[name=above]").fill("0,01")
    page.locator(".view-rounds form button[type=submit]").tap()
    expect(rows).to_have_count(0)
    page.locator("[name=above]").fill("")
    page.locator("[name=fault]").select_option(CODE)
    page.locator(".view-rounds form button[type=submit]").tap()
    expect(rows).to_have_count(1)
    with page.expect_download() as file:
        page.locator(".view-rounds .export").tap()
    assert file.value.path().read_text().count("\n") == 2
    rows.first.tap()
    expect(page.locator(".view-rounds .story")).to_contain_text("wet card")
    looks_right(page, "rounds")


def until_there(page, shown, count, button, target):
    """Touch the button until `count` entries are shown: events take a moment to reach the floor."""

    def asked() -> None:
        with page.expect_response(f"**/api/floor/{target}?*"):
            page.locator(button).tap()

    eventually(lambda: shown.count() == count or asked())


def sees_the_numbers(page):
    open_view(page, "numbers")
    expect(page.locator(".told > .numbers").first).to_contain_text("4")
    figures = page.locator(".course figure")
    expect(figures).to_have_count(3)
    page.locator(".course summary").tap()
    played = page.locator(".course tbody tr").filter(has_text="(")
    expect(played.first).to_be_visible()
    for number, drawn in enumerate(("rect", ".dot", ".dot")):  # an hour without rounds has no mark
        expect(figures.nth(number).locator(drawn)).to_have_count(played.count())
    looks_right(page, "numbers")


def hands_over(page):
    open_view(page, "hand-over")
    calls = page.locator(".view-hand-over [data-name=calls] li")
    expect(page.locator(".view-hand-over .hand")).to_be_visible()
    until_there(page, calls, 1, ".view-hand-over .anew", "hand-over")
    looks_right(page, "hand-over")
    for name, text in (("notes", "shoe sticks"), ("own", PINS[MANAGER]), ("to", OTHER), ("their", PINS[OTHER])):
        page.locator(f".view-hand-over [name={name}]").fill(text)
    page.locator(".view-hand-over form button").tap()
    expect(page.locator(".view-hand-over .last")).to_contain_text("Livia")
    expect(page.locator(".view-hand-over [name=own]")).to_have_value("")


@pytest.mark.proof
def test_found_rounds_stay_when_loading_more_fails(visit, tmp_path):
    with at_work(tmp_path) as (floor, table, do):
        do(lambda: table.play(3))
        look = visit(f"http://127.0.0.1:{floor.port}/floor", FULL_HD)
        look.may_fail, page = True, look.page
        sign_in_at_floor(page, MANAGER, PINS[MANAGER])
        open_view(page, "rounds")
        rows = page.locator(".view-rounds .round")
        until_there(page, rows, 3, ".view-rounds form button[type=submit]", "rounds")
        page.locator(".view-rounds .more").evaluate(
            "more => { more.hidden = false; more.dataset.before = 'x' }"
        )  # as if there were more rounds
        page.route("**/api/floor/rounds?*", lambda route: route.abort())
        page.locator(".view-rounds .more").tap()
        expect(page.locator(".view-rounds .empty")).to_be_visible()
        expect(rows).to_have_count(3)
        expect(page.locator(".view-rounds .more")).to_be_visible()
        page.goto("about:blank")


@pytest.mark.proof
def test_handover_text_is_kept_when_an_answer_arrives(visit, tmp_path):
    with at_work(tmp_path) as (floor, _, _do):
        page = visit(f"http://127.0.0.1:{floor.port}/floor", FULL_HD).page
        sign_in_at_floor(page, MANAGER, PINS[MANAGER])
        open_view(page, "hand-over")
        page.locator("[name=notes]").fill("shoe sticks")
        page.locator(".tabs button").first.tap()
        answers = HeldRequests(page, "**/api/floor/hand-over*")
        page.locator(".tabs button").nth(VIEWS.index("hand-over")).tap()
        page.locator("[name=to]").focus()
        page.keyboard.type("Bog")
        with page.expect_response("**/api/floor/hand-over*"):
            answers.comes().continue_()
        page.locator(".known .anew").wait_for()
        page.keyboard.type("dan w")
        expect(page.locator("[name=to]")).to_have_value("Bogdan w")
        expect(page.locator("[name=notes]")).to_have_value("shoe sticks")
        page.goto("about:blank")
