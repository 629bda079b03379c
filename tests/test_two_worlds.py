"""What is told of a table is the same whatever cards lie face down at it, until they are turned over."""

from functools import partial
from random import Random

import pytest

from .core.bench import Bench
from .core.chance import TABLES, happen
from .worlds import TwoWorlds

HIDING = (
    *TABLES[4:7],
    *TABLES[8:11],
    partial(Bench, "rhum32", {"dealer_shows_fourth": False}, reveal="dealer"),
)


SHORT = 12  # rounds of one table: a restart reads them all


def rounds(table, count, seed, judge=TwoWorlds):
    """So many rounds in which cards have lain face down, whatever else happens; how often the tables were compared."""
    compared = 0
    for start in range(0, count, SHORT):
        bench, chance = table(), Random(f"{seed} {start}")
        bench.judges = [looks := judge(bench)]
        while looks.rounds < min(SHORT, count - start):
            happen(bench, chance.randrange(100), chance.randrange(10**6))
        compared += looks.compared
    return compared


@pytest.mark.parametrize("table", HIDING, ids=range(len(HIDING)))
def test_nobody_can_tell_which_cards_lie_face_down(table):
    assert rounds(table, 5, seed=1) > 5


@pytest.mark.proof
@pytest.mark.timeout(0)
@pytest.mark.parametrize("table", HIDING, ids=range(len(HIDING)))
def test_nobody_can_tell_which_cards_lie_face_down_in_2000_rounds(table):
    assert rounds(table, -(-2000 // len(HIDING)), seed=2) > 2000
