"""Every field of the floor's search finds the right rounds, at a real floor with a real table."""

import re

import pytest
from playwright.sync_api import Route, expect

from controller.core import events as e
from tests.browser.floor_actions import sign_in_at_floor
from tests.browser.test_floor_at_work import at_work
from tests.browser.test_floor_history import open_view, until_there, voided
from tests.floor.history.test_search import CODE
from tests.floor.service import MANAGER
from tests.table.test_table import NATURAL
from tests.web.staff import PINS

TIE = ("2S", "KC", "3H", "3S", "8D")
BETS = (("anna", "banker", 1000, NATURAL), ("bogdan", "tie", 500, TIE))  # rounds 1 and 2; round 3 is void
SELECTS = ("winner", "game", "how", "fault", "ruling")
SOON, LONG_AGO = "2099-01-01", "2020-01-01"


def play_rounds(table):
    """Play three rounds; return the id of the second round's bet and the dealer's name."""
    for player, market, stake, cards in BETS:
        for event in (e.Open(), e.PlaceBet(player, market, stake), e.Close(), *map(e.CardOut, cards)):
            table.table.take(event)
        (bet,) = table.table.state.round.bets
        table.table.take(e.KeyPressed("finish"))
    voided(table)
    return bet, table.table.state.round.dealer


def searches(bet, dealer):
    """Return for each field the texts typed into it, each with the rounds found, latest first."""
    return {
        "player": {"anna": [1], "carmen": []}, "bet": {bet: [2]}, "least": {"6,00": [1]}, "most": {"6": [2]},
        "winner": {"tie": [2]}, "table": {"t1": [3, 2, 1], "t9": []}, "number": {"2": [2]},
        "dealer": {dealer: [3, 2, 1], "nobody": []}, "game": {"baccarat": [3, 2, 1]},
        "from": {LONG_AGO: [3, 2, 1], SOON: []}, "to": {SOON: [3, 2, 1], LONG_AGO: []},
        "from_at": {"00:00": [3, 2, 1]}, "to_at": {"00:00": []},  # times of today
        "how": {"cancelled": [3], "settled": [2, 1]}, "fault": {CODE: [3]}, "ruling": {"cancel": [3]},
        "by": {"Maria": [3], "Sandu": []}, "above": {"6.00": [1]},
    }  # fmt: skip


@pytest.mark.proof
def test_each_search_field_finds_the_rounds_it_names(visit, tmp_path):
    with at_work(tmp_path) as (floor, table, do):
        fields = searches(*do(lambda: play_rounds(table)))
        page = visit(f"http://127.0.0.1:{floor.port}/floor").page
        sign_in_at_floor(page, MANAGER, PINS[MANAGER])
        open_view(page, "rounds")
        form, rows = page.locator(".view-rounds form"), page.locator(".view-rounds .round b")
        until_there(page, rows, 3, ".view-rounds form button[type=submit]", "rounds")
        assert set(form.locator("[name]").evaluate_all("all => all.map(one => one.name)")) == set(fields)
        for name, found in fields.items():
            field = form.locator(f"[name={name}]")
            for value, numbers in found.items():
                field.select_option(value) if name in SELECTS else field.fill(value)
                form.locator("[type=submit]").click()
                expect(rows).to_have_text([f"t1 · {number}" for number in numbers])
            field.select_option("") if name in SELECTS else field.fill("")
        form.locator("[name=player]").fill("anna")
        form.locator("[type=submit]").click()
        expect(rows).to_have_text(["t1 · 1"])
        rows.click()
        expect(page.locator(".view-rounds .round-page")).to_have_attribute("href", re.compile("&player=1$"))  # no name
        page.goto("about:blank")


def test_an_exported_search_counts_in_the_currencys_decimals(visit, tmp_path):
    """Browsers write forints without decimals; the record counts in hundredths."""

    def in_forints(route: Route) -> None:
        answer = route.fetch()
        told = answer.json()
        route.fulfill(response=answer, json={**told, "rounds": [{**one, "currency": "HUF"} for one in told["rounds"]]})

    with at_work(tmp_path) as (floor, table, do):
        do(lambda: play_rounds(table))
        page = visit(f"http://127.0.0.1:{floor.port}/floor").page
        sign_in_at_floor(page, MANAGER, PINS[MANAGER])
        page.route(re.compile("/api/floor/rounds$|/api/floor/rounds[?]"), in_forints)
        open_view(page, "rounds")
        submit = page.locator(".view-rounds form [type=submit]")
        until_there(page, page.locator(".view-rounds .round b"), 3, ".view-rounds form [type=submit]", "rounds")
        page.locator(".view-rounds [name=least]").fill("12,50")
        submit.click()
        expect(page.locator(".view-rounds .export")).to_have_attribute("href", re.compile("least=1250&currency=HUF"))
        page.goto("about:blank")
