"""The floor's page says what to do without tables, and shows a halted table redder than a fault."""

from msgspec.structs import replace
from playwright.sync_api import expect

from tests.browser.fake_floor import FakeFloor, calling_strip
from tests.browser.floor_actions import open_floor, type_sign_in


def test_an_empty_floor_says_what_to_do(floor, visit):
    main: FakeFloor = floor()
    page = visit(f"{main.url}/floor").page
    type_sign_in(page, "Anna Pop", "2580")
    expect(page.locator(".calls > .none")).to_contain_text("No table is connected yet. Start a table")
    main.tell(calling_strip("T7"))
    expect(page.locator(".call .table")).to_have_text("T7")
    expect(page.locator(".calls > .none")).to_be_hidden()


def test_a_halted_call_is_redder_than_a_fault(floor, visit):
    halt = calling_strip("T4", order=(0, -1, 0, 0))
    halt = replace(halt, call=replace(halt.call, seq=0, code="halted"))
    page = open_floor(visit, floor(calling_strip("T7"), halt))
    colours = page.locator(".call").evaluate_all("all => all.map(one => getComputedStyle(one).backgroundColor)")
    assert page.locator(".call .table").all_text_contents() == ["T4", "T7"]
    assert colours == ["rgb(165, 18, 12)", "rgb(90, 20, 20)"]
