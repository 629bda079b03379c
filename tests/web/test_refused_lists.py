"""A refused all-or-none list names the reached limit, also if sent again or after a restart."""

import asyncio

from controller.config.table_file import check
from controller.core import events as e
from controller.journal import read_rows
from controller.reports.replay import Replay
from tests.patience import on_loop
from tests.web.rig import OPEN, Spoken
from tests.web.test_lists import reasons, together

HOUSE = check({"game": {"name": "baccarat"}, "limits": {"player": {"maximum": 100.0}}}).house("dealer")
BET = {"command": "bet", "player": "p1", "market": "banker", "stake": 8000, "round": 1}
RAISED = (
    {"command": "unbet", "id": "u1", "player": "p1", "market": "banker", "round": 1},
    {**BET, "id": "b2", "stake": 15000},
)
LEFT = {"of": "player", "minimum": None, "maximum": 10000, "left": 10000}


def limits(verdicts):
    return [one["records"][0].get("limit") for one in verdicts]


def test_a_refused_raise_names_its_limit_after_a_restart(tmp_path):
    first = []

    async def before():
        async with Spoken(tmp_path, HOUSE) as table:
            await table.send(OPEN, {**BET, "id": "b1"}, role="server")
            first.extend(await together(table, *RAISED))
            assert (reasons(first), limits(first)) == (["not_all", "limit_reached"], [None, LEFT])
            table.rig.table.take(e.KeyPressed("manager"))
            assert await together(table, *RAISED) == first

    async def after():
        async with Spoken(tmp_path, HOUSE) as table:
            assert await together(table, *RAISED) == first
            replay = Replay({"baccarat": table.table.house.game}, table.table.house.program)
            replay.take(read_rows(table.rig.path))
            replay.finish()
            assert replay.differences == []

    on_loop(before)
    on_loop(after)


def test_a_refused_raise_sent_twice_at_once_names_one_limit(tmp_path):
    async def steps():
        async with Spoken(tmp_path, HOUSE) as table:
            await table.send(OPEN, {**BET, "id": "b1"}, role="server")
            one, other = await asyncio.gather(together(table, *RAISED), together(table, *RAISED))
            assert (one, limits(one)) == (other, [None, LEFT])
            assert [bet.stake for bet in table.table.state.round.bets.values()] == [8000]

    on_loop(steps)
