"""Plan of a studio's demo: which errors its dealers make, and when."""

from itertools import islice, pairwise

import pytest

from controller.games import GAMES
from controller.lab.demo.plan import ERRORS, Plan
from controller.lab.demo.studio import plan_of
from controller.lab.demo.studio_folder import tables_of


def rounds_with_errors(plan: Plan, most: int = 60) -> list[int]:
    """Return the numbers of the rounds that have an error."""
    errors = list(islice(plan.errors(), most))
    assert set(errors) <= {None, *ERRORS}
    return [number for number, error in enumerate(errors, start=1) if error]


@pytest.mark.parametrize("number", [1, 2, 5, 12, 40, 200])
def test_a_demo_floor_has_early_but_spaced_errors(number):
    all_of_them = [rounds_with_errors(plan_of(Plan(seed=1), n, number, "baccarat")) for n in range(1, number + 1)]
    assert min(errors[0] for errors in all_of_them) == 1
    assert all(later - first >= 6 for errors in all_of_them for first, later in pairwise(errors))


def test_requested_errors_are_more_frequent():
    often = rounds_with_errors(plan_of(Plan(seed=1, faults=True), 1, 12, "baccarat"))
    assert len(often) > 2 * len(rounds_with_errors(plan_of(Plan(seed=1), 1, 12, "baccarat")))


def test_after_the_first_rounds_every_error_is_made():
    first, later = (list(islice(Plan(seed=1, faults=True).errors(), *of)) for of in ((5,), (5, 305)))
    assert sorted(filter(None, first)) == ["early", "unread"]
    assert set(later) == {None, *ERRORS}


def test_a_one_table_demo_makes_only_requested_errors():
    assert rounds_with_errors(Plan(seed=1)) == []


def test_demo_tables_take_all_games_in_turn_by_default():
    assert {table.game for table in tables_of(5, None)} == set(GAMES)
    assert {table.game for table in tables_of(3, "rhum32")} == {"rhum32"}
    assert [table.name for table in tables_of(10, None)][:2] == ["t01", "t02"]
    assert len({table.dealer for table in tables_of(40, None)}) == 40


def test_a_studio_fault_waits_longer_than_a_single_tables():
    assert plan_of(Plan(), 1, 12, "baccarat").attend >= 60 > Plan().attend
