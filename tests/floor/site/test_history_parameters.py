"""Parameters of a search of all tables, as a browser sends them."""

import json

import pytest
from starlette.requests import Request

from controller.config.shifts import ShiftsSection
from controller.floor.site.history_parameters import searched_rounds
from tests.patience import on_loop


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
