"""Replay of resettlements: a refused one is no difference, a round that was tampered with is one."""

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core.decide import decide
from controller.core.decide.past_rounds import with_past
from controller.core.past_round import decode_past, encode_past
from controller.reports import earlier_rounds
from tests.core.bench import Bench
from tests.reports.test_replay import replayed

ROUND = "open; bet p1 player 1.00; close; card 9C; card 7D; card KS; card 5D; press finish"
ANOTHER = "the round that is settled anew is not the one that was recorded"


def over():
    """Return a table whose only round is over."""
    bench = Bench()
    bench.says(ROUND)
    return bench


def asked(bench, ruling="cancel", by="maria"):
    """Return a resettlement of round 1, with the round as the table's records have it now."""
    amendment = e.Amendment(ruling) if ruling == "cancel" else e.Amendment(ruling, 2, "2D")
    event = e.Resettle(1, (amendment,), by, "misread", "nora")
    return with_past(bench.house, bench.position, bench.state, event, bench.records)


def differences(bench):
    return [str(difference) for difference in replayed(bench.records).differences]


def given_as_it_is(bench, event):
    """Give the event to the table with the round that it holds, also without one; return its records."""
    draft = decide(bench.house, bench.position, bench.state, event, bench.now)
    bench.records += draft.records
    bench.state = draft.state
    return draft.records


def test_a_resettlement_refused_without_its_round_is_no_difference():
    bench = over()
    (refused,) = given_as_it_is(bench, replace(asked(bench), past=encode_past(None)))
    assert (refused.what.reason, differences(bench)) == ("no_round", [])


def test_a_resettlement_refused_as_stale_is_no_difference():
    bench = over()
    *_, refused = bench.do(asked(bench), asked(bench, by="olga"))
    assert (refused.what.reason, differences(bench)) == ("stale_revision", [])


def test_a_round_tampered_with_at_any_revision_is_found():
    bench = over()
    first = asked(bench)
    bench.do(asked(bench, "correct"))
    stale = decode_past(first.past)
    for past in (replace(stale, ended=stale.ended + 1), replace(stale, revision=2), replace(stale, revision=-1)):
        other = over()
        other.do(asked(other, "correct"), replace(first, past=encode_past(past)))
        assert differences(other) == [f"round 1: record {other.state.seq}: {ANOTHER}"]


def test_rounds_older_than_the_replayed_files_are_not_compared():
    bench = over()
    begin = len(bench.records) - 1
    first = asked(bench)
    bench.says(ROUND)
    bench.do(asked(bench, "correct"), first)
    audit = replayed(bench.records[begin:])
    assert (bench.records[-1].kind, audit.differences) == ("resettle_refused", [])


@pytest.mark.parametrize(("most", "found"), [(2, True), (1, False)])
def test_only_the_latest_rounds_are_compared(monkeypatch, most, found):
    monkeypatch.setattr(earlier_rounds, "MOST", most)
    bench = over()
    first = asked(bench)
    bench.says(ROUND)
    past = decode_past(first.past)
    bench.do(replace(first, past=encode_past(replace(past, ended=past.ended + 1))))
    assert differences(bench) == ([f"round 1: record {bench.state.seq}: {ANOTHER}"] if found else [])
