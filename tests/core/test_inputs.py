"""Input of a decision: stored with the first record that it causes, and visible to the auditor alone."""

from typing import get_args

import pytest

from controller.core import events as e
from controller.core.clock import SECOND
from controller.core.decide import decide
from controller.core.decide.writable import writable
from controller.core.encoding import decode, encode, encode_input
from controller.core.views import AUDIENCES, view

from .bench import Bench
from .chance import Judge
from .salts import unsalted


class Inputs(Judge):
    """The first record of a decision has its event as input; records of a passed deadline have a tick."""

    def look(self, before, event, records, after):
        given = [record.input for record in map(unsalted, records) if record.input]
        assert (records[0].input is not None) if records else True
        *earlier, last = given or [None]
        assert all(one == e.Input(e.Tick(), one.at) for one in earlier)
        expected = writable(self.bench.house, event)
        assert last in (None, e.Input(expected, self.bench.now), e.Input(e.Tick(), last and last.at))
        assert all(record.input.at == record.at or record.kind == "clock_set" for record in records if record.input)


def test_a_deadline_has_its_own_input_at_its_due_time():
    bench = Bench(betting_seconds=10)
    (opened,) = bench.do(e.Open())
    bench.now += 12 * SECOND
    closed, refused = bench.do(e.PlaceBet("p1", "tie", 100))
    assert (closed.kind, closed.input) == ("closed", e.Input(e.Tick(), opened.at + 10 * SECOND))
    assert (refused.kind, refused.input) == ("bet_refused", e.Input(e.PlaceBet("p1", "tie", 100), bench.now))


def test_two_deadlines_have_an_input_each():
    bench = Bench(betting_seconds=10, stall_seconds=20)
    (opened,) = bench.do(e.Open())
    closed, stalled = bench.wait(40)
    assert [closed.kind, stalled.kind] == ["closed", "faulted"]
    assert [one.input.at - opened.at for one in (closed, stalled)] == [10 * SECOND, 30 * SECOND]


def test_accepted_and_refused_rulings_record_their_input():
    bench = Bench()
    bench.says("open; close; press manager")
    (refused,) = bench.says("rule burn by m")
    (ruled, *following) = bench.says("rule resume by m")
    assert refused.input.event == e.Rule("burn", "m", "")
    assert ruled.input.event == e.Rule("resume", "m", "")
    assert [record.input for record in following] == [None]


def test_an_input_keeps_its_arrival_time_when_decided_late():
    bench = Bench()
    arrival, origin = bench.now - 5 * SECOND, e.Origin("unix:eva", "k1")
    (opened,) = decide(bench.house, bench.position, bench.state, e.Open("eva"), arrival, origin).records
    assert opened.at == bench.state.at
    assert opened.input == e.Input(e.Open("eva"), arrival, origin)


def test_an_event_with_an_invalid_name_records_a_valid_input():
    (ignored,) = Bench().do(e.LineCut("\ud800"))
    assert ignored.input.event == e.NoText("LineCut")
    assert decode(encode(ignored), encode_input(ignored.input)) == ignored


@pytest.mark.parametrize("kind", get_args(e.Event), ids=lambda kind: kind.__struct_config__.tag)
def test_every_event_is_read_as_it_was_written(kind):
    least = dict.fromkeys(kind.__struct_fields__[: len(kind.__struct_fields__) - len(kind.__struct_defaults__)], "x")
    named = {"stake": 7, "code": 7, "key": "finish", "device": "shoe", "ruling": "burn", "heard": 7, "seconds": 7}
    named |= {"check": "chain", "door": "kiosk", "wrong": 1, "delayed": 0, "most": 1, "delay": 0, "times": 2}
    named |= {"said": e.PlaceBet("p1", "tie", 7, 3), "round": 7, "amendments": (e.Amendment("void", 7),), "case": 7}
    event = kind(**{**least, **{name: value for name, value in named.items() if name in least}})
    (ignored,) = Bench().do(e.CutCardOut(), e.KeyPressed("finish"))[-1:]
    given = e.Input(event, 1, e.Origin("unix:eva"))
    assert decode(encode(ignored), encode_input(given)).input == given


def test_only_the_auditor_sees_the_input():
    bench = Bench()
    draft = decide(bench.house, bench.position, bench.state, e.Open("eva"), bench.now, e.Origin("unix:eva", "k1"))
    views = {audience: view(draft.records[0], audience) for audience in AUDIENCES}
    assert [audience for audience in AUDIENCES if "input" in views[audience]] == ["auditor"]
    assert views["auditor"]["input"] == {
        "at": "2026-01-01T00:00:00.000000Z",
        "event": {"kind": "open", "by": "eva"},
        "origin": {"via": "unix:eva", "command": "k1"},
    }
    assert [audience for audience in AUDIENCES if "origin" in views[audience]] == ["manager"]
