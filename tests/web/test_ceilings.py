"""Over the API, game servers see payment ceilings, and shift managers see the exposure of a round."""

from controller.config.table_file import check
from controller.core import events as e
from tests.patience import on_loop
from tests.web.rig import Spoken

LIMITS = {
    "exposure_warning": 50,
    "ceilings": {"bet": 15, "player": 40, "round": 45},
    "classes": {"vip": {"ceilings": {"bet": 30}}},
}
TABLE = check({"game": {"name": "baccarat"}, "limits": LIMITS}).house("auto")


def test_a_game_server_is_told_of_the_ceilings(tmp_path):
    async def steps():
        async with Spoken(tmp_path, TABLE) as table:
            game = (await table.ask("GET", "/api/game?role=server")).body
            ceilings = {"bet": 1500, "player": 4000, "round": 4500, "classes": {"vip": {"bet": 3000, "player": 4000}}}
            assert game["ceilings"] == ceilings

    on_loop(steps)


def test_a_table_without_ceilings_shows_none(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            assert (await table.ask("GET", "/api/game?role=server")).body["ceilings"] == {}

    on_loop(steps)


def test_the_exposure_is_for_shift_managers_alone(tmp_path):
    async def steps():
        async with Spoken(tmp_path, TABLE) as table:

            async def exposure(role):
                return (await table.ask("GET", f"/api/state?role={role}")).body.get("exposure")

            assert await exposure("manager") is None
            table.rig.take(e.Open(), e.PlaceBet("p1", "tie", 1000), e.PlaceBet("p2", "tie", 1000))
            assert await exposure("manager") == {"most": 4500, "warning": 5000, "warned": False}
            assert [await exposure(role) for role in ("dealer", "server", "player")] == [None] * 3

    on_loop(steps)
