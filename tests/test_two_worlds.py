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


def rounds(table, count, judge=TwoWorlds, seed=1):
    """So many rounds in which cards have lain face down, whatever else happens at this table."""
    bench, chance = table(), Random(seed)
    bench.judges = [judge := judge(bench)]
    while judge.rounds < count:
        happen(bench, chance.randrange(100), chance.randrange(10**6))
    return judge


@pytest.mark.parametrize("table", HIDING, ids=range(len(HIDING)))
def test_nobody_can_tell_which_cards_lie_face_down(table):
    assert rounds(table, 6).compared > 6


@pytest.mark.proof
@pytest.mark.timeout(0)
@pytest.mark.parametrize("table", HIDING, ids=range(len(HIDING)))
def test_nobody_can_tell_which_cards_lie_face_down_in_2000_rounds(table):
    rounds(table, -(-2000 // len(HIDING)), seed=2)
