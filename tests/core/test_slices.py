"""A large book is paid in slices: one settlement, whatever happens in between, even kills."""

from collections import Counter
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from controller.config.table_file import PROGRAM
from controller.core import events as e
from controller.core import records as r
from controller.core.decide import decide, next_deadline
from controller.core.decide.payments import waits
from controller.core.fold import apply, fold
from controller.core.house import SLICE
from controller.core.movements import movement
from controller.core.state import State
from controller.core.views import view
from controller.games import GAMES
from controller.reports.replay import Replay
from controller.reports.significant_events import significant
from controller.station.ownership import Unpaid, require_own
from tests.core.bench import Bench, kinds
from tests.reports.test_replay import rows

MARKETS = ("player", "banker", "tie")
NATURAL = "card 9C; card 2D; card KH; card 3S"
PEOPLE = (
    e.Open(), e.Rule("burn", "m", "surplus"), e.ChangeShoe(), e.CutShoe(), e.LoadShoe(), e.OpenTable("m"),
    e.CloseTable("m"), e.DealerOn("anna", "m"), e.Leave(), e.SetClock("2026-01-31T00:00:00.000000Z"), e.NewDeck(),
    e.KeyPressed("open"), e.KeyPressed("leave"), e.KeyPressed("change"),
)  # fmt: skip
MEANWHILE = (
    e.CardOut("4D"), e.CutCardOut(), e.ShoeSays("player"), e.ShoeFails(7, "time-out"), e.TelegramsLost("2", "4"),
    e.ShoeStandsBy(), e.KeyPressed("finish"), e.KeyPressed("manager"), e.KeyPressed("dropped"), e.Close("server"),
    e.PlaceBet("p1", "tie", 500), e.WithdrawBet("p1", "tie"), e.LineCut("p1"), e.LineBack("p1"),
    e.Choose("p1", "call"), e.LostDevice("shoe"), e.FoundDevice("shoe"), e.Babbles("panel", 700, 9),
    e.JournalBack("disk full"), e.Acknowledge("m"), e.Checked("chain"), e.SignIn("anna", "10.0.0.7", "manager", "pin"),
    e.NotAll(e.Open(), "not_all"), e.NewFile(), e.AcceptLoss("m", "", "e2"),
    e.CountedStarts("no_dealer", 3, "2026-01-01T12:00:00.000000Z", "2026-01-01T12:00:05.000000Z"),
)  # fmt: skip


def betting(bets, size=3, **terms):
    """Return a table with `bets` bets in an open window; it pays `size` bets at a time."""
    bench = Bench(**terms)
    bench.house = replace(bench.house, slice=size)
    bench.do(e.Open(), *(e.PlaceBet(f"p{number}", MARKETS[number % 3], 100 + number) for number in range(bets)))
    return bench


def owing(bets=10, size=3, **terms):
    bench = betting(bets, size, **terms)
    bench.says(f"close; {NATURAL}")
    return bench


def to_the_end(bench):
    while bench.state.owes:
        assert bench.do(e.Tick())
    return bench


def credited(records):
    """Count the credits of each bet, by the id of the movement."""
    moved = (movement(record.what) for record in records)
    return Counter(one.id for one in moved if one is not None and one.id.endswith(".credit"))


def amounts(records):
    return [(one.what.bet, getattr(one.what, "returned", None)) for one in records if one.kind in ("paid", "refunded")]


def judged(bench, bets):
    """Assert that each bet was paid or refunded once, in order, with the amount paid without slices."""
    at_once = owing(bets, bets)
    assert (set(credited(bench.records).values()), len(credited(bench.records))) == ({1}, bets)
    if bench.facts("settled"):
        assert amounts(bench.records) == amounts(at_once.records)


def sums(bench):
    """Return the sum of accepted stakes, and the sum of stakes paid, refunded or still in the book."""
    staked = sum(what.stake for what in bench.facts("bet_accepted"))
    ended = sum(what.stake for what in (*bench.facts("paid"), *bench.facts("refunded")))
    return staked, ended + bench.state.round.bets.total


def test_a_large_book_is_paid_by_ticks_after_the_settlement():
    bench = owing(10)
    assert (bench.life, bench.facts("paid"), kinds(bench.records)[-1]) == ("settled", [], "settled")
    sizes = []
    while bench.state.owes:
        assert next_deadline(bench.house, bench.position, bench.state) == bench.state.at
        sizes.append(kinds(bench.do(e.Tick())))
    assert sizes == [["paid"] * 3] * 3 + [["paid", "checkpoint"]]
    judged(bench, 10)


@pytest.mark.parametrize("bets", [1, 2, 3])
def test_a_book_of_one_slice_is_paid_with_its_settlement(bets):
    last = owing(bets)
    one = last.records[-bets - 2 :]
    assert kinds(one) == ["settled", *["paid"] * bets, "checkpoint"]
    assert [record.input for record in one[1:]] == [None] * (bets + 1)


def test_an_older_record_pays_every_book_at_once():
    bench = betting(10)
    bench.house = replace(bench.house, deciding=r.TELLING)
    bench.says(f"close; {NATURAL}")
    assert (bench.state.owes, kinds(bench.records[-11:])) == (False, [*["paid"] * 10, "checkpoint"])


def test_a_ruling_that_ends_a_round_pays_at_once():
    bench = betting(10)
    bench.says("close; press manager; rule cancel by m because alone")
    assert (bench.state.owes, len(bench.facts("refunded"))) == (False, 10)


def test_a_round_that_the_clock_cancels_is_refunded_in_slices():
    bench = betting(10, unruled="cancel", ruling_seconds=60)
    bench.says("close; press manager; wait 60s")
    assert (bench.life, bench.state.owes, bench.facts("refunded")) == ("cancelled", True, [])
    sizes = []
    while bench.state.owes:
        sizes.append(kinds(bench.do(e.Tick())))
    assert sizes == [["refunded"] * 3] * 3 + [["refunded", "checkpoint"]]
    judged(bench, 10)


@pytest.mark.parametrize("event", PEOPLE)
def test_acts_of_people_between_rounds_wait_for_the_payments(event):
    bench, later = owing(10), to_the_end(owing(10))
    after, expected = bench.do(event), later.do(event)
    assert waits(event)
    assert [record.what for record in after[-len(expected) :]] == [record.what for record in expected]
    judged(bench, 10)


@pytest.mark.parametrize("event", MEANWHILE)
def test_events_during_payments_are_decided_as_after_them(event):
    bench, later = owing(10), to_the_end(owing(10))
    bench.do(e.Tick())
    paid = len(bench.facts("paid"))
    actual, expected = kinds(bench.do(event)), kinds(later.do(event))
    assert (waits(event), actual, len(bench.facts("paid"))) == (False, expected, paid)
    assert (bench.life, bench.fault) == (later.life, later.fault)
    judged(to_the_end(bench), 10)
    assert (bench.life, bench.fault) == (later.life, later.fault)


def test_a_ruling_on_a_surplus_card_comes_after_the_payments():
    bench = owing(10)
    bench.says("card 4D; rule burn 5 by m because surplus")
    assert (bench.life, bench.fates[-1], bench.state.owes) == ("settled", "burnt", False)
    judged(bench, 10)


def test_a_dealer_who_leaves_does_so_after_the_last_payment():
    bench = betting(10)
    bench.says(f"close; press leave; {NATURAL}")
    to_the_end(bench)
    assert kinds(bench.records)[-2:] == ["dealer_changed", "checkpoint"]
    assert {record.dealer for record in bench.records if record.kind == "paid"} == {"dealer"}


def test_stakes_balance_at_every_record():
    bench = to_the_end(owing(10))
    state = State()
    for place, record in enumerate(bench.records, 1):
        state = apply(state, record)
        then = Bench()
        then.records, then.state = bench.records[:place], state
        staked, balance = sums(then)
        assert staked == balance


def test_a_program_with_another_sheet_refuses_an_unpaid_record():
    bench = owing(10)
    path, state = Path("t.journal"), bench.state
    require_own(state, bench.house, path)
    other = replace(state, round=replace(state.round, version="0"))
    with pytest.raises(Unpaid, match="10 bets are still to be paid"):
        require_own(other, bench.house, path)
    require_own(replace(to_the_end(bench).state, round=replace(bench.state.round, version="0")), bench.house, path)


def test_a_ruling_during_payments_names_its_surplus_card_fault():
    bench = owing(10)
    bench.says("card 4D; rule burn 5 by m because surplus")
    told = [one.code for _, one in significant(bench.records, partial(view, audience="auditor")) if one.kind == "ruled"]
    assert told == ["extra_card"]


STEPS = st.lists(st.sampled_from(["tick", "restart", *PEOPLE, *MEANWHILE]), max_size=12)


@settings(max_examples=150, deadline=None)
@given(st.integers(4, 14), st.integers(1, 4), STEPS)
def test_every_bet_is_paid_once_in_random_steps(bets, size, steps):
    bench = owing(bets, size)
    opened = len(bench.facts("opened"))
    for step in steps:
        if len(bench.facts("opened")) > opened:
            break
        if step == "restart":
            bench.restart()
        else:
            bench.do(e.Tick() if step == "tick" else step)
        assert sums(bench)[0] == sums(bench)[1]
    assert bench.state == fold(State(), bench.records)
    judged(to_the_end(bench), bets)


def test_a_record_of_slices_replays_to_the_byte():
    bench = betting(2 * SLICE + 10, SLICE)
    bench.says(f"close; {NATURAL}")
    bench.do(e.Tick())
    bench.says("card 4D; wait 40s")  # a surplus card; nobody acknowledges its fault in time
    bench.restart()
    bench.wait(40)
    bench.says("rule burn 5 by m because surplus; open; bet p1 tie 5.00")
    audit = Replay(GAMES, PROGRAM)
    audit.take(rows(bench.records))
    audit.finish()
    assert (audit.rounds, audit.differences, audit.others) == (1, [], [])


def killed_at_every_record(bets, size):
    """Restart after each record of a settlement of `bets` bets; assert that every bet is paid once."""
    whole = to_the_end(owing(bets, size))
    first = next(place for place, record in enumerate(whole.records) if record.kind == "settled")
    expected, state = amounts(whole.records), fold(State(), whole.records[: first + 1])
    for place in range(first + 1, len(whole.records)):
        paid = amounts(whole.records[first:place])
        now, after = decide(whole.house, whole.position, state, e.ProgramBack(), state.at), state
        after = now.state
        while after.owes:
            draft = decide(whole.house, whole.position, after, e.Tick(), after.at)
            paid, after = paid + amounts(draft.records), draft.state
        assert paid == expected
        state = apply(state, whole.records[place])


def test_a_kill_at_any_record_pays_every_bet_once():
    killed_at_every_record(40, 7)


@pytest.mark.proof
def test_a_kill_at_each_record_pays_2000_bets_once():
    killed_at_every_record(2000, SLICE)
