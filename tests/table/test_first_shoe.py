"""First shoe of a table: in play at once, or brought in step by step if cards are burnt or counted."""

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core.decide.openings import obstacle
from controller.core.decide.shoe_change import shoe_step
from controller.core.house import House, Terms
from controller.games import GAMES
from controller.outputs.keys import lights
from drivers.panels import Light
from tests.core.bench import Bench
from tests.patience import on_loop
from tests.table.test_table import JournaledTable

BACCARAT = GAMES["baccarat"]


def started(path, **terms) -> JournaledTable:
    rig = JournaledTable(path, House(BACCARAT, BACCARAT.settings(), Terms(**terms)))
    rig.table.start("d1")
    return rig


def ends(rig: JournaledTable) -> None:
    rig.table.stop()
    rig.journal.book.close()


@pytest.mark.parametrize(
    ("terms", "steps", "ready"),
    [
        ({"burn": "one"}, ["cut", "load", "ready"], e.KeyPressed("ready")),
        ({"burn": "first_card"}, ["cut", "load", "burn", "ready"], e.KeyPressed("ready")),
        ({"count_in": True}, ["cut", "count"], e.LoadShoe("anna", "S1", 312, None, "eva")),
    ],
)
def test_a_first_shoe_is_brought_in_step_by_step(tmp_path, terms, steps, ready):
    async def bring_in():
        rig = started(tmp_path / "t.journal", **terms)
        sequence = []
        for _ in range(10):
            if (step := shoe_step(rig.table.house, rig.table.state)) is None:
                break
            sequence += [] if step in sequence else [step]
            burns = step in ("load", "burn")
            rig.table.take(e.CardOut("2C") if burns else e.CutShoe("anna") if step == "cut" else ready)
        assert sequence == steps
        assert obstacle(rig.table.house, rig.table.state) is None
        ends(rig)

    on_loop(bring_in)


def test_a_first_shoe_without_burns_is_in_play_at_once(tmp_path):
    async def start():
        rig = started(tmp_path / "t.journal")
        assert obstacle(rig.table.house, rig.table.state) is None
        ends(rig)

    on_loop(start)


def test_a_restart_in_the_first_change_goes_on_with_it(tmp_path):
    async def start_again():
        first = started(tmp_path / "t.journal", burn="one")
        ends(first)
        rig = JournaledTable(tmp_path / "t.journal", House(BACCARAT, BACCARAT.settings(), Terms(burn="one")))
        rig.table.start("d1")
        assert shoe_step(rig.table.house, rig.table.state) == "cut"
        assert [record.kind for record in rig.recorded()].count("shoe_change") == 1
        ends(rig)

    on_loop(start_again)


def test_a_shoe_of_another_game_lights_the_change():
    table = Bench()
    table.state = replace(table.state, shoe=replace(table.state.shoe, game="blackjack"))
    assert lights(table.house, table.state, None)["change"] is Light.ON
    table.says("lost shoe")
    assert lights(table.house, table.state, None)["change"] is Light.OFF
    table.says("found shoe")
    table.says("press change")
    assert shoe_step(table.house, table.state) == "cut"
