"""An `unbet` that names its bet takes that one back, or the one that is to come: never another."""

import asyncio
import json

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core import records as r
from controller.script.reader import written
from controller.web.api.commands import Caller
from controller.web.api.reading import read_in_pieces
from tests.patience import on_loop
from tests.web.rig import OPEN, Spoken

BET = {"command": "bet", "player": "p1", "market": "banker", "stake": 1000, "round": 1}
UNBET = {"command": "unbet", "player": "p1", "market": "banker", "round": 1}


def stakes(table) -> list[int]:
    return [bet.stake for bet in table.table.state.round.bets.values()]


def test_the_bet_that_overtook_the_named_one_stays(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            await table.send({**BET, "id": "b2"}, role="server")
            (back,) = await table.send({**UNBET, "id": "u1", "bet": "b1"}, role="server")
            (late,) = await table.send({**BET, "id": "b1", "stake": 9000}, role="server")
            assert (back["reason"], late["reason"], stakes(table)) == ("no_bet", "taken_back", [1000])
            (back,) = await table.send({**UNBET, "id": "u2", "bet": "b2"}, role="server")
            assert (back["verdict"], stakes(table)) == ("done", [])

    on_loop(steps)


def test_a_refused_bet_that_is_taken_back_spares_the_other(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            body = [{**BET, "id": "b1"}, {**BET, "id": "b2"}, {**UNBET, "id": "u2", "bet": "b2"}]
            told = await table.send(*body, role="server")
            assert [one.get("reason") for one in told] == [None, "duplicate_bet", "no_bet"]
            assert stakes(table) == [1000]

    on_loop(steps)


def test_the_bet_that_comes_at_once_elsewhere_is_refused(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            intake, server = table.api._intake, Caller("server", "platform", "token:platform")

            async def sent(command):
                said, _ = read_in_pieces(json.dumps(command).encode())
                return await anext(intake.each(server, said.commands))

            unbet = {**UNBET, "id": "u1", "bet": "b1"}
            back, late = await asyncio.gather(sent(unbet), sent({**BET, "id": "b1"}))
            assert (back.reason, late.reason, stakes(table)) == ("no_bet", "taken_back", [])

    on_loop(steps)


def test_a_bet_without_known_command_is_meant_by_its_market(tmp_path):
    """Such as one that was placed before an upgrade in the middle of its round."""

    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            table.rig.take(e.PlaceBet("p1", "banker", 1000))
            (back,) = await table.send({**UNBET, "id": "u1", "bet": "b1"}, role="server")
            assert (back["verdict"], stakes(table)) == ("done", [])

    on_loop(steps)


@pytest.mark.parametrize(("deciding", "left"), [(r.DECIDING, [1000]), (10, [])])
def test_an_older_record_takes_back_the_bet_on_the_market(tmp_path, deciding, left):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.table.house = replace(table.table.house, deciding=deciding)
            await table.send(OPEN)
            await table.send({**BET, "id": "b2"}, role="server")
            await table.send({**UNBET, "id": "u1", "bet": "b1"}, role="server")
            assert stakes(table) == left

    on_loop(steps)


def test_a_script_says_which_command_staked_a_bet(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            await table.send(OPEN)
            await table.send({**BET, "id": "b2"}, role="server")
            events = [record.input.event for record in table.rig.recorded() if record.kind == "bet_accepted"]
            assert [written(event) for event in events] == ["bet p1 banker 10.00 round 1 id b2"]

    on_loop(steps)
