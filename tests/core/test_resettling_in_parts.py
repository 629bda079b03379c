"""A resettlement of many bets is recorded in parts and stays one, whatever happens between them."""

import subprocess
import sys
from functools import partial
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace

from controller.core import events as e
from controller.core import records as r
from controller.core.decide import decide, next_deadline
from controller.core.decide.past_rounds import after_revision
from controller.core.decide.resettlements import work_out_event
from controller.core.encoding import decode, encode, encode_input
from controller.core.fold import apply, fold, state_before
from controller.core.house import SLICE, Ceilings
from controller.core.position import Position
from controller.core.recorded_house import recorded_house
from controller.core.state import State
from controller.core.views import AUDIENCES, view
from controller.games import GAMES
from controller.reports.event_records import record_of
from controller.reports.significant_events import significant
from controller.reports.summaries import revisions
from tests.core.bench import Bench, kinds
from tests.core.test_resettling import replayed

MARKETS = ("player", "banker", "tie")
PLAYER_WINS = "card 9C; card 2D; card KH; card 3S"
TIE, WON, VOID = e.Amendment("correct", 2, "6D"), e.Amendment("correct", 2, "2D"), e.Amendment("cancel")


def over(bets=10, size=3, **terms):
    """Return a table at rest; its round 1 had `bets` bets, and it decides on `size` of them at a time."""
    bench = Bench(**terms)
    bench.house = replace(bench.house, slice=size)
    bench.do(e.Open(), *(e.PlaceBet(f"p{number}", MARKETS[number % 3], 100 + number) for number in range(bets)))
    bench.says(f"close; {PLAYER_WINS}")
    return to_the_end(bench)


def to_the_end(bench):
    while bench.state.is_unfinished:
        assert bench.do(e.Tick())
    return bench


def resettle(*amendments, number=1, **more):
    return e.Resettle(number, amendments or (TIE,), "m", "misread", "n", **more)


def anew(bench, *amendments, number=1):
    return bench.do(resettle(*amendments, number=number))


def movements(records):
    """Return the movements of all parts, in order."""
    return [one for record in records if record.kind == "resettled" for one in record.what.movements]


def at_once(*chain, bets=10, **terms):
    """Return the movements of a table that records each of these resettlements in one part."""
    bench = over(bets, bets, **terms)
    for amendments in chain:
        anew(bench, *amendments)
    return movements(bench.records)


def replayed_in_slices(bench):
    """Replay the records with as many bets a part as this table; return the differences."""
    own = partial(replace, slice=bench.house.slice)
    with patch("controller.reports.replay.recorded_house", lambda *about: own(recorded_house(*about))):
        return replayed(bench.records)


def views_of(bench, audience="server"):
    return [view(record, audience, over=True) for record in bench.records]


def test_movements_come_in_parts_one_a_tick():
    bench = over()
    first = anew(bench)
    parts = [[len(record.what.movements) for record in first]]
    while bench.state.is_unfinished:
        assert next_deadline(bench.house, bench.position, bench.state) == bench.state.at
        parts.append([len(record.what.movements) for record in bench.do(e.Tick())])
    assert parts == [[3], [3], [3], [1]]
    found = bench.facts("resettled")
    assert [(what.part, what.parts) for what in found] == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert movements(bench.records) == at_once((TIE,))


@pytest.mark.parametrize("bets", [1, 2, 3])
def test_one_slice_is_recorded_as_one_without_parts(bets):
    (record,) = anew(over(bets))
    assert b'"part' not in encode(record)
    assert b'"rest' not in encode(record)


def test_an_older_record_settles_anew_at_once():
    bench = over()
    bench.house = replace(bench.house, deciding=r.HASTE)
    (record,) = anew(bench)
    assert (bench.state.is_unfinished, len(record.what.movements), record.what.part) == (False, 10, UNSET)


def test_every_part_repeats_all_but_its_number_and_movements():
    bench = over()
    anew(bench)
    bench.says("open; bet p1 tie 1.00")
    to_the_end(bench)
    first, *later = [record for record in bench.records if record.kind == "resettled"]
    for one in later:
        same = replace(one.what, part=1, movements=first.what.movements, rest=first.what.rest)
        assert (same, one.round, one.shoe, one.dealer, one.person, one.training) == (
            first.what, first.round, first.shoe, first.dealer, first.person, first.training
        )  # fmt: skip


@pytest.mark.parametrize("audience", AUDIENCES)
def test_nobody_is_told_the_movements_of_later_parts_early(audience):
    bench = over()
    anew(bench)
    to_the_end(bench)
    events = [one for one in views_of(bench, audience) if one["kind"] == "resettled"]
    assert all("rest" not in one for one in events)
    assert len(events) == (1 if audience == "player" else 4)


def test_a_replay_gives_every_part_to_the_byte():
    bench = over(2 * SLICE + 10, SLICE)
    anew(bench)
    bench.says("open; bet p1 tie 1.00")
    bench.do(e.Tick())
    bench.says(f"wait 1s; close; {PLAYER_WINS}")
    bench.restart()
    anew(bench, VOID, number=2)
    anew(to_the_end(bench), VOID)
    assert replayed(to_the_end(bench).records) == []


def test_a_result_worked_out_beforehand_gives_the_same_records():
    bench, other = over(), over()
    event = anew(bench)[0].input.event
    result = work_out_event(other.house, Position(GAMES), event, other.now)
    other.position.prepare(event, result)
    other.do(event)
    assert [encode(one) for one in other.records] == [encode(one) for one in bench.records]
    assert other.position.take_prepared(event) is None


def test_a_result_of_another_event_is_not_taken():
    bench = over()
    event = resettle(VOID)
    bench.position.prepare(event, work_out_event(bench.house, Position(GAMES), event, bench.now))
    assert anew(bench)[0].what.now["winner"] == "tie"


# ── events between two parts ─────────────────────────────────────────────────────────────────────────────────────────

ROUND = "open; bet p1 player 1.00; bet p2 tie 1.00; close; card 2C; card 9D; card KC; card KD"


def without_parts(records):
    """Return the contents of all records but resettlements and checkpoints, which store the open parts."""
    return [one.what for one in records if one.kind not in ("resettled", "checkpoint")]


@pytest.mark.parametrize("ticks", [0, 1, 2])
@pytest.mark.parametrize("line", ROUND.split("; "))
def test_a_live_round_goes_on_between_two_parts(line, ticks):
    bench, other = over(), over()
    for one in ROUND.split("; "):
        if one == line:
            anew(bench)
            for _ in range(ticks):
                bench.do(e.Tick())
        for table in (bench, other):
            table.says(one)
    to_the_end(bench)
    assert [type(what) for what in without_parts(bench.records)] == [
        type(what) for what in without_parts(other.records)
    ]
    assert movements(bench.records) == at_once((TIE,))
    assert replace(bench.state, seq=0, revisions={}) == replace(other.state, seq=0)


def test_a_deadline_comes_before_the_next_part():
    bench = over()
    bench.do(e.Open())
    anew(bench)
    assert kinds(bench.wait(15)) == ["closed"]
    assert kinds(bench.do(e.Tick())) == ["resettled"]


def test_parts_go_on_in_a_pause_and_in_a_decision():
    table = Bench("casino_holdem")
    table.house = replace(table.house, slice=1)
    table.says("shuffled; open; bet p1 ante 1.00; bet p2 ante 1.00; bet p3 ante 1.00; close")
    table.says(
        "card AC; card 7D; card KS; card QS; card 2H; card 3H; card 4S; decide p1 fold; decide p2 fold; decide p3 fold"
    )
    to_the_end(table)
    table.says("shuffled; open; bet p1 ante 1.00; close; card AC; card 7D; card KS; card QS; card 2H; card 3H; card 4S")
    anew(table, VOID)
    assert table.life == "deciding"
    table.says("press manager")
    assert (table.life, kinds(table.do(e.Tick()))) == ("paused", ["resettled"])
    table.says("rule resume by m because checked")
    assert (table.life, kinds(table.do(e.Tick()))) == ("deciding", ["resettled"])
    assert not table.state.is_unfinished


def test_payment_of_the_live_round_comes_first():
    bench = over()
    bench.do(e.Open(), *(e.PlaceBet(f"p{number}", "player", 100) for number in range(5)))
    bench.says("close; card 9C; card 2D; card KH")
    anew(bench)
    bench.says("card 3S")
    assert [kinds(bench.do(e.Tick()))[0] for _ in range(5)] == ["paid", "paid", "resettled", "resettled", "resettled"]


def test_a_second_resettlement_comes_after_the_last_part():
    for number in (1, 2):
        bench = over()
        bench.says(ROUND)
        to_the_end(bench)
        anew(bench)
        found = anew(bench, VOID, number=number)
        about = [(one.round, one.what.revision, one.what.part) for one in found]
        assert about[:3] == [(1, 1, 2), (1, 1, 3), (1, 1, 4)]
        assert about[3][:2] == (number, 3 - number)
        to_the_end(bench)
        assert replayed_in_slices(bench) == []


def test_a_resettlement_of_an_old_revision_is_refused_between_parts():
    bench = over()
    other = bench.records[:]
    first = anew(bench)[0].input.event
    refused = bench.do(replace(first, amendments=(VOID,), past=first.past))[-1]
    assert (refused.what.reason, refused.what.revision) == ("stale_revision", 1)
    assert movements(bench.records[len(other) :]) == at_once((TIE,))


def test_a_case_of_the_round_closes_with_the_first_part():
    bench = over()
    bench.says("press dropped")
    case = bench.state.cases[0].seq
    anew(bench)
    assert bench.state.cases == ()
    refused = bench.do(e.Dismiss(case, "m", "seen"))[-1]
    assert (refused.what.reason, bench.state.is_unfinished) == ("no_case", True)
    assert movements(to_the_end(bench).records) == at_once((TIE,))


def test_a_case_of_another_round_is_dismissed_between_parts():
    bench = over()
    bench.says(f"{ROUND}; press dropped")
    anew(bench)
    assert kinds(bench.do(e.Dismiss(bench.state.cases[0].seq, "m", "seen"))) == ["case_dismissed"]
    assert movements(to_the_end(bench).records) == at_once((TIE,))


# ── kills and takeovers ──────────────────────────────────────────────────────────────────────────────────────────────


def stored(record):
    return decode(encode(record), None if record.input is None else encode_input(record.input))


def test_a_kill_at_any_record_leaves_all_or_none():
    bench = over()
    before = len(bench.records)
    anew(bench)
    bench.says(ROUND)
    to_the_end(bench)
    expected = movements(bench.records)
    for place in range(before, len(bench.records) + 1):
        again = Bench()
        again.house, again.records = bench.house, [stored(one) for one in bench.records[:place]]
        again.restart()
        to_the_end(again)
        assert movements(again.records) == (expected if place > before else [])


def test_a_start_from_a_checkpoint_between_parts_continues_them():
    bench = over()
    anew(bench)
    bench.says(ROUND)
    assert bench.state.is_unfinished
    place = max(place for place, one in enumerate(bench.records) if one.kind == "checkpoint")
    records = [stored(one) for one in bench.records[place:]]
    state = fold(state_before(records[0]), records)
    assert state == bench.state
    while state.is_unfinished:
        draft = decide(bench.house, Position({}), state, e.Tick(), state.at)  # no rule sheet is needed
        records, state = records + draft.records, draft.state
    assert movements(bench.records) + movements(records) == at_once((TIE,))


def test_the_next_revision_reads_the_same_round_between_parts():
    bench = over()
    (first,) = anew(bench)
    between = after_revision(bench.house, bench.position, first)
    to_the_end(bench)
    assert [one.returned for one in between.bets] == [one.now for one in movements(bench.records)]
    latest = revisions(reversed(bench.records))[1]
    assert list(latest.what.movements) == movements(bench.records)


def test_an_incident_report_names_a_resettlement_once():
    bench = over()
    anew(bench)
    to_the_end(bench)
    found = [one for _, one in significant(bench.records, partial(view, audience="auditor")) if one.kind == "resettled"]
    assert len(found) == 1
    differ = sum(1 for one in movements(bench.records) if one.difference)
    assert f"{differ} bets differ" in found[0].what


def test_a_part_read_from_its_event_equals_the_record():
    bench = over()
    anew(bench)
    to_the_end(bench)
    for record in (one for one in bench.records if one.kind == "resettled"):
        body = msgspec.json.encode(view(record, "manager"))
        assert record_of(body).what == record.what.for_viewers


# ── random steps ─────────────────────────────────────────────────────────────────────────────────────────────────────

STEPS = st.lists(st.sampled_from(["tick", "restart", "tie", "won", "void", "round", "pause", "dropped"]), max_size=10)


def take(bench, step):
    """Do one of the random steps at this table."""
    if step == "tick":
        bench.do(e.Tick())
    elif step == "restart":
        bench.restart()
    elif step in ("tie", "won", "void"):
        anew(bench, {"tie": TIE, "won": WON, "void": VOID}[step])
    elif step == "dropped":
        bench.says("press dropped")
    elif step == "pause":
        bench.says("press manager; rule resume by m because checked")
    elif not bench.state.live and bench.state.life != "paused":
        bench.says(f"open; bet p1 player 1.00; wait 1s; close; {PLAYER_WINS}")


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 9), st.integers(1, 4), STEPS, st.booleans())
def test_each_revision_moves_every_bet_once_in_random_steps(bets, size, steps, ceilings):
    terms = {"ceilings": Ceilings(bet=60, player=50, round=90)} if ceilings else {}
    bench = over(bets, size, **terms)
    for step in steps:
        take(bench, step)
    to_the_end(bench)
    found = [one for one in bench.records if one.kind == "resettled"]
    chain = [one.input.event.amendments for one in found if not one.what.is_later_part]
    assert movements(found) == at_once(*chain, bets=bets, **terms)
    assert len({one.id for one in movements(found)}) == len(movements(found)) == bets * len(chain)
    state = State()
    for record in bench.records:
        state = apply(state, stored(record))
    assert state == bench.state
    assert replayed_in_slices(bench) == []


# ── two people at once ───────────────────────────────────────────────────────────────────────────────────────────────

TOGETHER = """
import sys, threading
from controller.core.past_round import decode_past
sys.setswitchinterval(1e-6)
barrier = threading.Barrier(4)
def read():
    barrier.wait()
    decode_past('{"state": {}, "ended": 0}')
threads = [threading.Thread(target=read) for _ in range(4)]
for one in threads: one.start()
for one in threads: one.join()
"""


def test_threads_that_read_a_round_together_do_not_crash():
    for _ in range(3):
        assert subprocess.run([sys.executable, "-c", TOGETHER], check=False).returncode == 0
