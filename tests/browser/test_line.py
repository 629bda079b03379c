"""A page whose line to the table is cut says so, and is right again by itself."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.hall import DEALT
from tests.browser.line import Line


@pytest.mark.parametrize("name", ["dealer", "overlay"])
def test_a_page_whose_line_is_cut_says_so_and_comes_back_with_what_it_missed(hall, visit, name):
    table = hall(cards=DEALT)
    with Line(int(table.url.rpartition(":")[2])) as line:
        look = visit(f"http://127.0.0.1:{line.port}/{name}")
        look.may_fail = True
        table.say("open")
        expect(look.page.locator("body")).to_have_attribute("data-life", "betting")
        line.cut()
        stale = look.page.locator(".stale")
        expect(stale).to_be_visible()
        expect(stale).to_have_text(re.compile(r"\d\d:\d\d:\d\d"))
        table.say("close")
        table.draw(*DEALT)
        line.mend()
        expect(stale).to_be_hidden(timeout=15_000)
        for place, score in (("player", 9), ("banker", 5)):
            expect(look.page.locator(f"[data-place={place}] .total")).to_have_text(str(score))
        expect(look.page.locator("body")).to_have_attribute("data-life", "complete")
