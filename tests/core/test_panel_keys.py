"""Panel keys to change the shoe and to leave: each acts only when it is its turn."""

from typing import get_args

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core.decide.cases import MOST_CASES
from controller.lab.testing.chance import KEYS
from controller.lab.testing.judge import Judge
from controller.outputs.keys import lights
from drivers.panels import Light
from tests.core.bench import Bench

CUT = "open; close; cut; card 9C; card 2D; card KC; card 3D"  # the last round of the shoe
BY_THE_CLOCK = {"closed", "cancelled", "faulted", "escalated", "decided"}  # a deadline passed just before the key
DONE = {"change": "shoe_change", "cut": "shoe_cut", "ready": "shoe_ready"}


def kinds(records):
    return [record.kind for record in records]


class LitKeysAct(Judge):
    """A lit shoe key acts unless it is refused, and a lit leave key always; dark keys never act."""

    def look(self, before, event, records, after):
        if not isinstance(event, e.KeyPressed) or event.key not in (*DONE, "leave"):
            return
        lit = lights(self.bench.house, before, None)[event.key] is Light.ON
        did = set(kinds(records))
        if event.key == "leave":
            assert lit == bool(did & {"dealer_changed", "dealer_leaving"})
        elif kinds(records)[0] not in BY_THE_CLOCK:
            refused = {record.what.reason for record in records if record.kind == "ignored"}
            assert (DONE[event.key] in did) == (lit and not refused), (event, refused)


def test_a_shoe_can_be_changed_with_panel_keys_alone():
    table = Bench()
    table.says(CUT)
    assert kinds(table.says("press open")) == ["start_refused"]
    assert "shoe_change" in kinds(table.says("press change"))
    assert kinds(table.says("press cut")) == ["shoe_cut"]
    assert kinds(table.says("press ready")) == ["shoe_ready"]
    assert kinds(table.says("press open")) == ["opened"]
    assert {what.by for kind in DONE.values() for what in table.facts(kind)} == {"dealer"}


@pytest.mark.parametrize("key", DONE)
def test_a_shoe_key_pressed_out_of_turn_is_ignored(key):
    table = Bench()
    for stage in ("", "open", "close", "card 9C", "press manager"):
        if stage:
            table.says(stage)
        assert kinds(table.says(f"press {key}")) == ["ignored"]
    assert table.state.shoe.id == "1"


def test_change_pressed_twice_changes_one_shoe():
    table = Bench()
    table.says(f"{CUT}; press change")
    assert kinds(table.says("press change")) == ["ignored"]
    assert len(table.facts("shoe_change")) == 1


def test_with_count_in_the_ready_key_is_ignored():
    table = Bench(count_in=True)
    table.do(e.LoadShoe(counted=312, receipt="R1"))
    table.says(f"{CUT}; press change; press cut; press ready")
    assert table.facts("ignored")[-1].reason == "not_counted"
    assert table.state.shoe.changing


def test_the_leave_key_acts_between_rounds_or_after_the_round():
    table = Bench()
    assert kinds(table.says("press leave")) == ["dealer_changed"]
    assert kinds(table.says("press leave")) == ["ignored"]
    table = Bench()
    assert kinds(table.says("open; press leave"))[-1] == "dealer_leaving"
    assert kinds(table.says("press leave")) == ["ignored"]
    assert table.state.dealer == "dealer"


def test_the_bench_presses_every_key_there_is():
    assert set(KEYS) == set(get_args(e.Key))


def reports_lit(table, state):
    return {lights(table.house, state, None)[key] for key in ("dropped", "exposed")}


def test_report_keys_are_lit_while_they_would_open_a_case():
    table = Bench()
    assert reports_lit(table, table.state) == {Light.OFF}  # no round yet
    table.says(f"{CUT}; press finish")
    over = table.state
    assert reports_lit(table, over) == {Light.ON}
    training = replace(over, round=replace(over.round, terms=replace(over.round.terms, training=True)))
    assert reports_lit(table, training) == {Light.OFF}
    table.says("press dropped")
    assert table.records[-1].kind == "case_opened"
    assert reports_lit(table, replace(over, cases=table.state.cases * MOST_CASES)) == {Light.OFF}
