"""Cases are decided and rounds are corrected from the floor, in the form of the table's own console."""

from contextlib import suppress

import pytest
from playwright.sync_api import Error, expect

from controller.core import events as e
from controller.core import records as r
from controller.journal import read
from tests.browser.conftest import FULL_HD
from tests.browser.floor_actions import console, sign_in_at_floor
from tests.browser.layout_checks import layout_faults
from tests.browser.pictures import PHONE
from tests.browser.test_accessible import accessibility_faults
from tests.browser.test_floor_at_work import at_work
from tests.browser.test_floor_history import open_view, until_there
from tests.browser.test_resettling import corrects, says_why
from tests.floor.history.test_resettled import PLAYED_AT_A_TABLE
from tests.floor.service import MANAGER, OTHER, SUPERVISOR
from tests.patience import eventually
from tests.web.staff import PINS

pytestmark = pytest.mark.proof


def reported(table):
    """Play a round to its end, then report a dropped card as the dealer."""
    for event in (*PLAYED_AT_A_TABLE, e.KeyPressed("dropped")):
        table.table.take(event)


def recorded(folder, kind):
    """Return what the table's journal has recorded of this kind."""
    return [one.what for one in read(folder / "t1" / "t.journal") if isinstance(one.what, kind)]


def open_floor(visit, floor, number=MANAGER, size=FULL_HD):
    page = visit(f"http://127.0.0.1:{floor.port}/floor", size).page
    sign_in_at_floor(page, number, PINS[number])
    return page


def ties(place):
    corrects(place, 2, "6", "diamonds")
    expect(place.locator(".amend .leads .says")).to_contain_text("TIE 9 : 9")
    says_why(place)
    place.locator(".amend .shown input").first.fill(OTHER)
    place.locator(".amend .shown input[type=password]").fill(PINS[OTHER])
    place.locator(".amend .confirm").tap()
    expect(place.locator(".revision .turn")).to_contain_text("TIE 9 : 9")


@pytest.mark.parametrize("size", [FULL_HD, PHONE], ids=["full hd", "phone"])
def test_a_watched_case_opens_its_round_at_the_table(visit, tmp_path, size):
    with at_work(tmp_path) as (floor, table, do):
        do(lambda: reported(table))
        page = open_floor(visit, floor, size=size)
        alarm = page.locator(".alarm").filter(has_text="Open case, round: 1")
        alarm.locator(".open").tap()
        frame = console(page)
        expect(frame.locator(".story h2")).to_contain_text("PLAYER wins 9 : 5")
        frame.locator(".put-right").tap()
        expect(frame.locator(".amend .lying").first).to_be_visible()
        assert layout_faults(page.frames[-1], 11).wrong == []
        ties(frame)
        expect(alarm.locator(".state")).to_have_text("over")
        assert accessibility_faults(page) == []
        entry = eventually(lambda: do(lambda: floor.recorded("commanded")))[-1]
        assert (entry["by"], entry["command"], entry["round"], entry["verdict"]) == (MANAGER, "resettle", 1, "done")
        page.goto("about:blank")
    assert [one.second for one in recorded(tmp_path, r.Resettled)] == ["Livia"]


def test_the_tables_supervisor_dismisses_a_case_from_the_floor(visit, tmp_path):
    with at_work(tmp_path) as (floor, table, do):
        do(lambda: reported(table))
        page = open_floor(visit, floor, SUPERVISOR)
        alarm = page.locator(".alarm").filter(has_text="Open case, round: 1")
        alarm.locator(".open").tap()
        frame = console(page)
        expect(frame.locator(".case")).to_be_visible()
        expect(frame.locator(".dismiss")).to_be_hidden()
        expect(frame.locator(".story .who")).to_contain_text("This table is not assigned to you")
        maria = do(floor.signed_in)
        assert do(lambda: maria.act("assign", table="t1", person=SUPERVISOR)).body["done"]
        expect(frame.locator(".put-right")).to_be_visible()
        frame.locator(".dismiss").tap()
        frame.get_by_role("button", name="Key pressed by mistake").tap()
        frame.locator(".cases .confirm").tap()
        expect(frame.locator(".cases")).to_be_hidden()
        page.goto("about:blank")
    assert [one.by for one in recorded(tmp_path, r.CaseDismissed)] == ["Sandu"]


def leads_to_its_table(page, row):
    """Touch a round, then the button that leads to its table.

    Tries again if a late answer to the search has closed the round.
    """

    def is_left() -> bool:
        row.tap()
        with suppress(Error):
            page.locator(".view-rounds .put-right").tap(timeout=2_000)
            return True
        return False

    eventually(is_left)


def test_a_floors_round_leads_to_its_table_and_shows_revisions(visit, tmp_path):
    with at_work(tmp_path) as (floor, table, do):
        do(lambda: reported(table))
        page = open_floor(visit, floor)
        open_view(page, "rounds")
        rows = page.locator(".view-rounds .round")
        until_there(page, rows, 1, ".view-rounds form button[type=submit]", "rounds")
        leads_to_its_table(page, rows.first)
        console(page).locator(".put-right").tap()
        ties(console(page))
        open_view(page, "rounds")
        marked = rows.filter(has_text="settled anew").filter(has_text="TIE 9 : 9")
        until_there(page, marked, 1, ".view-rounds form button[type=submit]", "rounds")
        marked.tap()
        expect(page.locator(".view-rounds .revision .turn")).to_have_text("PLAYER wins 9 : 5 → TIE 9 : 9")
        expect(page.locator(".view-rounds .story h2")).to_contain_text("TIE 9 : 9")
        assert layout_faults(page, 11).wrong == []
        assert accessibility_faults(page) == []
        page.goto("about:blank")
