"""The report of a shift in a browser: two printed A4 pages, accessible, legible, with a hand-over."""

import re
from datetime import date

import pytest
from playwright.sync_api import expect

from controller.config.shifts import day_of, minutes_of, shift_at, zone_named
from controller.reports.shift_report import report
from controller.text.faults import LANGUAGES
from controller.web.screens.report_page import page as report_page
from tests.browser.people import store_sign_in
from tests.browser.table_process import PINS
from tests.browser.test_accessible import accessibility_faults
from tests.reports.week import BEGINS, HOUR, SHIFTS, ZONE, journal, week

PHONE = {"width": 390, "height": 844}


@pytest.mark.proof
@pytest.mark.parametrize("times", [1, 10], ids=["busy", "ten times the trouble"])
def test_shift_and_day_reports_each_print_on_two_a4_pages(browser, tmp_path, times):
    path, zone = journal(tmp_path / "day.journal", week(1, 75)), zone_named(ZONE)
    page = browser.new_page(viewport={"width": 703, "height": 994})  # px of A4 within its margins
    page.emulate_media(media="print")
    for period in (shift_at(BEGINS + 8 * HOUR, minutes_of(SHIFTS), zone), day_of(date(2026, 3, 23), zone)):
        shift_report = report(path, period)
        assert len(shift_report.log.rulings) >= 10
        for many in (shift_report.log.rulings, shift_report.log.voids):
            many *= times
        for language in LANGUAGES:
            page.set_content(report_page(shift_report, language))
            assert page.evaluate("document.documentElement.scrollWidth") <= 703
            assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) == 2
    page.close()


def test_handover_page_is_accessible_and_records_a_handover(hall, visit):
    table = hall()
    visited = visit("about:blank", PHONE)
    page = visited.page
    store_sign_in(visited.context, table.url)
    page.goto(table.page("report"))
    assert accessibility_faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.goto(f"{table.page('report')}?lang=ro")
    assert accessibility_faults(page) == []
    page.goto(table.page("report"))
    for whose, name in (("from", "anna"), ("to", "bea")):
        page.locator(f"[name={whose}-name]").fill(name)
        page.locator(f"[name={whose}-pin]").fill(PINS["anna"])
    visited.may_fail = True
    page.get_by_role("button", name="Hand over").click()
    expect(page.get_by_role("status")).to_have_text("wrong name or PIN")
    assert page.locator("[name=from-pin]").input_value() == ""
    for whose, name in (("from", "anna"), ("to", "bea")):
        page.locator(f"[name={whose}-pin]").fill(PINS[name])
    page.locator("[name=note]").fill("the panel sticks")
    page.get_by_role("button", name="Hand over").click()
    expect(page.get_by_text("Handed over by anna · Taken over by bea · Note: the panel sticks")).to_be_visible()
    assert table.comes("handed_over").what.note == "the panel sticks"


SMALL_OR_CUT = """() => [...document.querySelectorAll(".plot text")].filter((text) => {
  if (!text.textContent) return false;
  const [own, plot] = [text, text.ownerSVGElement].map((one) => one.getBoundingClientRect());
  const size = parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a;
  const within = own.top >= plot.top && own.bottom <= plot.bottom + 1 && own.left >= 0 && own.right <= innerWidth;
  return size < 11 || !within;
}).map((text) => text.textContent)"""


@pytest.mark.proof
def test_plots_of_a_report_can_be_read_on_a_phone(browser, tmp_path):
    path, zone = journal(tmp_path / "day.journal", week(1, 75)), zone_named(ZONE)
    page = browser.new_page(viewport=PHONE)
    for period in (shift_at(BEGINS + 8 * HOUR, minutes_of(SHIFTS), zone), day_of(date(2026, 3, 23), zone)):
        page.set_content(report_page(report(path, period), "ro"))
        assert page.locator(".plot text").filter(has_text=re.compile("[0-9]")).count() > 40
        assert page.evaluate(SMALL_OR_CUT) == []
    page.close()


def test_pages_round_tenths_as_reports_do(hall, visit):
    values = [count / 80 for count in range(400)]
    page = visit(hall().page("manager")).page
    written = page.evaluate("async all => all.map((await import('/static/tenths.js')).tenths)", values)
    assert written == [f"{value:.1f}" for value in values]
