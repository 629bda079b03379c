"""The PC's clock is set: the table records and follows it between rounds, and ignores it in a round."""

import pytest

from controller.core.clock import to_text
from controller.core.decide import decide
from controller.core.encoding import encode, to_dict
from controller.core.fold import apply
from controller.core.views import view

from .bench import START, Bench, kinds

EARLIER, LATER = "2025-12-02T00:00:00.000000Z", "2026-01-01T02:00:00.000000Z"
ROUND = "open; close; card 9C; card 2D; card KD; card 3H"


@pytest.mark.parametrize("to", [EARLIER, LATER])
@pytest.mark.parametrize("text", ["", ROUND, "open; close; press manager; rule cancel by m"])
def test_a_clock_set_between_rounds_is_recorded_and_followed(to, text):
    bench = Bench()
    bench.says(text)
    before = bench.state.at
    (record,) = bench.says(f"clock {to}")
    fields = to_dict(record)
    assert (fields["kind"], fields["from"], fields["to"], fields["at"]) == ("clock_set", to_text(before), to, to)
    opened = bench.says("open")[-1]
    assert to_text(opened.at) == to


@pytest.mark.parametrize("text", ["open", "open; close", "open; close; press manager", "press manager"])
def test_a_clock_set_within_a_round_or_pause_is_ignored(text):
    bench = Bench()
    bench.says(text)
    before = bench.state
    (ignored,) = bench.says(f"clock {LATER}")
    assert (ignored.kind, ignored.at) == ("ignored", START)
    assert bench.state.deadline == before.deadline
    assert bench.state.life == before.life


def test_a_clock_set_is_shown_to_all_but_players():
    (record,) = Bench().says(f"clock {LATER}")
    assert view(record, "player") == {"seq": record.seq, "kind": "internal"}
    assert view(record, "server")["to"] == view(record, "dealer")["to"] == LATER


def test_a_clock_set_is_replayed_byte_identically_from_its_input():
    bench = Bench()
    before = bench.state
    (record,) = bench.says(f"clock {EARLIER}")
    given = record.input
    (again,) = decide(bench.house, bench.position, before, given.event, given.at, given.origin).records
    assert encode(again) == encode(record)
    assert apply(before, again) == bench.state


def test_a_betting_window_after_a_clock_set_keeps_its_length():
    bench = Bench(betting_seconds=15)
    bench.says(f"clock {EARLIER}; open")
    assert kinds(bench.says("wait 14s")) == []
    assert kinds(bench.says("wait 1s")) == ["closed"]
