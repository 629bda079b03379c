"""Times of a demo by its speed, and the rounds in which a demo has errors."""

from itertools import islice

import pytest

from controller.lab.demo import config_of
from controller.lab.demo.plan import Plan


@pytest.mark.parametrize(
    ("speed", "betting", "decision", "patience"),
    [(1.0, 15, 10, 30.0), (0.5, 30, 20, 60.0), (4.0, 15, 2, 22.0), (20.0, 15, 1, 21.0), (1000.0, 15, 1, 21.0)],
)
def test_a_faster_demo_waits_less_but_never_too_little(speed, betting, decision, patience):
    plan = Plan(speed=speed)
    assert (plan.betting_seconds, plan.decision_seconds, plan.patience) == (betting, decision, patience)


def test_a_demo_table_has_the_times_of_its_plan(tmp_path):
    timers = config_of(Plan(speed=0.5), tmp_path / "t.journal").timers
    assert (timers.betting, timers.decision) == (30, 20)


def test_periodic_errors_come_in_their_rounds_only():
    errors = islice(Plan(seed=1, faults=True, every=4, first=3).errors(), 12)
    assert [number for number, error in enumerate(errors, start=1) if error] == [3, 7, 11]


@pytest.mark.parametrize(("rounds", "begun"), [(None, 5), (9, 5), (3, 3), (2, 2), (1, 2)])
def test_the_first_rounds_have_one_unread_card_and_one_early(rounds, begun):
    for seed in range(5):
        first = list(islice(Plan(rounds=rounds, seed=seed, faults=True).errors(), begun))
        assert sorted(filter(None, first)) == ["early", "unread"]
