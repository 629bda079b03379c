"""Panel keys to change the shoe and to leave: each acts only when it is its turn."""

from typing import get_args

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core.decide import decide
from controller.core.decide.cases import MOST_CASES
from controller.lab.testing.chance import KEYS
from controller.lab.testing.judge import Judge
from controller.outputs.keys import lights
from controller.text.faults import Words
from controller.web.screens.keys import keys
from controller.web.screens.table_snapshot import TableSnapshot
from drivers.panels import Light
from tests.core.bench import Bench

CUT = "open; close; cut; card 9C; card 2D; card KC; card 3D"  # the last round of the shoe
HOLDEM = "shuffled; open; bet p1 ante 1.00; close"
DONE = {"change": "shoe_change", "cut": "shoe_cut", "ready": "shoe_ready"}


def kinds(records):
    return [record.kind for record in records]


class LitKeysAct(Judge):
    """A key is lit, and can be touched on the dealer's page, exactly when a press of it does something.

    NO MORE BETS stays dark, FINISH too where it is pressed too early; CALL MANAGER is always lit.
    """

    def look(self, before, event, records, after):
        if self.recorded(after, e.Tick()):
            return  # the clock acts first
        due = self.bench.due if after.live else None
        on_panel = {key: light is not Light.OFF for key, light in lights(self.bench.house, after, due).items()}
        on_page = {one.key: one.touch for one in keys(TableSnapshot(after, due, self.bench.house), Words("en"))}
        for key in set(KEYS) - {"manager"}:
            does = not all(map(is_refusal, self.recorded(after, e.KeyPressed(key))))
            assert on_panel[key] == (does and key != "close"), (key, after.life)
            assert on_page.get(key, does) == does, (key, after.life)

    def recorded(self, state, event):
        return decide(self.bench.house, self.bench.position, state, event, self.bench.now).records


def is_refusal(record):
    if record.kind == "faulted":
        return record.what.code == "missing_card"
    return record.kind == "start_refused" or (record.kind == "ignored" and record.what.reason != "press_again")


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


@pytest.mark.parametrize(
    ("game", "script", "lit"),
    [
        ("baccarat", "open", set()),
        ("baccarat", "open; close", set()),
        ("baccarat", "open; close; card 9C", {"dropped"}),
        ("baccarat", "open; close; card 9C; press manager", {"dropped"}),
        ("baccarat", "open; close; card 9C; press manager; press dropped", set()),
        ("casino_holdem", f"{HOLDEM}; card AC; card 7D; card KS", {"dropped", "exposed"}),
        ("casino_holdem", f"{HOLDEM}; card AC; card 7D; card KS; press exposed", {"dropped"}),
        ("baccarat", f"{CUT}; press finish; press dropped", {"exposed"}),
    ],
)
def test_a_report_key_is_lit_while_its_report_is_new(game, script, lit):
    table = Bench(game)
    table.says(script)
    shown = lights(table.house, table.state, table.due)
    assert {key for key in ("dropped", "exposed") if shown[key] is Light.ON} == lit


@pytest.mark.parametrize(("game", "script"), [("baccarat", CUT), ("thirty_two", "shuffled")])
def test_shuffled_is_ignored_where_no_shuffled_deck_is_due(game, script):
    table = Bench(game)
    table.says(script)
    shoe = table.state.shoe
    assert kinds(table.says("press shuffled")) == ["ignored"]
    assert table.state.shoe == shoe


def test_shuffled_is_lit_again_once_the_deck_lacks_a_card():
    table = Bench("thirty_two")
    table.says("shuffled; card 9C; rule burn by maria because early")
    assert lights(table.house, table.state, None)["shuffled"] is Light.ON
    assert kinds(table.says("press shuffled")) == ["shuffled"]
