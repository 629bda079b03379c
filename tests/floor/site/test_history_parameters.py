"""Parameters of a search of all tables, as a browser sends them."""

import json

import pytest
from starlette.datastructures import QueryParams
from starlette.requests import Request

from controller.config.shifts import ShiftsSection
from controller.core.clock import from_text
from controller.floor.site.history_parameters import (
    parse_format,
    parse_numbers,
    parse_period,
    parse_search,
    searched_rounds,
)
from controller.web.net.replies import RequestRefused
from tests.patience import on_loop


def parse_today(query):
    return parse_numbers(query, ShiftsSection(), 0)


@pytest.mark.parametrize(("currency", "units"), [({}, 1200), ({"currency": ""}, 1200), ({"currency": "JPY"}, 12)])
def test_amounts_of_a_floor_search_are_in_its_currency(currency, units):
    body = json.dumps({"least": "12", "above": "12", **currency}).encode()

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def steps():
        parameters = await searched_rounds(
            Request({"type": "http", "method": "POST", "headers": []}, receive), ShiftsSection()
        )
        assert (parameters.least, parameters.above) == (units, units)

    on_loop(steps)


def test_amounts_in_an_address_are_minor_units():
    parameters = parse_search(QueryParams("least=1200&above=5&lang=ro&format=csv&from="), ShiftsSection())
    assert (parameters.least, parameters.above, parameters.since) == (1200, 5, None)


@pytest.mark.parametrize("now", ["2026-06-30T20:30:00.000000Z", "2026-06-30T21:30:00.000000Z"])
def test_the_report_without_a_date_is_of_the_studios_day(now):
    """The studio's day begins at midnight by its own clocks, which is 21:00 UTC in the summer of Bucharest."""
    shifts, at = ShiftsSection(("06:00", "22:00"), "Europe/Bucharest"), from_text(now)
    period, today = parse_period({"day": ""}, shifts, at), parse_numbers({}, shifts, at)
    assert (period.since, period.until) == (today.since, today.until)
    assert period.since <= at < period.until


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("number=abc", "number: expected a number from 1 on, got 'abc'"),
        ("number=1_000", "number: expected a number from 1 on, got '1_000'"),
        ("above=12.50", "amount: expected 0 or more, such as 13, got '12.50'"),
        ("how=foo", "how: this word is not known: 'foo'"),
        ("before=zz", "before: this word is not known: 'zz'"),
        ("from=xx", "time: expected one that exists on the studio's clocks, such as 2026-01-31 14:00, got 'xx'"),
        ("foo=1", "'foo' cannot be searched for"),
        ("player=anna&table=t1", "'player' cannot be searched for"),
        ("bet=R.1", "'bet' cannot be searched for"),
    ],
)
def test_a_bad_address_of_a_search_is_refused_in_words(address, says):
    with pytest.raises(RequestRefused) as refused:
        parse_search(QueryParams(address), ShiftsSection())
    assert (refused.value.status_code, refused.value.detail) == (400, says)


@pytest.mark.parametrize(
    ("parse", "address", "says"),
    [
        (parse_format, "format=xml", "format: expected one of csv, jsonl, got 'xml'"),
        (parse_today, "by=hand", "by: expected one of table, dealer, game, shift, got 'hand'"),
    ],
)
def test_an_unknown_word_is_refused_with_the_known_ones(parse, address, says):
    with pytest.raises(RequestRefused) as refused:
        parse(QueryParams(address))
    assert (refused.value.status_code, refused.value.detail) == (400, says)
