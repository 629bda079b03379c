"""Shoe change: only the key of the current step is lit, and the record says why a shoe is not cut."""

from random import Random

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from controller.core import events as e
from controller.core import records as r
from controller.core.decide.shoe_change import shoe_step
from controller.core.encoding import decode, encode
from controller.core.fold import fold
from controller.core.life import RESTING
from controller.core.state import State
from controller.lab.testing.judge import Judge
from controller.outputs.keys import lights
from drivers.panels import Light
from tests.core.bench import Bench, kinds

CUT = "open; close; cut; card 9C; card 2D; card KC; card 3D"  # the last round of the shoe
SHOE_KEYS = ("change", "cut", "ready")


class CutsOfShoes(Judge):
    """A new shoe was cut, or its record says why not; the ready key works only after one of the two."""

    def __init__(self, bench):
        super().__init__(bench)
        self.cut = None  # since the old shoe was taken out: True, the reason why not, or None if neither was reported

    def look(self, before, event, records, after):
        changing, reading, in_play = before.shoe.changing, before.shoe.reading, bool(before.shoe.id and before.shoe.out)
        for record in records:
            match record.what:
                case r.ShoeChange(reading=is_read):
                    self.cut = self.cut if reading or is_read else None  # without a readout other cards are put in
                    changing, reading = True, is_read
                case r.ShoeCut() if changing:
                    self.cut = True
                case r.CutSkipped(because=because):
                    assert changing
                    assert because
                    self.cut = because
                case r.ShoeReady(uncut=uncut):
                    expected = UNSET if not (changing or in_play) or self.cut is True else self.cut or ""
                    assert uncut == expected
                    assert self.cut is not None or not isinstance(event, e.KeyPressed)
                    self.cut, changing, reading = None, False, False
        step = shoe_step(self.bench.house, after)
        assert lit(self.bench, after) & {"cut", "ready"} == {step} & {"cut", "ready"}


def lit(bench, state=None):
    """Return the shoe keys that are lit."""
    now = lights(bench.house, state or bench.state, bench.due if state is None else None)
    return {key for key in SHOE_KEYS if now[key] is Light.ON}


def changing(**terms):
    """Return a table whose old shoe was just taken out."""
    table = Bench(**terms)
    table.says(f"{CUT}; press change")
    return table


def test_one_shoe_key_at_a_time_is_lit():
    table = Bench()
    table.says(CUT)
    lamps = [lit(table)]
    for key in SHOE_KEYS:
        table.says(f"press {key}")
        lamps.append(lit(table))
    assert lamps == [{"change"}, {"cut"}, {"ready"}, set()]


@pytest.mark.parametrize(
    ("terms", "says", "step"),
    [
        ({}, "", "cut"),
        ({}, "press cut", "ready"),
        ({}, "press cut; lost shoe", "load"),
        ({}, "shoe uncut because late", "ready"),
        ({}, "press cut; shoe change", "cut"),  # the second change puts other cards in
        ({"burn": "one"}, "press cut", "load"),
        ({"burn": "one"}, "press cut; card 9C", "ready"),
        ({"burn": "one"}, "press cut; card 9C; card 2C", "burn"),
        ({"burn": "first_card"}, "press cut; card 2C; card 9D", "burn"),
        ({"burn": "first_card", "count_in": True}, "press cut; card 2C; card 9D; card 4H", "count"),
        ({"count_in": True}, "press cut", "count"),
        ({}, "press cut; press ready", None),
    ],
)
def test_the_step_due_follows_from_the_record(terms, says, step):
    table = Bench(**terms)
    table.says(f"shoe change; {says}")
    assert shoe_step(table.house, table.state) == step
    table.restart()
    assert shoe_step(table.house, table.state) == step


def test_the_ready_key_waits_for_the_cut():
    table = changing()
    assert kinds(table.says("press ready")) == ["ignored"]
    assert table.facts("ignored")[-1].reason == "not_cut"
    assert kinds(table.says("press cut; press ready")) == ["shoe_cut", "shoe_ready"]
    assert table.facts("shoe_ready")[-1].uncut is UNSET


def test_a_skipped_cut_and_its_reason_are_recorded():
    table = changing()
    assert kinds(table.says('shoe uncut by d1 because "cut before"; press ready')) == ["cut_skipped", "shoe_ready"]
    assert table.facts("cut_skipped")[-1] == r.CutSkipped("d1", "cut before")
    assert table.facts("shoe_ready")[-1].uncut == "cut before"


def test_cards_cut_after_a_skip_are_cut():
    table = changing()
    table.says("shoe uncut because late; shoe cut; press ready")
    assert table.facts("shoe_ready")[-1].uncut is UNSET


def test_the_command_puts_an_uncut_shoe_in_play():
    table = changing()
    assert kinds(table.says("shoe ready")) == ["shoe_ready"]
    assert table.facts("shoe_ready")[-1].uncut == ""


def test_a_shoe_loaded_without_a_change_needs_no_cut():
    table = Bench()
    table.says("shoe ready S2")
    assert table.facts("shoe_ready")[-1].uncut is UNSET
    assert kinds(table.says("shoe uncut because late")) == ["ignored"]


def test_a_skip_without_reason_or_need_is_ignored():
    table = changing()
    assert kinds(table.do(e.SkipCut(because=" "))) == ["ignored"]
    assert table.facts("ignored")[-1].reason == "no_reason"
    assert kinds(table.says("press cut; shoe uncut because late")) == ["shoe_cut", "ignored"]


def test_the_cut_key_counts_once_a_shoe():
    assert kinds(changing().says("press cut; press cut")) == ["shoe_cut", "ignored"]


def test_a_cut_during_the_readout_counts():
    table = Bench()
    table.says(f"{CUT}; shoe readout; card 5D; shoe cut; shoe change")
    assert kinds(table.says("press ready")) == ["shoe_ready"]


def test_an_earlier_version_needs_no_cut():
    table = Bench()
    table.house = replace(table.house, deciding=8)
    assert kinds(table.says(f"{CUT}; press change; press ready"))[-1] == "shoe_ready"
    table.says(f"{CUT}; press change; press cut; press cut; shoe change; press ready")
    assert kinds(table.records)[-4:] == ["shoe_cut", "shoe_cut", "shoe_change", "shoe_ready"]
    assert {what.uncut for what in table.facts("shoe_ready")} == {UNSET}
    assert {what.of_new for what in table.facts("shoe_cut")} == {UNSET}


BURNT = (
    "shoe change; card AC; card AD", "shoe change; shoe cut; card AC", "shoe change; shoe uncut because late; card 9C",
    "shoe change; press cut; card AC; card AD; press ready", "shoe change; shoe uncut because late; card AC; card AD",
)  # fmt: skip
ACTS = (
    *(["press change", "press cut", "press ready"] * 3), "shoe cut", "shoe uncut because late", "shoe ready",
    "shoe change", "shoe readout", "card 9C", "card 2D", *BURNT, *BURNT, "lost shoe", "found shoe", "lost panel",
    "found panel", "restart", "press manager", "rule cancel by m because seen", CUT,
    "press open", "wait 20s", "shuffled",
)  # fmt: skip


def test_random_acts_bring_no_uncut_shoe_without_a_record():
    tables = [acted(burn, seed) for burn in ("free", "none", "one", "first_card") for seed in range(5)]
    ready = {what.uncut for table in tables for what in table.facts("shoe_ready")}
    assert ready == {UNSET, "", "late"}
    assert {what.reason for table in tables for what in table.facts("ignored")} >= {None, "not_cut"}


def acted(burn, seed):
    """Do random acts at a table, check that its state follows from its records alone, and return it."""
    dice = Random(f"{burn} {seed}")
    table = Bench(burn=burn, settings={"decks": 1}) if seed % 3 else Bench("thirty_two", burn=burn)
    table.judges = [CutsOfShoes(table)]
    for _ in range(80):
        rests = table.life in RESTING and not table.state.shoe.changing
        table.says("shoe change" if rests and dice.random() < 0.5 else dice.choice(ACTS))
    assert fold(State(), [decode(encode(record)) for record in table.records]) == table.state
    return table


DEALT = "open; close; card 9C; card 2D; card KC; card 3D; press finish"


def test_a_shoe_without_a_change_ends_the_old():
    table = Bench()
    assert kinds(table.says(f"{DEALT}; shoe ready"))[-2:] == ["shoe_ended", "shoe_ready"]
    ended, ready = table.facts("shoe_ended")[-1], table.facts("shoe_ready")[-1]
    assert (ended.dealt, ended.is_counted, ready.uncut) == (4, False, "")


@pytest.mark.parametrize("again", ["shoe ready", "press ready"])
def test_a_shoe_that_is_ready_is_not_ready_again(again):
    table = changing()
    table.says("shoe uncut because late; press ready")
    assert kinds(table.says(again)) == ["ignored"]
    assert table.facts("shoe_ready")[-1].uncut == "late"


def test_a_shoe_already_taken_out_takes_no_count():
    table = changing()
    assert kinds(table.says("shoe change left 308")) == ["ignored"]
    assert [one.left for one in table.facts("shoe_ended")] == [None]
