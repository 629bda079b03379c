"""What must be true of every table at every moment, whatever happens at it."""

import pytest
from hypothesis import settings

from controller.testing.game import JUDGES as OF_ANY_GAME

from .chance import TABLES, play, whatever_happens
from .test_leaving import Leaves
from .test_panel_keys import Keys

JUDGES = (*OF_ANY_GAME, Leaves, Keys)


def test_no_example_of_what_chance_brings_has_a_deadline():
    assert settings().deadline is None


@whatever_happens(TABLES, 20, 120)
def test_the_rules_of_a_table_hold_whatever_happens(table, rolled):
    play(table, JUDGES, rolled)


@pytest.mark.proof
@pytest.mark.timeout(0)
@whatever_happens(TABLES, 50, 300)
def test_the_rules_of_a_table_hold_for_long_whatever_happens(table, rolled):
    play(table, JUDGES, rolled)
